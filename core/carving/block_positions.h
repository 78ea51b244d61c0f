// The positions of a block's voxels in a camera's picture.
//
// Positions are stored in steps of 1/256 px: a float between 2^15 and 2^16 has steps of just that, so 2^15 is
// added to a coordinate, and the last bits of the sum are the position. Within a block of 8x8x8 voxels a
// voxel's pixel is a very smooth function of its position, so a polynomial of degree 2 in x, y and z (10
// terms a coordinate), made once for each block and camera, gives it: 4 operations a voxel instead of the 40
// of a projection with its lens. It is fitted in double by least squares and compared with the projection in
// double. If it is off by more than kPositionError_px anywhere, as near a camera, where any voxel is behind
// it or beyond max_radius2, and in blocks that the grid's end cuts off, the block's voxels are projected one
// by one (project() in float). This is part of the definition of carving: the CPU, CUDA and slices evaluate
// the same terms by the same operations. Plain functions: .cu files include this header.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

inline constexpr int kBlockSide = 8;

// Maximum error of a position against the projection, per coordinate, its rounding included, at the 128 of
// 512 voxels that are tested; less than twice that at the others.
inline constexpr double kPositionError_px = 0.02;

// A coordinate + kPlaceOrigin_px, in the float's bits: from them on in steps of 1 / kPlaceSteps px.
inline constexpr float kPlaceOrigin_px = 32768.0f;
inline constexpr int kPlaceBits = 8, kPlaceSteps = 1 << kPlaceBits;
// Positions left of or above the picture, and NaN, are beyond every picture: pictures have at most 2^15
// pixels a side.
VANTAGE_HD uint32_t place_of(float with_origin) {
  constexpr uint32_t kOriginBits = __builtin_bit_cast(uint32_t, kPlaceOrigin_px);
  return __builtin_bit_cast(uint32_t, with_origin) - kOriginBits;
}
struct PixelPlace {
  uint32_t x, y;
  bool in_front;
};
// True if the 2x2 pixels of a bilinear sample are in the picture.
VANTAGE_HD bool support_inside(int width, int height, uint32_t x, uint32_t y) {
  return (x < static_cast<uint32_t>(width - 1) * kPlaceSteps) &
         (y < static_cast<uint32_t>(height - 1) * kPlaceSteps);
}

// Terms of one coordinate, in pixels, of x, y, z in voxels from the block's middle:
//   1 x x2  y xy  y2 | times z: 1 x y | z2
struct BlockPositions {
  static constexpr int kTerms = 10;
  float x_px[kTerms], y_px[kTerms];
};
// One coordinate along z, for one x and y, with its origin.
struct ColumnPositions {
  float one, z, z2;
};

VANTAGE_HD float offset_in_block(int voxel) {
  return static_cast<float>(voxel) - 0.5f * (kBlockSide - 1);
}

// Rounded once, on every device.
VANTAGE_HD float fused(float a, float b, float c) {
  return std::fma(a, b, c);
}

VANTAGE_HD ColumnPositions column_positions(const float* t, float x, float y) {
  const float y1 = fused(t[4], x, t[3]), y0 = fused(fused(t[2], x, t[1]), x, t[0]);
  return {fused(fused(t[5], y, y1), y, y0) + kPlaceOrigin_px, fused(t[8], y, fused(t[7], x, t[6])), t[9]};
}

VANTAGE_HD float position_at(const ColumnPositions& column, float z) {
  const float z2 = z * z;  // exact
  return fused(z, column.z, fused(column.z2, z2, column.one));
}

// One voxel, by its index within the block.
VANTAGE_HD PixelPlace place_in_block(const BlockPositions& block, int x, int y, int z) {
  const float dx = offset_in_block(x), dy = offset_in_block(y), dz = offset_in_block(z);
  return {place_of(position_at(column_positions(block.x_px, dx, dy), dz)),
          place_of(position_at(column_positions(block.y_px, dx, dy), dz)), true};
}

// True if polynomials are made for such a scene: they take 80 B for each block and camera, at most 256 MiB.
bool has_polynomials(const VoxelGrid& grid, size_t cameras);

// The polynomials of a block, by its index along each axis; nothing if too inaccurate.
std::optional<BlockPositions> fit_positions(const PinholeCamera<double>& camera, const VoxelGrid& grid,
                                            int block_x, int block_y, int block_z);

}  // namespace vantage
