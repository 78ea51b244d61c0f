// Uncertainty of cameras that were solved together: the covariance of all their solved values, also across
// cameras, whose errors are correlated.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/calibration/solve/bundle.h"
#include "core/geometry/camera.h"

namespace vantage {

// Rotation (radians, about the camera's own axes), shift of the centre (metres, in the world), and the lens
// as LensValues has it (pixels, coefficients).
inline constexpr int kCameraValues = 6 + kLensValues;
using CameraValues = Eigen::Matrix<double, kCameraValues, 1>;
using CameraCovariance = Eigen::Matrix<double, kCameraValues, kCameraValues>;
using ChangeCovariance = Eigen::Matrix<double, kChanges, kChanges>;

// Standard deviations of a change's turn and shift, in any direction.
double turned_std_deg(const ChangeCovariance& covariance);
double moved_std_m(const ChangeCovariance& covariance);

// The camera with these values added. Nothing where it is not valid.
std::optional<Camera> camera_with(const Camera& camera, const CameraValues& added);
// A step of this value for slopes: small compared with what moves a pixel, large compared with rounding.
double small_step(int value);

struct SolvedTogether {
  std::vector<Camera> cameras;
  Eigen::MatrixXd covariance;  // kCameraValues of each camera, in their order; 0: fixed, taken as exact

  CameraCovariance of(size_t camera) const {
    return covariance.block<kCameraValues, kCameraValues>(static_cast<Eigen::Index>(camera) * kCameraValues,
                                                          static_cast<Eigen::Index>(camera) * kCameraValues);
  }
};

// A camera whose CameraChange was solved.
SolvedTogether solved_alone(const Camera& camera, const ChangeCovariance& covariance);
// Slope of the camera's values by a change of rotation, centre and focal length.
Eigen::Matrix<double, kCameraValues, kChanges> values_of_change(const Camera& camera);

// Index of the camera of this name, if its pose and lens are as solved.
std::optional<size_t> index_of(const SolvedTogether& solved, const Camera& camera);

// Covariance of an adjustment's cameras, in their order; 0 if they were fixed. The covariance must not be
// empty unless everything was fixed.
Eigen::MatrixXd covariance_of_cameras(const Bundle& bundle, const BundleReport& report);

// Standard deviations of a pose b_from_a by the covariance of its values: of its turn about b's axes
// (radians) and of its translation (m).
Eigen::Vector<double, 6> pose_deviations(const PoseValues& values,
                                         const Eigen::Matrix<double, 6, 6>& covariance);

}  // namespace vantage
