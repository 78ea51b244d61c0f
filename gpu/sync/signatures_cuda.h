// The CUDA implementation of core/sync/signatures.h, for the registry: one block a camera pair, one warp a
// line; a frame of all cameras is one launch.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_signatures_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
