// The inner loops of the CPU carver, compiled once per instruction set and chosen at run time. All give the
// same bits: they do the operations of sample.h in the same order.
#pragma once

#include <cstdint>

#include "core/carving/block_table.h"
#include "core/carving/voxel_votes.h"
#include "core/geometry/projection.h"
#include "core/image/image_view.h"

namespace vantage::carving {

// Voxels of one block; voxel (x, y, z) of it is lane x + 8 y + 64 z.
inline constexpr int kLanes = kBlockSide * kBlockSide * kBlockSide;
inline constexpr int kRowsPerBlock = kBlockSide * kBlockSide;

// The positions of a block's voxels: kBlockSide centres along each axis. Those beyond the grid's end repeat
// its last.
struct VoxelBlock {
  const float *x_in_world_m, *y_in_world_m, *z_in_world_m;
};
VoxelBlock voxels_of(int block, const BlockGrid& blocks, const VoxelCenters& centers);

// How a camera sees a block.
struct BlockCamera {
  const PinholeCamera<float>& camera;
  const BlockPositions* positions;  // null: its voxels are projected one by one
};

// The part of a camera's picture that a block's samples read.
BlockView see_block(const BlockCamera& camera, const VoxelBlock& block);

// sums[i] += the camera's vote for voxel i (sample.h). With `seeing`, ++seeing[i] where the camera sees voxel
// i; without, the caller knows that it sees all. Returns the largest sum. The indicator has at least 2x2
// pixels.
int32_t add_votes(const BlockCamera& camera, const ImageView<const uint8_t>& indicator,
                  const VoxelBlock& block, int32_t* sums, int32_t* seeing);
void add_vote(int32_t vote, int32_t* sums);

// Bit x of rows[y + 8 z] is set where the voxel's sum reaches the limit of the rule for seeing[i]; for 0
// without `seeing`.
void compare_sums(const int32_t* sums, const int32_t* seeing, const VoteRule* rules, uint8_t* rows);

// The ranges of 4x4 pixels, low in the low byte, of four rows of `width` pixels: (width + 3) / 4 tiles, the
// last of which may be cut off. Rows may repeat.
void tile_ranges(const uint8_t* const rows[4], int width, uint16_t* tiles);

}  // namespace vantage::carving
