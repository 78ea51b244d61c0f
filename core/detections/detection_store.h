// The detections of a model in one camera's video, kept next to the project so that no picture is examined
// twice: a file of our own lines (detection_file.h) that grows with each picture. Its name tells model,
// engine, input and video, so that what differs in any of them has a file of its own; scores are kept from
// PersonDetector::kLowestScore on, so thresholds may change freely.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

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

}  // namespace vantage
