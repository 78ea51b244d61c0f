// The CUDA implementation of core/features/daisy.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_daisy_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
