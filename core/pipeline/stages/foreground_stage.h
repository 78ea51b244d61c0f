// Foreground of every camera, with memory: one model per camera.
//
// A camera learns its empty-scene clip or, without one, the scene of its whole recording before its first
// frame (core/pipeline/background.h). A live camera, or one whose recording is too short, learns its own
// first `learning_frames` frames; until then its indicator and mask are those of an empty scene: zeros.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/memory_transfer.h"
#include "core/foreground/foreground.h"
#include "core/pipeline/background.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct ForegroundCamera {
  std::string name;
  BackgroundFootage background;  // read when the first frame comes
  // Opens it once more, for another method and for those that cannot save what they learnt; null where there
  // is none.
  std::function<Result<BackgroundFootage>()> reopen;
};

struct ForegroundStageOptions {
  std::vector<ForegroundCamera> cameras;  // in the project's order
  DeviceBackends backends;                // the models'; on the CPU the cameras are segmented in parallel
  // Brings clips and zeros to the device and masks to the host.
  std::unique_ptr<MemoryTransfer> transfer;
  StopSource stop;  // ends the learning
};

// foreground.method chooses the models; another one makes them again. Where the device has no such method
// configure() fails, and so does every frame until another is chosen.
std::unique_ptr<Stage> make_foreground_stage(ForegroundStageOptions options);

}  // namespace vantage
