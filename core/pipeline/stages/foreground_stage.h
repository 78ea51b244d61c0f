// Foreground of every camera, with memory: one model per camera.
//
// A camera with an empty-scene clip learns all of it before its first frame. A camera without one learns its
// own first `learning_frames` frames; until then its indicator and mask are those of an empty scene: zeros.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend/memory_transfer.h"
#include "core/foreground/foreground.h"
#include "core/pipeline/stage.h"
#include "core/video/video_source.h"

namespace vantage {

struct ForegroundCamera {
  std::string name;
  std::unique_ptr<ForegroundModel> model;
  std::unique_ptr<VideoSource>
      background;  // the empty-scene clip, read when the first frame comes; null: none
};

struct ForegroundStageOptions {
  std::vector<ForegroundCamera> cameras;  // in the project's order
  Device device = Device::cpu;            // on the CPU the cameras are segmented in parallel
  // Brings clips and zeros to the device and masks to the host; null on the CPU.
  std::unique_ptr<MemoryTransfer> transfer;
};

std::unique_ptr<Stage> make_foreground_stage(ForegroundStageOptions options);

}  // namespace vantage
