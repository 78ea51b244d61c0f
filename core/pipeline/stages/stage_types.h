// The first stage: the recording's frame sets, in the memory of the chain's device. Pictures decoded into
// host memory are uploaded, so that downstream always gets them there.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/detections/person_detector.h"
#include "core/foreground/pixel_evidence.h"
#include "core/people/people.h"
#include "core/pipeline/stage.h"

namespace vantage {

extern const StageType kVideoStageType;

// Foreground of every camera, with memory: one model per camera.
//
// A camera learns its empty-scene clip or, without one, the scene of its whole recording before its first
// frame (core/pipeline/background.h). A live camera, or one with too short a recording, learns its own first
// `learning_frames` frames; until then its indicator and mask are zeros, as of an empty scene.
//
// foreground.method chooses the models; another method makes new ones. Where the device does not have the
// method configure() fails, and so does every frame until another is chosen.

// Explains why a pixel is in the mask of the stage's next frame (Pipeline::stage_before).
class ForegroundExplainer {
 public:
  virtual ~ForegroundExplainer() = default;
  // `picture`: the camera's of that frame, in host memory. Errors: not_found where the camera only learns the
  // frame; PixelExplainer's.
  virtual Result<PixelEvidence> explain(size_t camera, const Picture& picture, int x_px, int y_px) const = 0;
};

extern const StageType kForegroundStageType;

// Optical flow of every camera from the previous frame, if flow.enabled is on; with memory: the last picture
// with its expansion, and the last flow, from which the next one starts. While switched off it keeps only the
// last pictures, so that switching it on gives a flow at once.
//
// A camera without a picture, or with one of another size, restarts; one that shows the same frame of its own
// twice (it is slower than the base) has no flow there, and the next spans both.

extern const StageType kFlowStageType;

// The volume that the cameras' indicators agree on.

extern const StageType kCarvingStageType;

// People detected in each camera's picture: from the project's files, or by its model. The artifact is absent
// where there are neither, or detections.enabled is off.
//
// The model examines every detections.every-th set. Its detections are kept (detection_store.h) and used
// again. Live, sets are skipped so that it takes at most half of the time: results are as recent as without
// it.

// The detector that the stage used last, for the writer of results; thread-safe.
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

// Heads in every camera's picture, if heads.enabled is on; else an empty artifact. With calibrations only
// windows of fitting sizes are searched, views support each other (head_views.h), the heads of the views are
// joined into points of the scene, and each point is assigned to the person below it.

extern const StageType kHeadsStageType;

// The height map of one camera and its people, if heightmap.enabled is on; else an empty artifact. It always
// starts without messages, so that a frame has one result.

extern const StageType kHeightMapStageType;

// People of one frame, and where the search stopped when there are none: from its floor map and masks; with
// people.source = occupancy from the masks alone, the floor map then only gives their heights; with fused
// from the cameras' detections, the floor map then only gives their volumes.

extern const StageType kPeopleStageType;

// Resolves people.source = automatic; other sources are returned unchanged.
PeopleSource resolved_source(const ParameterStore& parameters, bool has_detections);

// The figures of the sentence.
struct SearchTrace {
  struct Camera {
    std::string name;
    bool has_picture = false;
    double foreground_share = 0;
  };
  std::vector<Camera> cameras;
  double covered_share = 0;
  int64_t occupied_voxels = 0;
  std::optional<double> largest_probability = std::nullopt;  // only with people.source = occupancy
};
// The point at which the search for people stopped: the first step that left nothing, such as "cam3 has no
// foreground". Empty when a person was found.
std::string where_it_stopped(const SearchTrace& trace, const PeopleFound& found);

// People's colours by camera (core/pipeline/detail/person_motion.h): of every frame with appearance.enabled;
// else of one frame in kIndependent_s where people come from detections and paths with paths.return_s number
// them.

extern const StageType kAppearanceStageType;

// Tracks people from frame to frame; with memory.

extern const StageType kTrackingStageType;

}  // namespace vantage
