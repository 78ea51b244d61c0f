// The CUDA implementation of core/tracking/mask_samples.h, for the registry: a warp votes on 32 samples, one
// launch for up to 16 cameras, and one copy of some 5 KB a camera to the host.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_mask_sampler_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
