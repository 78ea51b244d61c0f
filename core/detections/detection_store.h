// A model's detections in one camera's video, kept next to the project so that no picture is examined twice:
// a file of our own lines (detection_file.h) that grows with each picture. Its name identifies model, engine,
// input and video, so that each combination has its own file. Scores are kept from
// PersonDetector::kLowestScore on, so thresholds can change.
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
  // Creates the folder. The model, its settings and the video decide which file it is; the camera only names
  // a new one. Existing contents are read; an incomplete last line is ignored. Without a folder (empty)
  // nothing is kept on disk.
  static Result<std::unique_ptr<DetectionStore>> open(const std::filesystem::path& folder,
                                                      const std::string& camera,
                                                      const DetectorProvenance& provenance);
  ~DetectionStore();
  DetectionStore(const DetectionStore&) = delete;
  DetectionStore& operator=(const DetectionStore&) = delete;

  std::optional<CameraDetections> find(int64_t camera_frame) const;
  // An error if it could not be written; it is still known in memory.
  Status add(int64_t camera_frame, const CameraDetections& found);
  const std::filesystem::path& file() const { return path_; }

 private:
  explicit DetectionStore(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // empty: in memory only
  std::map<int64_t, CameraDetections> frames_;
  std::FILE* out_ = nullptr;
};

// Detections of a file under the frames of its camera, with differing rates and starts.

struct FileTiming {
  double offset_frames = 0;     // the file's frame simultaneous with frame 0 of the camera
  double frames_per_frame = 1;  // frames of the file per frame of the camera
};

// Timing of a camera's file: the rate stated there, else the file's own, else the camera's (frames/s).
FileTiming timing_of(const CameraDetectionFile& named, const DetectionFile& file, double camera_rate);

class FileFrames {
 public:
  // `picture_of_frame`: for videos whose times have gaps (VideoInfo); null: its frames are its pictures. A
  // file counts frames instead of pictures if it goes beyond the last picture or has nothing in the gaps.
  FileFrames(std::shared_ptr<const DetectionFile> file, const FileTiming& timing,
             std::shared_ptr<const std::vector<int64_t>> picture_of_frame = nullptr);
  // Unknown where the file has nothing at that instant. Each frame of a file with fewer frames belongs to the
  // nearest of the camera's; the others are unknown.
  CameraDetections at(int64_t camera_frame) const;
  uint64_t hash() const;  // covers content and timing
  bool counts_pictures() const { return picture_of_frame_ != nullptr; }
  const DetectionFile& file() const { return *file_; }

 private:
  std::shared_ptr<const DetectionFile> file_;
  FileTiming timing_;
  std::shared_ptr<const std::vector<int64_t>> picture_of_frame_;  // null: the file numbers frames
};

// Reads a camera's file. `camera_rate`: frames/s. Errors: read_detection_file()'s.
Result<FileFrames> read_file_frames(const CameraDetectionFile& named, const DetectionFileOptions& options,
                                    double camera_rate,
                                    std::shared_ptr<const std::vector<int64_t>> picture_of_frame);

}  // namespace vantage
