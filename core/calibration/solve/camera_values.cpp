#include "core/calibration/solve/camera_values.h"

#include <cmath>

#include "core/calibration/solve/detail/board_poses.h"

namespace vantage {
namespace {

// Numerical derivative: how a pose changes with its six values, its turn about the axes that it leads to, and
// what `place` makes of it.
template <typename Place>
Eigen::Matrix<double, 6, 6> by_values(const PoseValues& values, const Place& place) {
  constexpr double kStep = 1e-6;
  const Eigen::Isometry3d pose = pose_of(values);
  Eigen::Matrix<double, 6, 6> slope;
  for (size_t i = 0; i < 6; ++i) {
    PoseValues moved = values;
    moved[i] += kStep;
    const Eigen::Isometry3d other = pose_of(moved);
    const Eigen::AngleAxisd turn(other.linear() * pose.linear().transpose());
    const auto column = static_cast<Eigen::Index>(i);
    slope.col(column).head<3>() = turn.angle() * turn.axis() / kStep;
    slope.col(column).tail<3>() = (place(other) - place(pose)) / kStep;
  }
  return slope;
}

// Slopes of a camera's rotation about its axes, and of its centre.
Eigen::Matrix<double, 6, 6> by_pose_values(const PoseValues& values) {
  return by_values(
      values, [](const Eigen::Isometry3d& pose) -> Eigen::Vector3d { return pose.inverse().translation(); });
}

}  // namespace

double turned_std_deg(const ChangeCovariance& covariance) {
  return std::sqrt(covariance.diagonal().head<3>().sum()) * 180 / M_PI;
}
double moved_std_m(const ChangeCovariance& covariance) {
  return std::sqrt(covariance.diagonal().segment<3>(3).sum());
}

std::optional<Camera> camera_with(const Camera& camera, const CameraValues& added) {
  CameraChange change = CameraChange::Zero();
  change.head<6>() = added.head<6>();
  const std::optional<Camera> moved = changed_camera(camera, change);
  if (!moved || added.tail<kLensValues>().isZero(0)) return moved;
  PinholeCamera<double> model = moved->model();
  LensValues lens = lens_values(model);
  for (size_t i = 0; i < lens.size(); ++i) lens[i] += added[6 + static_cast<Eigen::Index>(i)];
  static_cast<Lens<double>&>(model) = lens_with(lens, model);
  model.fx_px = lens[kFx], model.fy_px = lens[kFy], model.cx_px = lens[kCx], model.cy_px = lens[kCy];
  const Result<Camera> made = Camera::make(camera.name(), model);
  return made ? std::optional(*made) : std::nullopt;
}

double small_step(int value) {
  constexpr double kPose = 1e-5, kPixels = 1e-2, kCoefficient = 1e-5;
  const int lens = value - 6;
  return lens < 0 ? kPose : lens <= static_cast<int>(kCy) ? kPixels : kCoefficient;
}

Eigen::Matrix<double, kCameraValues, kChanges> values_of_change(const Camera& camera) {
  Eigen::Matrix<double, kCameraValues, kChanges> values;
  values.setZero();
  values.topLeftCorner<6, 6>().setIdentity();
  values(6 + static_cast<int>(kFx), 6) = camera.model().fx_px;
  values(6 + static_cast<int>(kFy), 6) = camera.model().fy_px;
  return values;
}

SolvedTogether solved_alone(const Camera& camera, const ChangeCovariance& covariance) {
  const auto values = values_of_change(camera);
  return {{camera}, values * covariance * values.transpose()};
}

std::optional<size_t> index_of(const SolvedTogether& solved, const Camera& camera) {
  constexpr double kSame = 1e-9;
  for (size_t c = 0; c < solved.cameras.size(); ++c) {
    const Camera& one = solved.cameras[c];
    if (one.name() != camera.name()) continue;
    const LensValues a = lens_values(one.model()), b = lens_values(camera.model());
    bool same = one.model().lens == camera.model().lens && change_between(one, camera).norm() < kSame;
    for (size_t i = 0; i < a.size(); ++i) same = same && std::abs(a[i] - b[i]) < kSame * (1 + std::abs(a[i]));
    if (same) return c;
  }
  return std::nullopt;
}

Eigen::MatrixXd covariance_of_cameras(const Bundle& bundle, const BundleReport& report) {
  const auto cameras = static_cast<Eigen::Index>(bundle.cameras.size());
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(cameras * kCameraValues, report.covariance.rows());
  for (Eigen::Index c = 0; c < cameras; ++c) {
    const auto at = static_cast<size_t>(c);
    const Eigen::Index first = c * kCameraValues;
    if (const int pose = report.pose_index[at]; pose >= 0)
      slope.block<6, 6>(first, pose) = by_pose_values(bundle.cameras[at].cam_from_world);
    for (size_t i = 0; i < kLensValues; ++i)
      if (const int lens = report.lens_index[at][i]; lens >= 0)
        slope(first + 6 + static_cast<Eigen::Index>(i), lens) = 1;
  }
  return slope * report.covariance * slope.transpose();
}

Eigen::Vector<double, 6> pose_deviations(const PoseValues& values,
                                         const Eigen::Matrix<double, 6, 6>& covariance) {
  const auto slope =
      by_values(values, [](const Eigen::Isometry3d& pose) -> Eigen::Vector3d { return pose.translation(); });
  return (slope * covariance * slope.transpose()).diagonal().cwiseMax(0).cwiseSqrt();
}

}  // namespace vantage
