// The arithmetic of one voxel, shared by the CPU and the CUDA carver. Places in a picture are whole numbers
// of 1/256 px (block_positions.h), so everything after them is integers and exact:
//
//   s_c = bilinear indicator of camera c, in 1/65536 of a grey level (0..255), 0 where not seen
//   sum = s_0 + s_1 + ... + s_(C-1): a full indicator adds exactly 255 * 65536
//   k = number of cameras that see the voxel
//   occupied = sum >= rules[k].limit, confidence = sum / rules[k].full
//
// with the rules of vote_threshold.h. A sum of 64 cameras fits 31 bits. A full vote of all that count gives
// confidence = 1 exactly. Against a sample at the very place of the projection, the position's rounding is
// the only error. Plain functions: .cu files include this header.
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

// How votes are held: in these steps of a grey level.
inline constexpr int kLevelBits = 2 * kPlaceBits;

// The weights of a left and a right pixel, or of an upper and a lower one, at a position between them.
struct LinearWeights {
  int32_t first, second;
};
VANTAGE_HD LinearWeights linear_weights(uint32_t place) {
  const auto fraction = static_cast<int32_t>(place % kPlaceSteps);
  return {kPlaceSteps - fraction, fraction};
}

// Never beyond its pixels, and just their level where they are equal.
VANTAGE_HD int32_t bilinear(int32_t top_left, int32_t top_right, int32_t bottom_left, int32_t bottom_right,
                            uint32_t x, uint32_t y) {
  const LinearWeights across = linear_weights(x), down = linear_weights(y);
  const int32_t top = across.first * top_left + across.second * top_right;
  const int32_t bottom = across.first * bottom_left + across.second * bottom_right;
  return down.first * top + down.second * bottom;
}

VANTAGE_HD PixelPlace place_of(const Pixel<float>& pixel) {
  return {place_of(pixel.x + kPlaceOrigin_px), place_of(pixel.y + kPlaceOrigin_px), pixel.in_front};
}

// The position of a voxel in a camera's picture. `block`: the polynomials of its block, null where there are
// none.
VANTAGE_HD PixelPlace voxel_place(const PinholeCamera<float>& camera, const VoxelGrid& grid,
                                  const BlockPositions* block, int x, int y, int z) {
  if (block) return place_in_block(*block, x % kBlockSide, y % kBlockSide, z % kBlockSide);
  return place_of(project(camera, voxel_center_f32(grid, 0, x), voxel_center_f32(grid, 1, y),
                          voxel_center_f32(grid, 2, z)));
}

// One camera's vote for a voxel.
struct Vote {
  int32_t level = 0;  // 0 to 255 << kLevelBits; 0 where not seen
  bool seen = false;
};

VANTAGE_HD Vote vote_at(const ImageView<const uint8_t>& indicator, const PixelPlace& place) {
  if (!place.in_front || !support_inside(indicator.width, indicator.height, place.x, place.y)) return {};
  const auto x = static_cast<int>(place.x >> kPlaceBits), y = static_cast<int>(place.y >> kPlaceBits);
  const uint8_t* top = indicator.row(y) + x;
  const uint8_t* bottom = indicator.row(y + 1) + x;
  return {bilinear(top[0], top[1], bottom[0], bottom[1], place.x, place.y), true};
}

}  // namespace vantage
