// The CUDA implementation of core/foreground/foreground.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_foreground_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
