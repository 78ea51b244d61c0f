// Another world for the same scene: scaled, turned and moved, which no picture shows.
#pragma once

#include <Eigen/Core>

#include "core/geometry/camera.h"

namespace vantage {

// after = scale * rotation * before + translation_m; scale > 0, rotation a proper one.
struct WorldChange {
  double scale = 1;
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d translation_m = Eigen::Vector3d::Zero();

  Eigen::Vector3d operator()(const Eigen::Vector3d& before_m) const {
    return scale * (rotation * before_m) + translation_m;
  }
  // This one, then `next`.
  WorldChange then(const WorldChange& next) const;
};

// The camera in the changed world: it shows every point of the scene at the same pixel.
Camera in_changed_world(const Camera& camera, const WorldChange& change);

}  // namespace vantage
