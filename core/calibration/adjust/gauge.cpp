#include "core/calibration/adjust/gauge.h"

#include <Eigen/Geometry>

#include "core/geometry/dense.h"

namespace vantage {

WorldEffect effect_of_world(const Eigen::Matrix3d& rotation_cam_from_world, const Eigen::Vector3d& arm_m) {
  WorldEffect effect = WorldEffect::Zero();
  effect.topLeftCorner<3, 3>() = -rotation_cam_from_world;
  for (Eigen::Index axis = 0; axis < 3; ++axis)
    effect.block<3, 1>(3, axis) = Eigen::Vector3d::Unit(axis).cross(arm_m);
  effect.block<3, 3>(3, 3).setIdentity();
  effect.block<3, 1>(3, 6) = arm_m;
  return effect;
}

Eigen::Vector3d middle_of_centers_m(const std::vector<Camera>& cameras) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Camera& camera : cameras)
    middle += camera.center_in_world_m() / static_cast<double>(cameras.size());
  return middle;
}

Eigen::MatrixXd without_gauge_freedom(const std::vector<Camera>& cameras) {
  const auto count = static_cast<Eigen::Index>(cameras.size());
  const Eigen::Vector3d middle = middle_of_centers_m(cameras);
  Eigen::MatrixXd effect = Eigen::MatrixXd::Zero(6 * count, kWorldChanges), of_centers = effect;
  for (Eigen::Index c = 0; c < count; ++c) {
    const Camera& camera = cameras[c];
    effect.middleRows<6>(6 * c) =
        effect_of_world(camera.rotation_cam_from_world(), camera.center_in_world_m() - middle);
    of_centers.middleRows<3>(6 * c + 3) = effect.middleRows<3>(6 * c + 3);
  }
  const Eigen::MatrixXd normal = of_centers.transpose() * of_centers;
  return Eigen::MatrixXd::Identity(6 * count, 6 * count) -
         effect * solve_symmetric(normal, of_centers.transpose());
}

}  // namespace vantage
