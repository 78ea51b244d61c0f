#include "core/geometry/epipolar_line.h"

#include <cmath>

namespace vantage {

std::vector<std::vector<Eigen::Vector2d>> epipolar_line(const Camera& from, const Eigen::Vector2d& pixel_px,
                                                        const Camera& in) {
  constexpr int kSteps = 400;
  std::vector<std::vector<Eigen::Vector2d>> runs;
  const auto ray = from.ray(pixel_px);
  if (!ray) return runs;
  bool inside = false;
  for (int step = 0; step <= kSteps; ++step) {
    const double distance_m = kNearest_m * std::pow(kFarthest_m / kNearest_m, double(step) / kSteps);
    const Eigen::Vector3d point = ray->origin_in_world_m + distance_m * ray->direction_in_world;
    const bool seen = in.sees(point);
    if (seen && !inside) runs.emplace_back();
    if (seen) runs.back().push_back(*in.project(point));
    inside = seen;
  }
  return runs;
}

}  // namespace vantage
