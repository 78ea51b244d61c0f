#include "core/display/scene_lines.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vantage {
namespace {

Eigen::Vector3d low_corner_m(const VoxelGrid& grid) {
  return Eigen::Vector3d(grid.origin_in_world_m);
}

Eigen::Vector3d high_corner_m(const VoxelGrid& grid) {
  return low_corner_m(grid) + grid.voxel_size_m * Eigen::Vector3d(grid.nx, grid.ny, grid.nz);
}

}  // namespace

MarkColor camera_rgb(int camera) {
  static constexpr std::array<MarkColor, 7> kColors = {{{0xe6, 0x9f, 0x00},
                                                        {0x00, 0x9e, 0x73},
                                                        {0x56, 0xb4, 0xe9},
                                                        {0xcc, 0x79, 0xa7},
                                                        {0xd5, 0x5e, 0x00},
                                                        {0xf0, 0xe4, 0x42},
                                                        {0x00, 0x72, 0xb2}}};
  return kColors[static_cast<size_t>(std::max(0, camera)) % kColors.size()];
}

FloorArea floor_area(const std::vector<Camera>& cameras, const VoxelGrid* grid) {
  Eigen::Vector2d low(1e9, 1e9), high(-1e9, -1e9);
  const auto take = [&](const Eigen::Vector3d& p) {
    low = low.cwiseMin(p.head<2>());
    high = high.cwiseMax(p.head<2>());
  };
  for (const Camera& camera : cameras) take(camera.center_in_world_m());
  if (grid) {
    take(low_corner_m(*grid));
    take(high_corner_m(*grid));
  }
  if (low.x() > high.x()) return {};
  const auto whole = [](double metres) { return static_cast<int>(std::clamp(metres, -200.0, 200.0)); };
  return {whole(std::floor(low.x())), whole(std::ceil(high.x())), whole(std::floor(low.y())),
          whole(std::ceil(high.y()))};
}

void frame_scene(const FloorArea& floor, const std::vector<Camera>& cameras, OrbitCamera* view) {
  double top_m = 2;
  for (const Camera& camera : cameras) top_m = std::max(top_m, camera.center_in_world_m().z());
  view->frame(Eigen::Vector3d(floor.low_x_m, floor.low_y_m, 0),
              Eigen::Vector3d(floor.high_x_m, floor.high_y_m, top_m));
}

FloorSegments floor_segments(const FloorArea& area) {
  // A little below the floor, so that the box's lower edges and the feet of the shell are drawn over it.
  constexpr double z = -0.01;
  FloorSegments lines;
  for (int x = area.low_x_m; x <= area.high_x_m; ++x)
    (x == 0 ? lines.axes : lines.metres)
        .emplace_back(Eigen::Vector3d(x, area.low_y_m, z), Eigen::Vector3d(x, area.high_y_m, z));
  for (int y = area.low_y_m; y <= area.high_y_m; ++y)
    (y == 0 ? lines.axes : lines.metres)
        .emplace_back(Eigen::Vector3d(area.low_x_m, y, z), Eigen::Vector3d(area.high_x_m, y, z));
  return lines;
}

double frustum_length_m(const FloorArea& area) {
  const double size_m = std::hypot(area.high_x_m - area.low_x_m, area.high_y_m - area.low_y_m);
  return std::clamp(size_m * 0.06, 0.15, 1.0);
}

std::vector<WorldSegment> frustum_segments(const Camera& camera, double length_m) {
  const Eigen::Vector3d eye = camera.center_in_world_m();
  const double w = camera.width_px() - 0.5, h = camera.height_px() - 0.5;
  const Eigen::Matrix3d world_from_cam = camera.rotation_cam_from_world().transpose();
  const PinholeCamera<double>& model = camera.model();
  std::vector<Eigen::Vector3d> corners;
  for (const auto& [x, y] : {std::pair(-0.5, -0.5), {w, -0.5}, {w, h}, {-0.5, h}}) {
    const Eigen::Vector3d in_cam((x - model.cx_px) / model.fx_px, (y - model.cy_px) / model.fy_px, 1);
    corners.push_back(eye + world_from_cam * in_cam * length_m);
  }
  std::vector<WorldSegment> segments;
  for (size_t i = 0; i < corners.size(); ++i) {
    segments.emplace_back(eye, corners[i]);
    segments.emplace_back(corners[i], corners[(i + 1) % corners.size()]);
  }
  // A small roof marks the picture's upper edge.
  const Eigen::Vector3d roof = (corners[0] + corners[1]) / 2 + (corners[0] - corners[3]) * 0.25;
  segments.emplace_back(corners[0] * 0.7 + corners[1] * 0.3, roof);
  segments.emplace_back(corners[0] * 0.3 + corners[1] * 0.7, roof);
  return segments;
}

std::vector<WorldSegment> box_segments(const VoxelGrid& grid) {
  const Eigen::Vector3d low = low_corner_m(grid), size = high_corner_m(grid) - low;
  const auto corner = [&](int i) {
    return Eigen::Vector3d(low + size.cwiseProduct(Eigen::Vector3d(i & 1, (i >> 1) & 1, (i >> 2) & 1)));
  };
  std::vector<WorldSegment> segments;
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if ((i & axis) == 0) segments.emplace_back(corner(i), corner(i | axis));
  return segments;
}

std::vector<FloorNumber> floor_numbers(const FloorArea& area) {
  const int step = std::max(1, (area.high_x_m - area.low_x_m + area.high_y_m - area.low_y_m) / 16);
  std::vector<FloorNumber> numbers;
  for (int x = area.low_x_m; x <= area.high_x_m; ++x)
    if (x % step == 0) numbers.push_back({x, true, x == area.high_x_m, {double(x), double(area.low_y_m), 0}});
  for (int y = area.low_y_m + 1; y <= area.high_y_m; ++y)
    if (y % step == 0)
      numbers.push_back({y, false, y == area.high_y_m, {double(area.high_x_m), double(y), 0}});
  return numbers;
}

}  // namespace vantage
