// Optical flow of every camera from the frame before, where flow.enabled is on; with memory: the last picture
// with its expansion and the last flow, which the next one starts from. Switched off it remembers the last
// pictures alone, so that switching it on shows a flow at once.
//
// A camera without a picture, or with one of another size, starts anew; one that shows the same frame of its
// own twice (it runs slower than the base) has no flow there, and the next spans both.
#pragma once

#include <memory>
#include <vector>

#include "core/backend/memory_transfer.h"
#include "core/optical_flow/optical_flow.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct FlowStageOptions {
  std::vector<std::string> names;                   // of the cameras, in the project's order
  std::vector<std::unique_ptr<OpticalFlow>> flows;  // by camera
  Device device = Device::cpu;
  std::unique_ptr<MemoryTransfer> transfer;  // brings the flows to the host
};

std::unique_ptr<Stage> make_flow_stage(FlowStageOptions options);

}  // namespace vantage
