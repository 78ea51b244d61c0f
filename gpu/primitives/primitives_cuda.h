// Registers the CUDA implementations of core/primitives. Code that has its data on the device calls
// integral_image.cuh and nms.cuh instead.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_primitives_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
