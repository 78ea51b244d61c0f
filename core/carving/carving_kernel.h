// The inner loop of the CPU carver, compiled once per instruction set and chosen at run time. All give the
// same bits: they do the operations of sample.h in the same order.
#pragma once

#include <cstdint>

#include "core/carving/rule.h"
#include "core/geometry/projection.h"

namespace vantage::carving {

inline constexpr int kBlock = 64;  // voxels along x in one call; one word of occupancy

// An indicator prepared for one read per sample: quads[x + y * pitch] holds the 2x2 support of (x, y), top
// left in the lowest byte, then top right, bottom left, bottom right; for x < width - 1 and y < height - 1.
struct QuadImage {
  const uint32_t* quads = nullptr;  // null: no indicator, every sample is 0
  int pitch = 0;
  int width = 0, height = 0;
};

struct VoxelBlock {
  const float* x_in_world_m;  // kBlock centres; those beyond the grid's end are computed and left out
  float y_in_world_m, z_in_world_m;
};

// Fills one row of quads from two rows of the indicator, `width` samples each.
void make_quads(const uint8_t* top, const uint8_t* bottom, int width, uint32_t* quads);

// sums[i] += the camera's vote for voxel i, 0 to 255; ++seeing[i] where it sees it. Returns the largest sum.
float add_votes(const PinholeCamera<float>& camera, const QuadImage& indicator, const VoxelBlock& block,
                float* sums, int32_t* seeing);

// Bit i is set where sums[i] reaches the limit of the rule for seeing[i].
uint64_t compare_sums(const float* sums, const int32_t* seeing, const VoteRule* rules);

}  // namespace vantage::carving
