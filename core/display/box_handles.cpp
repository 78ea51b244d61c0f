#include "core/display/box_handles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geometry/ray_axis.h"

namespace vantage {
namespace {

// The own axis along which a handle is dragged; 3: none.
int axis_of(BoxHandle handle) {
  switch (handle) {
    case BoxHandle::low_x:
    case BoxHandle::high_x:
      return 0;
    case BoxHandle::low_y:
    case BoxHandle::high_y:
      return 1;
    case BoxHandle::top:
    case BoxHandle::lift:
      return 2;
    case BoxHandle::move:
    case BoxHandle::turn:
      break;
  }
  return 3;
}

// Moves the side at sign * size / 2 by a distance along an own axis; of the third, the upper face.
UprightBox with_moved_side(const UprightBox& box, int axis, double sign, double by_m) {
  UprightBox next = box;
  next.size_m[axis] = std::max(kSmallestBox_m, box.size_m[axis] + sign * by_m);
  if (axis == 2) return next;
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  shift[axis] = sign * (next.size_m[axis] - box.size_m[axis]) / 2;
  next.base_in_world_m = box.to_world_m(shift);
  return next;
}

std::optional<UprightBox> dragged_along_axis(const UprightBox& box, BoxHandle handle, const Ray& from,
                                             const Ray& to) {
  const Eigen::Vector3d foot = handle_in_world_m(box, handle), axis = handle_axis(box, handle).value();
  const auto before = nearest_on_axis(foot, axis, from), after = nearest_on_axis(foot, axis, to);
  if (!before || !after) return std::nullopt;
  const double by_m = *after - *before;
  if (handle != BoxHandle::lift) {
    const bool low = handle == BoxHandle::low_x || handle == BoxHandle::low_y;
    return with_moved_side(box, axis_of(handle), low ? -1 : 1, by_m);
  }
  UprightBox next = box;
  next.base_in_world_m.z() += by_m;
  return next;
}

std::optional<UprightBox> dragged_over_plane(const UprightBox& box, BoxHandle handle, const Ray& from,
                                             const Ray& to) {
  const auto before = intersect_horizontal_plane(from, box.base_in_world_m.z());
  const auto after = intersect_horizontal_plane(to, box.base_in_world_m.z());
  if (!before || !after) return std::nullopt;
  UprightBox next = box;
  if (handle == BoxHandle::move) {
    next.base_in_world_m += *after - *before;
    return next;
  }
  const Eigen::Vector3d a = box.to_own_m(*before), b = box.to_own_m(*after);
  const double turn = std::atan2(b.y(), b.x()) - std::atan2(a.y(), a.x());
  next.turn_degrees = std::remainder(box.turn_degrees + turn * 180 / std::numbers::pi, 360.0);
  return next;
}

}  // namespace

Eigen::Vector3d handle_in_world_m(const UprightBox& box, BoxHandle handle) {
  constexpr double kMinOff_m = 0.15;  // of handles next to the box
  const Eigen::Vector3d half = box.size_m / 2;
  switch (handle) {
    case BoxHandle::move:
      return box.base_in_world_m;
    case BoxHandle::turn:
      return box.to_world_m({half.x() + std::max(kMinOff_m, half.x() / 2), 0, 0});
    case BoxHandle::low_x:
      return box.to_world_m({-half.x(), 0, 0});
    case BoxHandle::high_x:
      return box.to_world_m({half.x(), 0, 0});
    case BoxHandle::low_y:
      return box.to_world_m({0, -half.y(), 0});
    case BoxHandle::high_y:
      return box.to_world_m({0, half.y(), 0});
    case BoxHandle::top:
      return box.to_world_m({0, 0, box.size_m.z()});
    case BoxHandle::lift:
      break;
  }
  return box.to_world_m({0, 0, box.size_m.z() + std::max(kMinOff_m, half.z() / 2)});
}

std::optional<Eigen::Vector3d> handle_axis(const UprightBox& box, BoxHandle handle) {
  const int axis = axis_of(handle);
  if (axis > 2) return std::nullopt;
  return box.to_world_m(Eigen::Vector3d::Unit(axis)) - box.base_in_world_m;
}

std::optional<UprightBox> dragged(const UprightBox& box, BoxHandle handle, const Ray& from, const Ray& to) {
  return axis_of(handle) > 2 ? dragged_over_plane(box, handle, from, to)
                             : dragged_along_axis(box, handle, from, to);
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
