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

CameraDetections FileFrames::at(int64_t camera_frame) const {
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
