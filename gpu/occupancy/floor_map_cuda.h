// The CUDA implementation of core/occupancy/floor_map.h, for the registry: one thread a cell, 32 cells
// reading one word of each layer.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_floor_map_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
