#include "core/display/box_handles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vantage {
namespace {

// The point of the vertical through `foot` nearest to a ray, as its height.
std::optional<double> height_on_vertical(const Eigen::Vector3d& foot, const Ray& ray) {
  const Eigen::Vector3d& d = ray.direction_in_world;
  const double across = 1 - d.z() * d.z();  // of two unit vectors
  if (across < 1e-6) return std::nullopt;
  const Eigen::Vector3d w = ray.origin_in_world_m - foot;
  return (w.z() - d.z() * w.dot(d)) / across;
}

int axis_of(BoxHandle handle) {
  return handle == BoxHandle::low_x || handle == BoxHandle::high_x ? 0 : 1;
}

// Moves the side at sign * size / 2 by a distance along an own axis.
UprightBox with_moved_side(const UprightBox& box, int axis, double sign, double by_m) {
  UprightBox next = box;
  next.size_m[axis] = std::max(kSmallestBox_m, box.size_m[axis] + sign * by_m);
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  shift[axis] = sign * (next.size_m[axis] - box.size_m[axis]) / 2;
  next.base_in_world_m = box.to_world_m(shift);
  return next;
}

}  // namespace

Eigen::Vector3d handle_in_world_m(const UprightBox& box, BoxHandle handle) {
  const Eigen::Vector3d half = box.size_m / 2;
  switch (handle) {
    case BoxHandle::move:
      return box.base_in_world_m;
    case BoxHandle::turn:
      return box.to_world_m({half.x() + std::max(0.15, half.x() / 2), 0, 0});
    case BoxHandle::low_x:
      return box.to_world_m({-half.x(), 0, 0});
    case BoxHandle::high_x:
      return box.to_world_m({half.x(), 0, 0});
    case BoxHandle::low_y:
      return box.to_world_m({0, -half.y(), 0});
    case BoxHandle::high_y:
      return box.to_world_m({0, half.y(), 0});
    case BoxHandle::top:
      break;
  }
  return box.to_world_m({0, 0, box.size_m.z()});
}

std::optional<UprightBox> dragged(const UprightBox& box, BoxHandle handle, const Ray& from, const Ray& to) {
  UprightBox next = box;
  if (handle == BoxHandle::top) {
    const auto before = height_on_vertical(box.base_in_world_m, from);
    const auto after = height_on_vertical(box.base_in_world_m, to);
    if (!before || !after) return std::nullopt;
    next.size_m.z() = std::max(kSmallestBox_m, box.size_m.z() + *after - *before);
    return next;
  }
  const auto before = intersect_horizontal_plane(from, box.base_in_world_m.z());
  const auto after = intersect_horizontal_plane(to, box.base_in_world_m.z());
  if (!before || !after) return std::nullopt;
  if (handle == BoxHandle::move) {
    next.base_in_world_m += *after - *before;
    return next;
  }
  const Eigen::Vector3d a = box.to_own_m(*before), b = box.to_own_m(*after);
  if (handle == BoxHandle::turn) {
    const double turn = std::atan2(b.y(), b.x()) - std::atan2(a.y(), a.x());
    next.turn_degrees = std::remainder(box.turn_degrees + turn * 180 / std::numbers::pi, 360.0);
    return next;
  }
  const int axis = axis_of(handle);
  const bool high = handle == BoxHandle::high_x || handle == BoxHandle::high_y;
  return with_moved_side(box, axis, high ? 1 : -1, b[axis] - a[axis]);
}

UprightBox box_of_grid(const VoxelGrid& grid) {
  UprightBox box;
  box.size_m = grid.voxel_size_m * Eigen::Vector3d(grid.nx, grid.ny, grid.nz);
  box.base_in_world_m =
      Eigen::Vector3d(grid.origin_in_world_m) + Eigen::Vector3d(box.size_m.x() / 2, box.size_m.y() / 2, 0);
  return box;
}

VoxelGrid grid_of_box(const UprightBox& box, double voxel_size_m) {
  VoxelGrid grid;
  grid.voxel_size_m = voxel_size_m;
  int* const counts[3] = {&grid.nx, &grid.ny, &grid.nz};
  for (int axis = 0; axis < 3; ++axis) {
    *counts[axis] = std::max(1, static_cast<int>(std::lround(box.size_m[axis] / voxel_size_m)));
    const double low = axis == 2 ? box.base_in_world_m.z() : box.base_in_world_m[axis] - box.size_m[axis] / 2;
    grid.origin_in_world_m[axis] = low;
  }
  return grid;
}

}  // namespace vantage
