// People as detectors see them in each camera's picture: from the files that a project names, or by its
// model. An artifact that is not present where it names neither, or detections.enabled is off.
//
// The model looks at every detections.every-th set. What it found is kept (detection_store.h) and used again.
// Live, looks are left out so that they take no more than half of the time: results stay as young without.
#pragma once

#include <mutex>
#include <optional>

#include "core/detections/person_detector.h"
#include "core/pipeline/stage_type.h"

namespace vantage {

// Which detector the stage has used last, for the writer of results; from any thread.
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

extern const StageType kDetectionsStageType;

}  // namespace vantage
