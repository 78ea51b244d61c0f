// The CUDA implementation of core/carving/carving.h, for the registry.
//
// Three passes over 32-bit words of voxels along x: occupancy (one warp a word, a ballot), shell (one thread
// a word, from the word and its neighbours) with a count per block and a scan over the blocks, and the IDs,
// written in ascending order.
//
// The number of shell IDs decides how much memory they need, and no useful bound is known beforehand: almost
// every voxel may be shell. So carve() waits for the count, 16 bytes, before it takes exactly as much memory
// and enqueues the last pass. The wait is on the caller's thread; the submission thread goes on with the
// other streams' work. A guess from the frame before would save the wait, but could not be repaired once the
// volume is handed on, and the worst case would cost 4 bytes a voxel for every frame that is kept.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_carving_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
