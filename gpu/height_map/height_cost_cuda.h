// The CUDA implementation of core/height_map/cost.h, for the registry: one warp a pixel, its lanes the
// heights. The costs are the CPU's, bit for bit.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_height_cost_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
