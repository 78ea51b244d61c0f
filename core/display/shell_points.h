// The shell's voxels as points, and how they are drawn: as small shaded balls, coloured by height or by the
// person who stands there. The window draws them with OpenGL (ui/views/shell_prop.h), figures by
// depth_picture.h.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/display/display_surface.h"
#include "core/display/marked_view.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/picture.h"

namespace vantage {

// Points of voxels by their number in the grid. `confidence` as carving.h has it, in host memory; else 1
// everywhere.
std::vector<ShellPoint> shell_points(const VoxelGrid& grid, std::span<const uint32_t> ids,
                                     const Image& confidence);

// Height that gets viridis' last colour; the first is at the floor.
inline constexpr double kShellFullHeight_m = 2.0;
// Points so near to a person get their colour, the others grey.
inline constexpr double kShellPersonReach_m = 0.5;
inline constexpr MarkColor kShellNobody = {140, 140, 140}, kShellUnknown = {0xb0, 0xb3, 0xb6};
// Diameter of a ball by a voxel's size: neighbours overlap a little, so that a surface looks closed.
inline constexpr double kShellBallSize = 1.6;

struct ShellPerson {
  double x_m = 0, y_m = 0;
  MarkColor color = kShellUnknown;
};
MarkColor shell_color_by_height(double height_m);
MarkColor shell_color_by_person(double x_m, double y_m, std::span<const ShellPerson> people);

// The light on a ball, lit from the upper left, at a place of its disc: from -1 to 1, right and down.
double ball_light(double x, double y);

}  // namespace vantage
