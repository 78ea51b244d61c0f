#include "core/detections/detection_store.h"

#include <cerrno>
#include <cstring>

#include "core/base/file.h"
#include "core/base/hash.h"

namespace vantage {
namespace {

// A key of everything that changes what is found.
std::string key_of(const DetectorProvenance& from) {
  return hex64(Hasher()
                   .add(from.model_sha256)
                   .add(from.family)
                   .add(from.engine)
                   .add(from.engine_version)
                   .add(from.overlap)
                   .add(from.min_score)
                   .add(from.long_side_px)
                   .add(from.video)
                   .value());
}

// Names of cameras come from files: what is no letter, digit, - or _ becomes _.
std::string file_name(const std::string& camera) {
  std::string name;
  for (const char c : camera) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    name += plain ? c : '_';
  }
  return name;
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
  std::unique_ptr<DetectionStore> store(
      new DetectionStore(folder / (file_name(camera) + "-" + key_of(provenance) + ".jsonl")));
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
    begin = "\n";  // after a line that was never finished
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
  // One write a line: what another program appends at the same time stays whole.
  if (std::fwrite(line.data(), 1, line.size(), out_) != line.size() || std::fflush(out_) != 0)
    return fail(write_error(path_));
  return {};
}

}  // namespace vantage
