// The memory layout and the parameters that the kernels of the CUDA carver share.
//
// Parameters are read from constant memory and nothing has to be uploaded; a launch costs more the larger
// they are, so kernels are made twice: for up to kFewCameras and for up to kMaxCarvingCameras cameras.
// Occupancy is held in words of 32 voxels along x: four blocks. The kernels of a frame are launched
// concurrently with one another (gpu/runtime/dependent_launch.cuh).
#pragma once

#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/carving/range_pyramid.h"
#include "gpu/carving/vote.cuh"
#include "gpu/runtime/dependent_launch.cuh"

namespace vantage::gpu {

constexpr int kCarvingThreads = 256;
constexpr int kBlocksPerWord = 4;
constexpr int kFewCameras = 8;
static_assert(kBlockSide == 8);

// A row along x starts on a new word, and bits beyond nx are 0. A grid has fewer than 2^31 voxels, so words
// and IDs fit 32 bits.
struct CarvingGrid {
  uint32_t nx, ny, nz;
  uint32_t words_per_row;
  uint32_t words;            // words_per_row * ny * nz
  uint32_t occupied_stride;  // words from one row of the occupancy to the next
  BlockGrid blocks;

  __device__ uint32_t row_at(uint32_t y, uint32_t z) const { return y + ny * z; }
};

// A block of the grid. Dividing its index by the grid's sides would cost more than reading them.
struct alignas(16) BlockIndex {
  uint32_t block, x, y, z;
};

// Counters over a frame.
struct CarvingCounters {
  // Voxels: a grid has fewer than 2^31. Above them how many thread blocks of find_shell have added theirs.
  unsigned long long occupied, shell;
  uint32_t undecided;  // blocks
};
// The totals that the host gets.
struct CarvingTotals {
  uint32_t occupied, shell;  // voxels
};

// The scene that decide_blocks and carve_blocks share.
struct CarvingScene {
  CarvingGrid grid;
  int cameras;
  bool skip;             // whether decided blocks are left out
  int32_t lowest_limit;  // of all rules
  uint64_t present;      // bit c: camera c has an indicator in this frame
  VoteRule rules[kMaxCarvingCameras + 1];
  const BlockView* block_views;  // [block * cameras + camera]
  const float4* positions;       // BlockPositions [block * cameras + camera]; null where there are none
  const float *x_m, *y_m, *z_m;  // voxel centres, padded to whole blocks
  ImageView<float> confidence;   // without data: not kept
  uint32_t* occupied;
  BlockIndex* undecided;   // in no order
  uint16_t* block_ranges;  // [block * cameras + camera], of the undecided
  CarvingCounters* counters;
};

__device__ inline BlockView load_view(const BlockView* from) {
  static_assert(sizeof(BlockView) == sizeof(uint2));
  const uint2 words = __ldg(reinterpret_cast<const uint2*>(from));
  return {static_cast<uint16_t>(words.x), static_cast<uint16_t>(words.x >> 16),
          static_cast<uint16_t>(words.y), static_cast<uint16_t>(words.y >> 16)};
}

}  // namespace vantage::gpu
