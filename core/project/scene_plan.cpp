#include "core/project/scene_plan.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/project/project.h"

namespace vantage {
namespace {

constexpr double kMinSeen_m = 5;
constexpr int kBorderSteps = 8;  // per side of the picture
constexpr double kTilted = 0.1;  // sine of the maximum tilt of a horizontal axis

// Pixels along the border of the picture, in order.
std::vector<Eigen::Vector2d> border_px(const Camera& camera) {
  const double right = camera.width_px() - 1, bottom = camera.height_px() - 1;
  const Eigen::Vector2d corners[] = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
  std::vector<Eigen::Vector2d> border;
  for (int side = 0; side < 4; ++side)
    for (int step = 0; step < kBorderSteps; ++step) {
      const double share = static_cast<double>(step) / kBorderSteps;
      border.push_back((1 - share) * corners[side] + share * corners[(side + 1) % 4]);
    }
  return border;
}

// Rays that meet the floor farther away, or never, end at that distance.
std::vector<Eigen::Vector2d> seen_floor(const Camera& camera, double far_m) {
  std::vector<Eigen::Vector2d> area;
  const Eigen::Vector2d from = camera.center_in_world_m().head<2>();
  bool meets = false;
  for (const Eigen::Vector2d& pixel : border_px(camera)) {
    const std::optional<Ray> ray = camera.ray(pixel);
    if (!ray) continue;
    const Eigen::Vector2d ahead = ray->direction_in_world.head<2>();
    const auto floor = intersect_horizontal_plane(*ray, 0);
    if (floor && (floor->head<2>() - from).norm() <= far_m) {
      area.push_back(floor->head<2>());
      meets = true;
    } else if (ahead.norm() > 1e-6) {
      area.push_back(from + far_m * ahead.normalized());
    }
  }
  return meets ? area : std::vector<Eigen::Vector2d>();
}

}  // namespace

ScenePlan plan_scene(const std::vector<Camera>& cameras) {
  ScenePlan layout;
  for (const Camera& a : cameras)
    for (const Camera& b : cameras)
      layout.apart_m = std::max(layout.apart_m, (a.center_in_world_m() - b.center_in_world_m()).norm());
  layout.min_height_m = INFINITY, layout.max_height_m = -INFINITY;
  for (const Camera& camera : cameras) {
    const Eigen::Vector3d at = camera.center_in_world_m();
    layout.min_height_m = std::min(layout.min_height_m, at.z());
    layout.max_height_m = std::max(layout.max_height_m, at.z());
    // The picture's y axis points down, z ahead; a camera that looks straight down has no upright direction.
    const double* rotation = camera.model().rotation_cam_from_world;
    layout.cameras.push_back({camera.name(), at,
                              seen_floor(camera, std::max(kMinSeen_m, kSeenFar * layout.apart_m)),
                              rotation[5] > kTilted, rotation[8] > kTilted});
  }
  if (cameras.size() > 1)
    if (const auto grid = fit_grid_to_common_view(cameras, kDefaultVoxelSize_m, kDefaultGridHeight_m))
      layout.common = *grid;
  return layout;
}

std::string plan_text(const ScenePlan& layout) {
  const bool one = layout.cameras.size() == 1;
  std::string text = layout.max_height_m - layout.min_height_m < 0.005
                         ? fmt::format("{:.2f} m", layout.min_height_m)
                         : fmt::format("{:.2f} to {:.2f} m", layout.min_height_m, layout.max_height_m);
  text = (one ? "The camera stands " : "Cameras stand ") + text + " above the floor";
  if (one) return text + ".";
  text += fmt::format(", up to {:.2f} m apart; ", layout.apart_m);
  if (!layout.common) return text + "there is no position that they see together.";
  const VoxelGrid& grid = *layout.common;
  return text + fmt::format("together they see {:.1f} x {:.1f} m.", grid.nx * grid.voxel_size_m,
                            grid.ny * grid.voxel_size_m);
}

std::string plan_doubt(const ScenePlan& layout) {
  std::vector<double> heights_m;
  for (const ScenePlan::Standing& camera : layout.cameras) heights_m.push_back(camera.at_m.z());
  std::sort(heights_m.begin(), heights_m.end());
  const double usual_m = heights_m[heights_m.size() / 2];
  const auto share = [&](auto&& of_camera) {
    return std::count_if(layout.cameras.begin(), layout.cameras.end(), of_camera) * 2 >
           std::ssize(layout.cameras);
  };
  if (usual_m < 0) return "They lie below the floor: another axis points up (--up-axis, most likely -z).";
  if (share([](const ScenePlan::Standing& camera) { return camera.looks_up && camera.upside_down; }))
    return "They look at the sky, and their pictures are upside down: the file's cameras look along -z "
           "(OpenGL's axes). Negate the second and third rows of their rotations and translations.";
  if (share([](const ScenePlan::Standing& camera) { return camera.upside_down; }))
    return "Is that so? Their pictures would be upside down: check the axis that points up.";
  if (usual_m > kMaxUsualHeight_m)
    return fmt::format("Is that so? Cameras {:.1f} m above people are rare: check the length of one unit.",
                       usual_m);
  if (usual_m < kMinUsualHeight_m)
    return "Is that so? Cameras seldom lie on the floor: check the length of one unit, and the axis that "
           "points up.";
  if (layout.cameras.size() > 1 && !layout.common)
    return "Without such a position no one is found: check the axis that points up, and which video belongs "
           "to which camera.";
  return {};
}

FloorRectangle fusion_floor(const Project& project, const VoxelGrid& common) {
  VoxelGrid grid = common;
  const std::vector<Camera> cameras = project.calibrations();
  if (!project.grid && cameras.size() > 2)
    if (const auto wider = fit_grid_to_common_view(cameras, PeopleFusion::kCell_m, kDefaultGridHeight_m, 2))
      grid = *wider;
  const double x_m = grid.origin_in_world_m[0], y_m = grid.origin_in_world_m[1];
  return {x_m, y_m, x_m + grid.nx * grid.voxel_size_m, y_m + grid.ny * grid.voxel_size_m};
}

}  // namespace vantage
