// The CUDA implementation of core/tracking/association.h, for the registry: a warp a track that has none yet.
// Weights are computed where they are asked for, never stored; warps need not run at the same time, and no
// order of theirs changes the result.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_track_association_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
