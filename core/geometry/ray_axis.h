// A ray and a straight line in the world: what a pointer in a picture means on an axis.
#pragma once

#include <optional>

#include "core/geometry/camera.h"

namespace vantage {

// How far along an axis through `foot`, of unit length, a ray passes nearest to it. Nothing where the ray
// runs along the axis (within 0.6 degrees, where a pixel would be metres), or would have to be followed
// backwards.
inline std::optional<double> nearest_on_axis(const Eigen::Vector3d& foot, const Eigen::Vector3d& axis,
                                             const Ray& ray) {
  constexpr double kMinAcross = 1e-4;  // squared sine
  const Eigen::Vector3d& d = ray.direction_in_world;
  const double along = axis.dot(d), across = 1 - along * along;
  if (across < kMinAcross) return std::nullopt;
  const Eigen::Vector3d w = ray.origin_in_world_m - foot;
  const double distance = along * w.dot(axis) - w.dot(d);  // of the ray's nearest point, times `across`
  if (distance <= 0) return std::nullopt;
  return (w.dot(axis) - along * w.dot(d)) / across;
}

}  // namespace vantage
