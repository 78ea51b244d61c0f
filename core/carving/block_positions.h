// Where the voxels of a block lie in a camera's picture.
//
// Within a block of 8x8x8 voxels the pixel that a voxel is projected to is a very smooth function of the
// voxel's place, so it is taken from a polynomial of degree 3 in x, y and z (20 terms a coordinate), made
// once for each block and camera: 12 operations a voxel instead of the 40 of a projection with its lens. It
// is fitted in double by least squares and held against the projection in double; where it is further away
// than kPositionError_px anywhere, as happens near a camera, where any voxel lies behind it or beyond
// max_radius2, and in blocks that the grid's end cuts off, the block's voxels are projected one by one
// (project() in float). This is part of the definition of carving: the CPU, CUDA and the cut evaluate the
// same terms by the same operations. Plain functions: .cu files include this header.
#pragma once

#include <cmath>
#include <optional>

#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

inline constexpr int kBlockSide = 8;

// How far a polynomial may lie from the projection, per coordinate, with the rounding of its evaluation, at
// the 128 of 512 voxels where that is tried; less than twice that at the others. On pictures of more than
// kExactSide_px a side in proportion, as float itself becomes coarser there.
inline constexpr double kPositionError_px = 4e-4;
inline constexpr int kExactSide_px = 2048;

// Terms of one coordinate, in pixels, of x, y, z in voxels from the block's middle:
//   1 x x2 x3  y xy x2y  y2 xy2  y3 | times z: 1 x x2  y xy  y2 | times z2: 1 x y | z3
struct BlockPositions {
  static constexpr int kTerms = 20;
  float x_px[kTerms], y_px[kTerms];
};
// One coordinate along z, for one x and y.
struct ColumnPositions {
  float one, z, z2, z3;
};

VANTAGE_HD float offset_in_block(int voxel) {
  return static_cast<float>(voxel) - 0.5f * (kBlockSide - 1);
}

// Rounded once, on every device.
VANTAGE_HD float fused(float a, float b, float c) {
  return std::fma(a, b, c);
}

VANTAGE_HD ColumnPositions column_positions(const float* t, float x, float y) {
  const float y2 = fused(t[9], y, fused(t[8], x, t[7])), y1 = fused(fused(t[6], x, t[5]), x, t[4]),
              y0 = fused(fused(fused(t[3], x, t[2]), x, t[1]), x, t[0]);
  const float zy1 = fused(t[15], y, fused(t[14], x, t[13])), zy0 = fused(fused(t[12], x, t[11]), x, t[10]);
  return {fused(fused(y2, y, y1), y, y0), fused(zy1, y, zy0), fused(t[18], y, fused(t[17], x, t[16])), t[19]};
}

VANTAGE_HD float position_at(const ColumnPositions& column, float z) {
  const float z2 = z * z;  // exact
  return fused(z, fused(column.z3, z2, column.z), fused(column.z2, z2, column.one));
}

// One voxel's, by its place within the block.
VANTAGE_HD Pixel<float> position_in_block(const BlockPositions& block, int x, int y, int z) {
  const float dx = offset_in_block(x), dy = offset_in_block(y), dz = offset_in_block(z);
  return {position_at(column_positions(block.x_px, dx, dy), dz),
          position_at(column_positions(block.y_px, dx, dy), dz), true};
}

// Whether the polynomials of such a scene are made at all: they take 160 B for each block and camera, at most
// 256 MiB.
bool has_polynomials(const VoxelGrid& grid, size_t cameras);

// The polynomials of a block, by its index along each axis; none where they do not hold.
std::optional<BlockPositions> fit_positions(const PinholeCamera<double>& camera, const VoxelGrid& grid,
                                            int block_x, int block_y, int block_z);

}  // namespace vantage
