// The CUDA implementation of core/occupancy/occupancy_map.h, for the registry: all cameras and cells of an
// iteration in three kernels and two integral images (gpu/primitives). Sums over rectangles are added
// exactly, so the same masks always give the same bits.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_occupancy_map_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
