#include "core/export/people/detail/scene_parts.h"

#include <algorithm>
#include <cmath>

#include "core/base/quantile.h"
#include "core/display/world_lines.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage::people_export_detail {

std::vector<std::pair<size_t, size_t>> runs_of(const PersonPath& path, double frame_rate) {
  const int64_t longest = std::max<int64_t>(1, std::lround(kLongestGap_s * frame_rate));
  std::vector<std::pair<size_t, size_t>> runs;
  for (size_t i = 0; i < path.points.size(); ++i)
    if (i > 0 && path.points.frame(i) - path.points.frame(i - 1) <= longest)
      runs.back().second = i + 1;
    else
      runs.emplace_back(i, i + 1);
  return runs;
}

double median_height_m(const PersonPath& path) {
  std::vector<double> heights;
  for (const PathPoint& point : path.points)
    if (point.height_m > 0) heights.push_back(point.height_m);
  return heights.empty() ? kStandingFigure_m : upper_median(std::move(heights));
}

std::vector<Eigen::Vector2d> floor_corners_m(const Project& project) {
  const Result<VoxelGrid> grid = project.effective_grid();
  if (!grid) return {};
  const double left = grid->origin_in_world_m[0], low = grid->origin_in_world_m[1];
  const double right = left + grid->nx * grid->voxel_size_m, high = low + grid->ny * grid->voxel_size_m;
  return {{left, low}, {right, low}, {right, high}, {left, high}};
}

Eigen::Quaterniond rotation_of(const Camera& camera) {
  const Eigen::Matrix3d turned =
      camera.rotation_cam_from_world().transpose() * Eigen::Vector3d(1, -1, -1).asDiagonal();
  return Eigen::Quaterniond(turned).normalized();
}

}  // namespace vantage::people_export_detail
