// The CUDA implementation of core/carving/carving.h, for the registry.
//
// Per frame: ranges of the indicators' tiles, decisions for groups and blocks of voxels, the undecided blocks
// voxel by voxel, the shell (one thread a word of 32 voxels) with a count per thread block and their
// exclusive sums, and the IDs, written in ascending order. Which pixels a block reads is computed on the CPU
// when the carver is made, from the same projections, and uploaded once.
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
