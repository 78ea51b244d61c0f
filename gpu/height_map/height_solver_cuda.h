// The CUDA implementation of core/height_map/height_map.h, for the registry: one thread a pixel. Messages at
// rest are 32 or 16 bits wide, sums are always float; with 32 bits the labels are the CPU's, bit for bit.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_height_solver_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
