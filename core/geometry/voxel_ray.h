// The voxels of a grid that a ray passes through, from its start on.
#pragma once

#include <array>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

// x, y, z of each voxel, in the order in which the ray enters them; each shares a face with the one before.
// Empty: the ray misses the grid.
std::vector<std::array<int, 3>> voxels_on_ray(const VoxelGrid& grid, const Ray& ray);

}  // namespace vantage
