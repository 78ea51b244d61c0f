#include <cmath>
#include <map>

#include "core/calibration/formats/detail/writers.h"

namespace vantage::calibration_detail {

std::array<double, 9> intrinsics_of(const PinholeCamera<double>& camera) {
  return {camera.fx_px, 0, camera.cx_px, 0, camera.fy_px, camera.cy_px, 0, 0, 1};
}

// Goes by way of the quaternion, which is exact near half a turn, too, where the matrix's trace is not.
std::array<double, 3> rotation_vector_of(const PinholeCamera<double>& camera) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> matrix(camera.rotation_cam_from_world);
  const Eigen::Quaterniond turn{Eigen::Matrix3d(matrix)};
  const double length = turn.vec().norm();
  if (length == 0) return {0, 0, 0};
  const double angle = 2 * std::atan2(turn.w() < 0 ? -length : length, std::abs(turn.w()));
  const Eigen::Vector3d vector = turn.vec() / length * angle;
  return {vector.x(), vector.y(), vector.z()};
}

Status check_lenses(std::span<const Camera> cameras, const LensesHeld& held) {
  constexpr const char* kNames[] = {"k1", "k2", "p1", "p2", "k3", "k4",    "k5",
                                    "k6", "s1", "s2", "s3", "s4", "tau_x", "tau_y"};
  const auto refuse = [&](const Camera& camera, const std::string& what) {
    return fail(ErrorKind::unsupported, "the lens " + what + ", which " + held.format + " does not hold",
                camera.name(), "Write another format, or calibrate with a lens that it holds.");
  };
  for (const Camera& camera : cameras) {
    const bool fisheye = camera.model().lens == LensModel::fisheye;
    if (fisheye && !held.fisheye) return refuse(camera, "is a fisheye");
    const std::vector<double> coefficients = lens_coefficients(camera.model());
    for (size_t i = held.coefficients; !fisheye && i < coefficients.size(); ++i)
      if (coefficients[i] != 0) return refuse(camera, std::string("has a coefficient ") + kNames[i]);
  }
  return {};
}

WrittenFiles file_each(std::span<const Camera> cameras, const char* suffix,
                       std::string (*text_of)(const PinholeCamera<double>&)) {
  std::vector<CalibrationFile> files;
  std::map<std::string, std::string> taken;
  for (const Camera& camera : cameras) {
    std::string name = camera.name();
    for (char& c : name)
      if (c == '/' || static_cast<unsigned char>(c) < ' ') c = '_';
    if (name.empty() || name == "." || name == "..") name = "camera_" + std::to_string(files.size() + 1);
    if (const auto [other, fresh] = taken.try_emplace(name, camera.name()); !fresh)
      return fail(ErrorKind::invalid_argument,
                  "the file " + name + suffix + " would be this camera's and that of " + other->second,
                  camera.name(), "Give one of them another name.");
    files.push_back({name + suffix, text_of(camera.model())});
  }
  return files;
}

}  // namespace vantage::calibration_detail
