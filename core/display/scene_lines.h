// Lines of the room in the 3-D scene: floor grid, camera pyramids, the box that is carved; plain geometry and
// colours that the window's view and figures share.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "core/display/marked_view.h"
#include "core/display/orbit_camera.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

inline constexpr MarkColor kSceneGround = {0x1e, 0x1e, 0x1e}, kSceneMetre = {0x3a, 0x3d, 0x40},
                           kSceneAxis = {0x6a, 0x6e, 0x72}, kSceneBox = {0xb8, 0xba, 0xbd},
                           kSceneText = {0x9a, 0x9d, 0xa1};
inline constexpr double kFrustumLine_px = 2;
// The colour of a camera, by number; the colours repeat.
MarkColor camera_rgb(int camera);

struct FloorArea {
  int low_x_m = -3, high_x_m = 3, low_y_m = -3, high_y_m = 3;
};
// The whole metres that hold every camera's foot and the grid.
FloorArea floor_area(const std::vector<Camera>& cameras, const VoxelGrid* grid);
// All of the floor and the cameras in view.
void frame_scene(const FloorArea& floor, const std::vector<Camera>& cameras, OrbitCamera* view);

using WorldSegment = std::pair<Eigen::Vector3d, Eigen::Vector3d>;  // metres
struct FloorSegments {
  std::vector<WorldSegment> metres, axes;  // a line each metre; the world's axes among them
};
FloorSegments floor_segments(const FloorArea& area);
// A pyramid of that length from the camera's centre through the picture's corners, with a roof at its upper
// edge.
std::vector<WorldSegment> frustum_segments(const Camera& camera, double length_m);
double frustum_length_m(const FloorArea& area);
std::vector<WorldSegment> box_segments(const VoxelGrid& grid);

// Numbers of metres along two edges of the floor, as many as fit.
struct FloorNumber {
  int metre = 0;
  bool of_x = true;   // else of y
  bool last = false;  // also names its axis and the unit
  Eigen::Vector3d position_in_world_m = {0, 0, 0};
};
std::vector<FloorNumber> floor_numbers(const FloorArea& area);

}  // namespace vantage
