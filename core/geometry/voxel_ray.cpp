#include "core/geometry/voxel_ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vantage {

// Steps from face to face, as J. Amanatides and A. Woo, "A fast voxel traversal algorithm for ray tracing",
// 1987.
std::vector<std::array<int, 3>> voxels_on_ray(const VoxelGrid& grid, const Ray& ray) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const std::array<int, 3> counts = {grid.nx, grid.ny, grid.nz};
  double enter = 0, leave = kNever;
  for (int axis = 0; axis < 3; ++axis) {
    const double from = grid.origin_in_world_m[axis], to = from + counts[axis] * grid.voxel_size_m;
    const double start = ray.origin_in_world_m[axis], step = ray.direction_in_world[axis];
    if (step == 0 && (start < from || start >= to)) return {};
    if (step == 0) continue;
    const double at_low = (from - start) / step, at_high = (to - start) / step;
    enter = std::max(enter, std::min(at_low, at_high)), leave = std::min(leave, std::max(at_low, at_high));
  }
  if (!(enter < leave)) return {};
  std::array<int, 3> at{}, towards{};
  std::array<double, 3> next{}, per_voxel{};  // of the way: to the next face, and from face to face
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<Eigen::Index>(axis);
    const double from = grid.origin_in_world_m[axis], step = ray.direction_in_world[i];
    const double start = ray.origin_in_world_m[i] + enter * step;
    at[axis] =
        std::clamp(static_cast<int>(std::floor((start - from) / grid.voxel_size_m)), 0, counts[axis] - 1);
    towards[axis] = step > 0 ? 1 : -1;
    const double face = from + (at[axis] + (step > 0 ? 1 : 0)) * grid.voxel_size_m;
    next[axis] = step == 0 ? kNever : (face - ray.origin_in_world_m[i]) / step;
    per_voxel[axis] = step == 0 ? kNever : grid.voxel_size_m / std::abs(step);
  }
  std::vector<std::array<int, 3>> voxels;
  for (;;) {
    voxels.push_back(at);
    const auto axis = static_cast<size_t>(std::min_element(next.begin(), next.end()) - next.begin());
    at[axis] += towards[axis];
    next[axis] += per_voxel[axis];
    if (at[axis] < 0 || at[axis] >= counts[axis]) return voxels;
  }
}

}  // namespace vantage
