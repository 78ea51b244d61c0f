// The CUDA implementation of core/carving/carving.h, for the registry.
//
// Per frame, as one graph of kernels that come beside one another: ranges of the indicators' tiles and
// squares of their pixels (ranges.cuh, squares.cuh), decisions for blocks of voxels (decide.cuh), the
// undecided blocks voxel by voxel (carve.cuh), the shell's bits and how many there are (shell.cuh). Which
// pixels a block reads is computed on the CPU when the carver is made, from the same projections, and
// uploaded once. What takes time is waiting for memory, one read after the other, and how many lines a read
// of the cache touches, not moving bytes: every thread has all its reads under way at once, and a sample is
// one read.
//
// Nobody waits for a frame. The counts arrive in pinned memory. The shell's IDs are written when somebody
// asks for them: how many there are decides how much memory they need, and no useful bound is known
// beforehand, as almost every voxel may be shell. Until then a volume keeps the shell as bits.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_carving_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
