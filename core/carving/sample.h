// The arithmetic of one voxel, shared by the CPU and the CUDA carver: same operations, same order, in float.
// Plain functions: .cu files include this header.
//
// Samples are summed in grey levels (0..255, so that a full indicator adds exactly 255):
//
//   sum = s_0 + s_1 + ... + s_(C-1), in camera order,   s_c = bilinear indicator of camera c, 0 where not
//   seen k = number of cameras that see the voxel occupied = sum >= rules[k].limit, confidence = sum /
//   rules[k].full
//
// with the rules of rule.h; where a voxel lies in a picture is said by block_positions.h. A full vote of all
// that count gives confidence = 1 exactly.
#pragma once

#include <cstdint>

#include "core/carving/block_positions.h"
#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"

namespace vantage {

// Voxel centres are rounded once, from double.
VANTAGE_HD float voxel_center_f32(const VoxelGrid& grid, int axis, int index) {
  return static_cast<float>(grid.center(axis, index));
}

// Lerp form: four equal samples give exactly that value.
VANTAGE_HD float bilinear(float top_left, float top_right, float bottom_left, float bottom_right,
                          float fraction_x, float fraction_y) {
  const float top = fused(fraction_x, top_right - top_left, top_left);
  const float bottom = fused(fraction_x, bottom_right - bottom_left, bottom_left);
  return fused(fraction_y, bottom - top, top);
}

// Where a voxel lies in a camera's picture. `block`: the polynomials of its block, null where there are none.
VANTAGE_HD Pixel<float> voxel_pixel(const PinholeCamera<float>& camera, const VoxelGrid& grid,
                                    const BlockPositions* block, int x, int y, int z) {
  if (block) return position_in_block(*block, x % kBlockSide, y % kBlockSide, z % kBlockSide);
  return project(camera, voxel_center_f32(grid, 0, x), voxel_center_f32(grid, 1, y),
                 voxel_center_f32(grid, 2, z));
}

// One camera's vote for a voxel.
struct Vote {
  float level = 0.0f;  // 0 to 255; 0 where not seen
  bool seen = false;
};

VANTAGE_HD Vote vote_at(const ImageView<const uint8_t>& indicator, const Pixel<float>& pixel) {
  if (!pixel.in_front || !support_inside(indicator.width, indicator.height, pixel.x, pixel.y)) return {};
  const int x = static_cast<int>(pixel.x), y = static_cast<int>(pixel.y);
  const uint8_t* top = indicator.row(y) + x;
  const uint8_t* bottom = indicator.row(y + 1) + x;
  return {bilinear(top[0], top[1], bottom[0], bottom[1], pixel.x - static_cast<float>(x),
                   pixel.y - static_cast<float>(y)),
          true};
}

}  // namespace vantage
