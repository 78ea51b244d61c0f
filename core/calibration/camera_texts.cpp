#include <cmath>

#include "core/calibration/detail/writers.h"

namespace vantage::calibration_detail {

std::array<double, 9> intrinsics_of(const PinholeCamera<double>& camera) {
  return {camera.fx_px, 0, camera.cx_px, 0, camera.fy_px, camera.cy_px, 0, 0, 1};
}

std::array<double, 5> distortion_of(const PinholeCamera<double>& camera) {
  return {camera.k1, camera.k2, camera.p1, camera.p2, camera.k3};
}

// By way of the quaternion, which is exact near half a turn, too, where the matrix's trace is not.
std::array<double, 3> rotation_vector_of(const PinholeCamera<double>& camera) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> matrix(camera.rotation_cam_from_world);
  const Eigen::Quaterniond turn{Eigen::Matrix3d(matrix)};
  const double length = turn.vec().norm();
  if (length == 0) return {0, 0, 0};
  const double angle = 2 * std::atan2(turn.w() < 0 ? -length : length, std::abs(turn.w()));
  const Eigen::Vector3d vector = turn.vec() / length * angle;
  return {vector.x(), vector.y(), vector.z()};
}

Status refuse_third_radial(std::span<const Camera> cameras, const char* format) {
  for (const Camera& camera : cameras)
    if (camera.model().k3 != 0)
      return fail(
          ErrorKind::unsupported,
          std::string("the lens has a third radial coefficient (k3), which ") + format + " does not hold",
          camera.name(), "Calibrate with k1 k2 p1 p2 alone, or write another format.");
  return {};
}

}  // namespace vantage::calibration_detail
