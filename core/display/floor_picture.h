// A small picture that lies on a plane of the world (the floor, a cut through the volume), and how a camera
// sees that plane.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/carving/cut.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"
#include "core/people/occupancy/floor_map.h"
#include "core/tracks/counting/counting.h"

namespace vantage {

// A rectangle of equal cells; cell (0, 0) is at the corner. The cells of a row follow each other along
// u_axis, the rows along v_axis.
struct FloorPicture {
  Eigen::Vector3d corner_in_world_m = {0, 0, 0};
  Eigen::Vector3d u_axis = Eigen::Vector3d::UnitX(), v_axis = Eigen::Vector3d::UnitY();
  double cell_m = 0;
  int nx = 0, ny = 0;
  std::vector<uint8_t> rgba;  // row y of nx cells; alpha not multiplied in
  bool empty() const { return rgba.empty(); }
  Eigen::Vector2d size_m() const { return cell_m * Eigen::Vector2d(nx, ny); }
  Eigen::Vector3d u_edge_m() const { return cell_m * nx * u_axis; }
  Eigen::Vector3d v_edge_m() const { return cell_m * ny * v_axis; }
  bool same_place(const FloorPicture& other) const {
    return corner_in_world_m == other.corner_in_world_m && u_edge_m() == other.u_edge_m() &&
           v_edge_m() == other.v_edge_m();
  }
};

// Below, the floor stays clear.
inline constexpr double kClearBelow = 0.05;
// Opacity of what is drawn on the floor.
inline constexpr uint8_t kFloorAlpha = 190;
// Occupied height above a cell of the floor map, as a share of a standing person: 1 from 1.75 m on.
inline constexpr double kFullColumn_m = 1.75;

// Values from 0 to 1 in cividis, clear below kClearBelow; level, from the grid's corner with the smallest x
// and y.
FloorPicture cividis_picture(const VoxelGrid& grid, double height_m, const std::vector<float>& values);
// The floor map, at the floor. In host memory.
FloorPicture floor_map_picture(const FloorMap& map);

// A cut of the confidence volume, where it lies.
FloorPicture cut_picture(const VolumeCut& cut);

// A plane's rectangle as a camera sees it: triangles whose corners are projected exactly, with the lens;
// between them the picture is interpolated, perspective included. Triangles that reach behind the camera or
// beyond the lens model are left out.
struct PlaneVertex {
  float x_px, y_px;  // in the camera's picture
  float depth;       // z in the camera's axes, metres: divides in the interpolation
  float u, v;        // in the rectangle, 0 to 1
};
struct PlaneMesh {
  std::vector<PlaneVertex> vertices;
  std::vector<uint32_t> triangles;  // three indices each
};
PlaneMesh project_plane(const Camera& camera, const Eigen::Vector3d& corner_in_world_m,
                        const Eigen::Vector3d& u_edge_m, const Eigen::Vector3d& v_edge_m);

// How the floor was used, in colour: for laying over the floor, and as a plate with its key for looking at.

enum class FloorUseKind : uint8_t { trails, density, dwell, speed };
inline constexpr std::array<FloorUseKind, 4> kFloorUseKinds = {FloorUseKind::trails, FloorUseKind::density,
                                                               FloorUseKind::dwell, FloorUseKind::speed};
std::string_view floor_use_name(FloorUseKind kind);  // "density"

struct FloorUseMap {
  FloorCells cells;
  // Shares of `full` by cell, from 0 to 1; 0: no one was there, else at least kClearBelow, to be seen.
  std::vector<float> shares;
  double full = 0;    // the value that the brightest colour stands for; 1 % of the used cells have more
  std::string words;  // "people together 0 to 3.2 s"
};
FloorUseMap floor_use_map(const FloorUse& use, FloorUseKind kind);

// At the floor.
FloorPicture floor_use_picture(const FloorUseMap& map);

// u8, red, green, blue: cells as squares of several pixels, y upwards, on dark grey with a line every metre;
// below them the colours from 0 to `full`. Errors: out_of_memory.
Result<Image> floor_use_plate(const FloorUseMap& map);

}  // namespace vantage
