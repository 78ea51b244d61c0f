// Grasping an upright box in a view: where its handles are and what dragging one does. The views only say
// which ray the pointer stands for.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/upright_box.h"

namespace vantage {

enum class BoxHandle { move, turn, low_x, high_x, low_y, high_y, top, lift };
inline constexpr std::array<BoxHandle, 8> kBoxHandles = {
    BoxHandle::move,  BoxHandle::turn,   BoxHandle::low_x, BoxHandle::high_x,
    BoxHandle::low_y, BoxHandle::high_y, BoxHandle::top,   BoxHandle::lift};

// move: middle of the lower face; turn: in front of it, in its plane; top: middle of the upper face; lift:
// above that; the others: middles of the lower edges.
Eigen::Vector3d handle_in_world_m(const UprightBox& box, BoxHandle handle);

// The direction in which a handle is dragged, of unit length; nothing where it is dragged over the plane of
// the lower face.
std::optional<Eigen::Vector3d> handle_axis(const UprightBox& box, BoxHandle handle);

// The box after a handle was dragged from one ray to another: move and turn over the plane of the lower face,
// the others along their axis, to where the ray passes nearest. The side opposite a handle stays where it is;
// no side gets shorter than kSmallestBox_m. No box where a ray runs along the axis or the plane, or meets it
// behind the eye.
std::optional<UprightBox> dragged(const UprightBox& box, BoxHandle handle, const Ray& from, const Ray& to);

// The analysed region as a box of whole voxels, and the grid for a changed box: the voxels keep their size.
UprightBox box_of_grid(const VoxelGrid& grid);
VoxelGrid grid_of_box(const UprightBox& box, double voxel_size_m);

}  // namespace vantage
