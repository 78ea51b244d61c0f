// People as detectors see them in each camera's picture: from the files that a project names, or by its
// model. An artifact that is not present where it names neither, or detections.enabled is off.
//
// The model looks at every detections.every-th set. What it found is kept (detection_store.h) and used again.
// Live, looks are left out so that they take no more than half of the time: results stay as young without.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/memory_transfer.h"
#include "core/detections/file_frames.h"
#include "core/detections/person_detector.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct DetectionsCamera {
  std::string name;
  std::optional<FileFrames> file;  // wins over the model
  std::string video;               // checksum; what is kept of the model's finds is of this video alone
};

// Which detector the stage has used last, for whoever writes results; from any thread.
class DetectorInUse {
 public:
  void set(const DetectorProvenance& provenance) {
    const std::lock_guard lock(mutex_);
    provenance_ = provenance;
  }
  std::optional<DetectorProvenance> get() const {
    const std::lock_guard lock(mutex_);
    return provenance_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<DetectorProvenance> provenance_;
};

struct DetectionsStageOptions {
  std::vector<DetectionsCamera> cameras;
  std::optional<ModelFile> model;
  bool cuda = false;             // the model may run on the device, where its engine can
  std::filesystem::path folder;  // for what the model found; empty: kept in memory alone
  std::unique_ptr<MemoryTransfer> transfer;
  bool live = false;
  std::shared_ptr<DetectorInUse> in_use;  // null: nobody asks
};

std::unique_ptr<Stage> make_detections_stage(DetectionsStageOptions options);

}  // namespace vantage
