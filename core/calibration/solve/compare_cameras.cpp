#include "core/calibration/solve/compare_cameras.h"

#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"
#include "core/base/quantile.h"
#include "core/calibration/solve/world_from_points.h"

namespace vantage {
namespace {

std::optional<double> difference_px(const Camera& first, const Camera& second, const Eigen::Vector2d& pixel) {
  const auto ray = first.ray(pixel);
  if (!ray) return {};
  const auto floor = intersect_horizontal_plane(*ray, 0);
  const Eigen::Vector3d point =
      floor ? *floor
            : Eigen::Vector3d(ray->origin_in_world_m + kComparedDistance_m * ray->direction_in_world);
  const auto there = second.project(point);
  if (!there) return {};
  return (*there - pixel).norm();
}

}  // namespace

Result<CameraComparison> compare_cameras(const Camera& first, const Camera& second, const VoxelGrid* grid) {
  if (first.width_px() != second.width_px() || first.height_px() != second.height_px())
    return fail(ErrorKind::invalid_argument,
                formatted("one calibration is for pictures of %dx%d, the other for %dx%d", first.width_px(),
                          first.height_px(), second.width_px(), second.height_px()),
                first.name(), "Compare calibrations of one picture size.");
  CameraComparison found;
  found.change = change_between(first, second);
  found.turned_deg = found.change.head<3>().norm() * 180 / M_PI;
  found.moved_m = found.change.segment<3>(3).norm();
  found.focal_share = found.change[6];
  double sum = 0;
  int count = 0;
  for (int row = 0; row < kComparedRows; ++row)
    for (int column = 0; column < kComparedColumns; ++column) {
      const Eigen::Vector2d pixel((column + 0.5) * first.width_px() / kComparedColumns - 0.5,
                                  (row + 0.5) * first.height_px() / kComparedRows - 0.5);
      found.picture_px.push_back(difference_px(first, second, pixel));
      if (!found.picture_px.back()) continue;
      sum += *found.picture_px.back() * *found.picture_px.back(), ++count;
      found.max_px = std::max(found.max_px, *found.picture_px.back());
    }
  if (count > 0) found.rms_px = std::sqrt(sum / count);
  if (!grid) return found;
  std::vector<double> sizes;
  for (const Eigen::Vector3d& place : floor_places(first, *grid))
    if (const auto shift = floor_shift_m(first, second, place)) {
      found.floor.push_back({place.head<2>(), *shift});
      sizes.push_back(shift->norm());
      found.max_m = std::max(found.max_m, sizes.back());
    }
  if (!sizes.empty()) found.median_m = upper_median(std::move(sizes));
  return found;
}

Result<WorldChange> align_cameras(const std::vector<Camera>& first, const std::vector<Camera>& second) {
  std::vector<KnownPlace> places;
  for (const Camera& camera : first)
    for (const Camera& other : second)
      if (other.name() == camera.name())
        places.push_back({camera.center_in_world_m(), other.center_in_world_m()});
  VANTAGE_ASSIGN(const WorldFit fit, align_world(places));
  return fit.change;
}

}  // namespace vantage
