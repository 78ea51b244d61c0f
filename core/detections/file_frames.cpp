#include "core/detections/file_frames.h"

#include <algorithm>
#include <cmath>

#include "core/base/hash.h"

namespace vantage {

FileTiming timing_of(const CameraDetectionFile& named, const DetectionFile& file, double camera_rate) {
  FileTiming timing;
  timing.offset_frames = named.offset_frames;
  const double rate = named.frame_rate > 0 ? named.frame_rate : file.frame_rate;
  if (rate > 0 && camera_rate > 0) timing.frames_per_frame = rate / camera_rate;
  return timing;
}

namespace {

// Whether a file, of one frame for each of the camera's, numbers the pictures of a video with gaps.
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
  return file_->frames[static_cast<size_t>(nearest)];
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

}  // namespace vantage
