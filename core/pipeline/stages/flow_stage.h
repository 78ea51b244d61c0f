// Optical flow of every camera from the frame before, where flow.enabled is on; with memory: the last picture
// with its expansion and the last flow, which the next one starts from. Switched off it remembers the last
// pictures alone, so that switching it on shows a flow at once.
//
// A camera without a picture, or with one of another size, starts again; one that shows the same frame of its
// own twice (it runs slower than the base) has no flow there, and the next spans both.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kFlowStageType;

}  // namespace vantage
