// The detections of a model in one camera's video, kept next to the project so that no picture is examined
// twice: a file of our own lines (detection_file.h) that grows with each picture. Its name tells model,
// engine, input and video, so that what differs in any of them has a file of its own; scores are kept from
// PersonDetector::kLowestScore on, so thresholds may change freely.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detection_file.h"

namespace vantage {

class DetectionStore {
 public:
  // Makes the folder. What the file holds already is read; a last line that was not finished is left out.
  // Without a folder (empty) nothing is kept on disk.
  static Result<std::unique_ptr<DetectionStore>> open(const std::filesystem::path& folder,
                                                      const std::string& camera,
                                                      const DetectorProvenance& provenance);
  ~DetectionStore();
  DetectionStore(const DetectionStore&) = delete;
  DetectionStore& operator=(const DetectionStore&) = delete;

  std::optional<CameraDetections> find(int64_t camera_frame) const;
  // An error where it could not be written; it is then known in memory all the same.
  Status add(int64_t camera_frame, const CameraDetections& found);
  const std::filesystem::path& file() const { return path_; }

 private:
  explicit DetectionStore(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // empty: in memory alone
  std::map<int64_t, CameraDetections> frames_;
  std::FILE* out_ = nullptr;
};

// Detections of a file under the frames of its camera, where their rates and starts differ.

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

// Reads the file that a camera names. `camera_rate`: frames/s. Errors: read_detection_file()'s.
Result<FileFrames> read_file_frames(const CameraDetectionFile& named, const DetectionFileOptions& options,
                                    double camera_rate,
                                    std::shared_ptr<const std::vector<int64_t>> picture_of_frame);

}  // namespace vantage
