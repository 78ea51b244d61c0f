// Foreground of every camera, with memory: one model per camera.
//
// A camera learns its empty-scene clip or, without one, the scene of its whole recording before its first
// frame (core/pipeline/background.h). A live camera, or one whose recording is too short, learns its own
// first `learning_frames` frames; until then its indicator and mask are those of an empty scene: zeros.
//
// foreground.method chooses the models; another one makes them again. Where the device has no such method
// configure() fails, and so does every frame until another is chosen.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kForegroundStageType;

}  // namespace vantage
