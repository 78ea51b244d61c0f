// Detections of a file under the frames of its camera, where their rates and starts differ.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/detections/camera_detection_file.h"
#include "core/detections/detection_file.h"

namespace vantage {

struct FileTiming {
  double offset_frames = 0;     // the file's frame simultaneous with frame 0 of the camera
  double frames_per_frame = 1;  // of the file, for each of the camera's
};

// Timing of the file that a camera names: the rate stated there, else the file's own, else the camera's
// (frames a second).
FileTiming timing_of(const CameraDetectionFile& named, const DetectionFile& file, double camera_rate);

class FileFrames {
 public:
  // `picture_of_frame`: of a video whose times leave gaps (VideoInfo); null: its frames are its pictures.
  // Whether the file numbers pictures or frames is told by its own frames: it counts frames where it goes
  // beyond the last picture, or holds nothing in the gaps.
  FileFrames(std::shared_ptr<const DetectionFile> file, const FileTiming& timing,
             std::shared_ptr<const std::vector<int64_t>> picture_of_frame = nullptr);
  // Unknown where the file holds nothing of that instant. Of a file with fewer frames each belongs to the
  // nearest of the camera's; the camera's others are unknown.
  CameraDetections at(int64_t camera_frame) const;
  uint64_t hash() const;  // of content and timing
  bool counts_pictures() const { return picture_of_frame_ != nullptr; }
  const DetectionFile& file() const { return *file_; }

 private:
  std::shared_ptr<const DetectionFile> file_;
  FileTiming timing_;
  std::shared_ptr<const std::vector<int64_t>> picture_of_frame_;  // null: the file numbers frames
};

}  // namespace vantage
