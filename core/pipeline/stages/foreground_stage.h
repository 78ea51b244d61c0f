// Foreground of every camera, with memory: one model per camera.
//
// A camera learns its empty-scene clip or, without one, the scene of its whole recording before its first
// frame (core/pipeline/background.h). A live camera, or one whose recording is too short, learns its own
// first `learning_frames` frames; until then its indicator and mask are those of an empty scene: zeros.
//
// foreground.method chooses the models; another one makes them again. Where the device has no such method
// configure() fails, and so does every frame until another is chosen.
#pragma once

#include "core/foreground/pixel_evidence.h"
#include "core/pipeline/stage_type.h"

namespace vantage {

// What the stage is besides, for people who ask why a pixel is in the mask: it says it of a frame before
// which it stands (Pipeline::stage_before).
class ForegroundExplainer {
 public:
  virtual ~ForegroundExplainer() = default;
  // `picture`: the camera's of that frame, in host memory. Errors: not_found where the camera only learns the
  // frame; PixelExplainer's.
  virtual Result<PixelEvidence> explain(size_t camera, const Picture& picture, int x_px, int y_px) const = 0;
};

extern const StageType kForegroundStageType;

}  // namespace vantage
