// An axis-aligned box of cubic voxels in the world. Plain data: .cu files include this header.
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"

namespace vantage {

struct VoxelGrid {
  double origin_in_world_m[3] = {0, 0, 0};  // the corner with the smallest x, y, z
  double voxel_size_m = 0.02;
  int nx = 0, ny = 0, nz = 0;

  VANTAGE_HD int64_t count() const { return int64_t(nx) * ny * nz; }
  // x runs fastest: id = x + nx * (y + ny * z).
  VANTAGE_HD int64_t linear_id(int x, int y, int z) const { return x + int64_t(nx) * (y + int64_t(ny) * z); }
  VANTAGE_HD double center(int axis, int index) const {
    return origin_in_world_m[axis] + (index + 0.5) * voxel_size_m;
  }
  // Cubic metres times 1000.
  double liters(int64_t voxels) const {
    return double(voxels) * voxel_size_m * voxel_size_m * voxel_size_m * 1000.0;
  }
};

}  // namespace vantage
