// The CUDA implementation of core/heads/heads.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_heads_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
