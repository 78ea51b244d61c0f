// Foreground of every camera, with memory: one model per camera.
//
// A camera learns its empty-scene clip or, without one, the scene of its whole recording before its first
// frame (core/pipeline/background.h). A live camera, or one whose recording is too short, learns its own
// first `learning_frames` frames; until then its indicator and mask are those of an empty scene: zeros.
#pragma once

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
  std::unique_ptr<ForegroundModel> model;
  BackgroundFootage background;  // read when the first frame comes
};

struct ForegroundStageOptions {
  std::vector<ForegroundCamera> cameras;  // in the project's order
  Device device = Device::cpu;            // on the CPU the cameras are segmented in parallel
  // Brings clips and zeros to the device and masks to the host; null on the CPU.
  std::unique_ptr<MemoryTransfer> transfer;
  StopSource stop;  // ends the learning
};

std::unique_ptr<Stage> make_foreground_stage(ForegroundStageOptions options);

}  // namespace vantage
