#include "core/people_calibration/detail/unseen.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace vantage::people_calibration_detail {

Eigen::MatrixXd without_unseen(const std::vector<Camera>& cameras) {
  const auto count = static_cast<Eigen::Index>(cameras.size());
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Camera& camera : cameras) middle += camera.center_in_world_m() / static_cast<double>(count);
  // Columns: a small rotation of the world about the cameras' middle, a shift, and a stretch.
  Eigen::MatrixXd effect = Eigen::MatrixXd::Zero(6 * count, 7), of_centers = effect;
  for (Eigen::Index c = 0; c < count; ++c) {
    const Camera& camera = cameras[static_cast<size_t>(c)];
    const Eigen::Vector3d arm = camera.center_in_world_m() - middle;
    effect.block<3, 3>(6 * c, 0) = -camera.rotation_cam_from_world();
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      effect.block<3, 1>(6 * c + 3, axis) = Eigen::Vector3d::Unit(axis).cross(arm);
    effect.block<3, 3>(6 * c + 3, 3).setIdentity();
    effect.block<3, 1>(6 * c + 3, 6) = arm;
    of_centers.block<3, 7>(6 * c + 3, 0) = effect.block<3, 7>(6 * c + 3, 0);
  }
  const Eigen::MatrixXd normal = of_centers.transpose() * of_centers;
  return Eigen::MatrixXd::Identity(6 * count, 6 * count) -
         effect * normal.ldlt().solve(of_centers.transpose());
}

}  // namespace vantage::people_calibration_detail
