#include <algorithm>
#include <cmath>

#include "core/calibration/formats/detail/readers.h"

namespace vantage::calibration_detail {
namespace {

Status check_finite(std::span<const double> values, const char* what, const std::string& where) {
  if (std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) return {};
  return fail(ErrorKind::bad_data, std::string("the ") + what + " holds a value that is not a finite number",
              where, "Calibrate this camera again or repair the file.");
}

Status check_count(std::span<const double> values, const char* what, const std::string& expected, bool right,
                   const std::string& where) {
  if (right) return check_finite(values, what, where);
  return fail(ErrorKind::bad_data,
              std::string("the ") + what + " has " + std::to_string(values.size()) + " numbers instead of " +
                  expected,
              where);
}

// The first into the members, which those that are missing leave at 0; what is beyond them has to be 0.
Status set_coefficients(std::span<const double> coefficients, std::span<double* const> members,
                        const char* names, const std::string& where) {
  VANTAGE_TRY(check_finite(coefficients, "list of lens coefficients", where));
  for (size_t i = 0; i < coefficients.size(); ++i) {
    if (i < members.size())
      *members[i] = coefficients[i];
    else if (coefficients[i] != 0)
      return fail(ErrorKind::unsupported,
                  "the lens has " + std::to_string(coefficients.size()) +
                      " coefficients; the camera model holds " + names,
                  where, "Calibrate with one of OpenCV's lens models, or undistort the videos.");
  }
  return {};
}

}  // namespace

Status set_intrinsics(std::span<const double> matrix, const std::string& where,
                      PinholeCamera<double>* camera) {
  VANTAGE_TRY(check_count(matrix, "camera matrix", "9", matrix.size() == 9, where));
  if (!(matrix[0] > 0) || !(matrix[4] > 0))
    return fail(ErrorKind::bad_data, "the camera matrix has a focal length that is not positive", where,
                "Calibrate this camera again or repair the file.");
  if (std::abs(matrix[1]) > 1e-6 * matrix[0] || matrix[3] != 0)
    return fail(ErrorKind::unsupported, "the camera matrix has a skew, which the camera model does not hold",
                where, "Calibrate with the skew fixed at 0.");
  if (matrix[6] != 0 || matrix[7] != 0 || std::abs(matrix[8] - 1) > 1e-9)
    return fail(ErrorKind::bad_data, "the camera matrix does not end with the row 0 0 1", where,
                "Check that the matrix is stored row by row.");
  camera->fx_px = matrix[0], camera->cx_px = matrix[2];
  camera->fy_px = matrix[4], camera->cy_px = matrix[5];
  return {};
}

Status set_distortion(std::span<const double> coefficients, const std::string& where,
                      PinholeCamera<double>* camera) {
  double* const members[] = {&camera->k1, &camera->k2, &camera->p1,    &camera->p2,   &camera->k3,
                             &camera->k4, &camera->k5, &camera->k6,    &camera->s1,   &camera->s2,
                             &camera->s3, &camera->s4, &camera->tau_x, &camera->tau_y};
  constexpr size_t kOfPolynomial = 5;
  VANTAGE_TRY(
      set_coefficients(coefficients, members, "k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 tau_x tau_y", where));
  const auto beyond = coefficients.subspan(std::min(coefficients.size(), kOfPolynomial));
  const bool rational = std::any_of(beyond.begin(), beyond.end(), [](double v) { return v != 0; });
  camera->lens = rational ? LensModel::rational : LensModel::polynomial;
  return {};
}

Status set_fisheye(std::span<const double> coefficients, const std::string& where,
                   PinholeCamera<double>* camera) {
  double* const members[] = {&camera->k1, &camera->k2, &camera->k3, &camera->k4};
  VANTAGE_TRY(set_coefficients(coefficients, members, "k1 k2 k3 k4", where));
  camera->lens = LensModel::fisheye;
  return {};
}

Status set_rotation(std::span<const double> rotation, const std::string& where,
                    PinholeCamera<double>* camera) {
  const size_t count = rotation.size();
  VANTAGE_TRY(check_count(rotation, "rotation", "3 (a rotation vector) or 9 (a matrix)",
                          count == 3 || count == 9, where));
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> matrix;
  if (count == 9) {
    std::copy(rotation.begin(), rotation.end(), matrix.data());
  } else {
    const Eigen::Vector3d vector(rotation[0], rotation[1], rotation[2]);
    const double angle = vector.stableNorm();
    matrix.setIdentity();
    if (angle > 0) matrix = Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
  }
  std::copy(matrix.data(), matrix.data() + 9, camera->rotation_cam_from_world);
  return {};
}

Status set_translation(std::span<const double> translation, const std::string& where,
                       PinholeCamera<double>* camera) {
  VANTAGE_TRY(check_count(translation, "translation", "3", translation.size() == 3, where));
  std::copy(translation.begin(), translation.end(), camera->translation_cam_from_world_m);
  return {};
}

}  // namespace vantage::calibration_detail
