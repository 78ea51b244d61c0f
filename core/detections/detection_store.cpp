#include "core/detections/detection_store.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "core/base/file.h"
#include "core/base/hash.h"

namespace vantage {
namespace {

// Key of everything that affects the detections.
std::string key_of(const DetectorProvenance& from) {
  Hasher hasher;
  hasher.add(from.model_sha256).add(from.family).add(from.engine).add(from.engine_version);
  hasher.add(from.overlap).add(from.min_score).add(from.long_side_px).add(from.video);
  if (!from.joints_model_sha256.empty()) hasher.add(from.joints_model_sha256);
  return hex64(hasher.value());
}

// Names of cameras come from files: characters other than letters, digits, - and _ become _.
std::string file_name(const std::string& camera) {
  std::string name;
  for (const char c : camera) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    name += plain ? c : '_';
  }
  return name;
}

// The camera may have had another name when they were begun.
std::filesystem::path store_path(const std::filesystem::path& folder, const std::string& camera,
                                 const DetectorProvenance& provenance) {
  const std::string end = "-" + key_of(provenance) + ".jsonl";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().filename().string().ends_with(end)) return entry.path();
  return folder / (file_name(camera) + end);
}

Error write_error(const std::filesystem::path& path) {
  return {ErrorKind::io, std::string("writing failed (") + std::strerror(errno) + ")", path.string(),
          "Free some space, or move the project to a folder you can write to: until then, detections are "
          "computed again in every run."};
}

bool ends_with_newline(std::FILE* file) {
  return std::fseek(file, -1, SEEK_END) == 0 && std::fgetc(file) == '\n';
}

}  // namespace

Result<std::unique_ptr<DetectionStore>> DetectionStore::open(const std::filesystem::path& folder,
                                                             const std::string& camera,
                                                             const DetectorProvenance& provenance) {
  if (folder.empty()) return std::unique_ptr<DetectionStore>(new DetectionStore({}));
  VANTAGE_TRY(make_folder(folder));
  std::unique_ptr<DetectionStore> store(new DetectionStore(store_path(folder, camera, provenance)));
  std::error_code ignored;
  const bool there = std::filesystem::file_size(store->path_, ignored) > 0 && !ignored;
  if (there) {
    if (auto file = read_detection_file(store->path_))
      for (size_t i = 0; i < file->frames.size(); ++i)
        if (file->frames[i].known) store->frames_[static_cast<int64_t>(i)] = std::move(file->frames[i]);
  }
  store->out_ = std::fopen(store->path_.c_str(), "a+b");
  if (!store->out_) return fail(write_error(store->path_));
  std::string begin;
  if (!there) {
    DetectionFile header;
    header.provenance = provenance;
    begin = detection_header_line(header) + '\n';
  } else if (!ends_with_newline(store->out_)) {
    begin = "\n";  // after an incomplete line
  }
  if (std::fwrite(begin.data(), 1, begin.size(), store->out_) != begin.size() ||
      std::fflush(store->out_) != 0)
    return fail(write_error(store->path_));
  return store;
}

DetectionStore::~DetectionStore() {
  if (out_) std::fclose(out_);
}

std::optional<CameraDetections> DetectionStore::find(int64_t camera_frame) const {
  const auto found = frames_.find(camera_frame);
  return found == frames_.end() ? std::nullopt : std::optional(found->second);
}

Status DetectionStore::add(int64_t camera_frame, const CameraDetections& found) {
  frames_[camera_frame] = found;
  if (!out_) return {};
  const std::string line = detection_frame_line(camera_frame, found) + '\n';
  // One write per line, so that lines appended by another program at the same time stay intact.
  if (std::fwrite(line.data(), 1, line.size(), out_) != line.size() || std::fflush(out_) != 0)
    return fail(write_error(path_));
  return {};
}

FileTiming timing_of(const CameraDetectionFile& named, const DetectionFile& file, double camera_rate) {
  FileTiming timing;
  timing.offset_frames = named.offset_frames;
  const double rate = named.frame_rate > 0 ? named.frame_rate : file.frame_rate;
  if (rate > 0 && camera_rate > 0) timing.frames_per_frame = rate / camera_rate;
  return timing;
}

namespace {

// The file, with one frame for each of the camera's, numbers the pictures of a video with gaps.
bool numbers_pictures(const DetectionFile& file, const FileTiming& timing,
                      const std::vector<int64_t>& picture_of_frame) {
  if (picture_of_frame.empty() || timing.frames_per_frame != 1) return false;
  const auto pictures =
      static_cast<size_t>(*std::max_element(picture_of_frame.begin(), picture_of_frame.end()) + 1);
  const auto known = [&](size_t frame) { return frame < file.frames.size() && file.frames[frame].known; };
  for (size_t frame = pictures; frame < file.frames.size(); ++frame)
    if (known(frame)) return false;
  for (size_t frame = 0; frame < picture_of_frame.size(); ++frame)
    if (picture_of_frame[frame] < 0 && known(frame) && !file.frames[frame].people.empty()) return true;
  return false;
}

}  // namespace

FileFrames::FileFrames(std::shared_ptr<const DetectionFile> file, const FileTiming& timing,
                       std::shared_ptr<const std::vector<int64_t>> picture_of_frame)
    : file_(std::move(file)), timing_(timing) {
  if (picture_of_frame && numbers_pictures(*file_, timing_, *picture_of_frame))
    picture_of_frame_ = std::move(picture_of_frame);
}

CameraDetections FileFrames::at(int64_t camera_frame) const {
  if (picture_of_frame_ && camera_frame >= 0) {
    if (camera_frame >= static_cast<int64_t>(picture_of_frame_->size())) return {};
    camera_frame = picture_of_frame_->at(static_cast<size_t>(camera_frame));
  }
  if (camera_frame < 0) return {};
  const double wanted = timing_.offset_frames + static_cast<double>(camera_frame) * timing_.frames_per_frame;
  const double nearest = std::floor(wanted + 0.5);
  if (nearest < 0 || nearest >= static_cast<double>(file_->frames.size())) return {};
  constexpr double kRounding = 1e-6;
  if (std::abs(wanted - nearest) > 0.5 * std::min(1.0, timing_.frames_per_frame) + kRounding) return {};
  return file_->frames[nearest];
}

uint64_t FileFrames::hash() const {
  Hasher hasher;
  if (picture_of_frame_)
    for (const int64_t picture : *picture_of_frame_) hasher.add(picture);
  hasher.add(timing_.offset_frames).add(timing_.frames_per_frame).add(file_->skeleton);
  for (const CameraDetections& frame : file_->frames) {
    hasher.add(frame.known).add(frame.people.size());
    for (const PersonDetection& person : frame.people) {
      for (const float value :
           {person.left_px, person.top_px, person.width_px, person.height_px, person.score})
        hasher.add(value);
      for (const Keypoint& joint : person.keypoints) hasher.add(joint.x_px).add(joint.y_px).add(joint.score);
    }
  }
  return hasher.value();
}

Result<FileFrames> read_file_frames(const CameraDetectionFile& named, const DetectionFileOptions& options,
                                    double camera_rate,
                                    std::shared_ptr<const std::vector<int64_t>> picture_of_frame) {
  VANTAGE_ASSIGN(DetectionFile file, read_detection_file(named.file, options));
  const FileTiming timing = timing_of(named, file, camera_rate);
  return FileFrames(std::make_shared<DetectionFile>(std::move(file)), timing, std::move(picture_of_frame));
}

}  // namespace vantage
