// Vicon's calibration, *.xcp: XML with all cameras in one file. Sources: Vicon's manual of CaraPost ("About
// calibration data (XCP) files"), and the readers of Pose2Sim, AvialSync and Imaginarium's GRIP, which agree:
// ORIENTATION is a quaternion x y z w that turns the world into OpenCV's axes, POSITION the centre in
// millimetres, z up; FOCAL_LENGTH and PRINCIPAL_POINT are in pixels.
//
// VICON_RADIAL2 "Vicon3Parameter cx cy k1 k2 k3" (VICON_RADIAL "k1 k2" of older files) removes the lens's
// distortion: ideal = seen * (1 + k1 r^2 + k2 r^4 + k3 r^6), both in pixels from the centre, r of the seen
// one (AvialSync; R. Collins' tools of PSU-TMM100). OpenCV's models are the inverse, so one is fitted.
#include <fmt/core.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "core/calibration/formats/detail/xml_readers.h"
#include "core/geometry/dense.h"

namespace vantage::calibration_detail {
namespace {

constexpr double kMaxMisfit_px = 0.05;

using Numbers = std::vector<double>;

Result<Numbers> numbers_in(const std::string& text, const char* name, size_t count,
                           const std::string& where) {
  std::istringstream words(text);
  Numbers numbers;
  for (std::string word; words >> word;) {
    double value = 0;
    if (!parse_number(word, &value) || !std::isfinite(value))
      return fail(ErrorKind::bad_data,
                  std::string(name) + " holds \"" + word.substr(0, 40) + "\", which is not a number", where);
    numbers.push_back(value);
  }
  if (numbers.size() != count)
    return fail(ErrorKind::bad_data,
                std::string(name) + " has " + std::to_string(numbers.size()) + " numbers instead of " +
                    std::to_string(count),
                where);
  return numbers;
}

Result<Numbers> attribute_numbers(const pugi::xml_node& node, const char* name, size_t count,
                                  const std::string& where) {
  if (const pugi::xml_attribute found = node.attribute(name))
    return numbers_in(found.as_string(), name, count, where);
  return fail(ErrorKind::bad_data, std::string("<") + node.name() + "> has no attribute " + name, where,
              "The file may be cut off or of another kind. " + expected_in(Syntax::xml));
}

// Scale of the seen radius, in units of the focal length.
struct ViconRadial {
  double k1 = 0, k2 = 0, k3 = 0;
  double scale(double seen2) const { return 1 + seen2 * (k1 + seen2 * (k2 + seen2 * k3)); }
  // True if the ideal radius grows with the seen one.
  bool grows(double seen2) const { return 1 + seen2 * (3 * k1 + seen2 * (5 * k2 + seen2 * 7 * k3)) > 0; }
  bool none() const { return k1 == 0 && k2 == 0 && k3 == 0; }
};

Result<ViconRadial> read_radial(const pugi::xml_node& frame, const PinholeCamera<double>& camera,
                                double farthest, const std::string& where) {
  Numbers numbers;
  std::array<double, 2> center = {camera.cx_px, camera.cy_px};
  if (const std::string text = frame.attribute("VICON_RADIAL2").as_string(); !text.empty()) {
    const std::string model = text.substr(0, text.find(' '));
    if (model != "Vicon3Parameter")
      return fail(ErrorKind::unsupported, "the lens model \"" + model.substr(0, 40) + "\" is not known",
                  where, "Vicon3Parameter is. Undistort the videos, or calibrate them otherwise.");
    VANTAGE_ASSIGN(const Numbers all, numbers_in(text.substr(model.size()), "VICON_RADIAL2", 5, where));
    center = {all[0], all[1]};
    numbers.assign(all.begin() + 2, all.end());
  } else if (frame.attribute("VICON_RADIAL")) {
    VANTAGE_ASSIGN(numbers, attribute_numbers(frame, "VICON_RADIAL", 2, where));
  }
  numbers.resize(3);
  const double f2 = camera.fx_px * camera.fx_px;
  const ViconRadial radial{numbers[0] * f2, numbers[1] * f2 * f2, numbers[2] * f2 * f2 * f2};
  const double apart_px = std::hypot(center[0] - camera.cx_px, center[1] - camera.cy_px);
  if (apart_px * std::abs(radial.scale(farthest * farthest) - 1) > kMaxMisfit_px)
    return fail(
        ErrorKind::unsupported,
        fmt::format("the centre of distortion lies {:.2f} px from the principal point, which the camera "
                    "model does not hold",
                    apart_px),
        where, "Undistort the videos, or calibrate them otherwise.");
  return radial;
}

// OpenCV's coefficients k1 k2 k3, and k4 k5 k6 with `below`, that bend what Vicon's straighten:
// seen (1 + k4 u + k5 u^2 + k6 u^3) = ideal (1 + k1 u + k2 u^2 + k3 u^3), u = ideal^2, by least squares.
std::array<double, 8> fitted_lens(const ViconRadial& radial, double farthest, bool below) {
  constexpr int kSamples = 200;
  const double widest = farthest * radial.scale(farthest * farthest);
  const Eigen::Index unknowns = below ? 6 : 3;
  Eigen::MatrixXd rows(kSamples, unknowns);
  Eigen::VectorXd right(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    const double seen = farthest * (i + 1) / kSamples, ideal = seen * radial.scale(seen * seen);
    const double u = ideal * ideal / (widest * widest);  // scaled: the columns are alike
    for (int power = 0; power < 3; ++power) {
      rows(i, power) = ideal * std::pow(u, power + 1);
      if (below) rows(i, power + 3) = -seen * std::pow(u, power + 1);
    }
    right[i] = seen - ideal;
  }
  const Eigen::VectorXd k = least_squares(rows, right);
  std::array<double, 8> coefficients = {};
  constexpr std::array<size_t, 6> kPlaces = {0, 1, 4, 5, 6, 7};  // k1 k2 p1 p2 k3 k4 k5 k6
  for (Eigen::Index i = 0; i < unknowns; ++i)
    coefficients[kPlaces[i]] = k[i] / std::pow(widest, 2 * (i % 3 + 1));
  return coefficients;
}

double misfit_px(const ViconRadial& radial, double farthest, const PinholeCamera<double>& camera) {
  constexpr int kSamples = 1000;
  double most = 0;
  for (int i = 1; i <= kSamples; ++i) {
    const double seen = farthest * i / kSamples, ideal = seen * radial.scale(seen * seen);
    double x = 0, y = 0;
    distort(static_cast<const Lens<double>&>(camera), ideal, 0.0, &x, &y);
    most = std::max(most, std::abs(x - seen));
  }
  return most * camera.fx_px;
}

Status set_vicon_lens(const pugi::xml_node& frame, const std::string& where, PinholeCamera<double>* camera) {
  const double across = std::max(camera->cx_px, camera->width_px - 1 - camera->cx_px),
               down = std::max(camera->cy_px, camera->height_px - 1 - camera->cy_px);
  const double farthest = std::hypot(across, down) / camera->fx_px;  // a corner of the picture
  VANTAGE_ASSIGN(const ViconRadial radial, read_radial(frame, *camera, farthest, where));
  if (radial.none()) return {};
  if (camera->fx_px != camera->fy_px)
    return fail(ErrorKind::unsupported,
                "lens distortion together with pixels that are not square is not supported", where,
                "Undistort the videos, or calibrate them otherwise.");
  for (int i = 1; i <= 1000; ++i)
    if (const double seen = farthest * i / 1000; !radial.grows(seen * seen))
      return fail(ErrorKind::bad_data, "the lens distortion folds the picture over before its corners", where,
                  "Calibrate this camera again or repair the file.");
  for (const bool below : {false, true}) {
    VANTAGE_TRY(set_distortion(fitted_lens(radial, farthest, below), where, camera));
    if (misfit_px(radial, farthest, *camera) <= kMaxMisfit_px) return {};
  }
  return fail(
      ErrorKind::unsupported,
      fmt::format("the camera model fits the lens only to {:.2f} px", misfit_px(radial, farthest, *camera)),
      where, "Undistort the videos, or calibrate them otherwise.");
}

Status set_vicon_pose(const pugi::xml_node& frame, const std::string& where, PinholeCamera<double>* camera) {
  VANTAGE_ASSIGN(const Numbers turn, attribute_numbers(frame, "ORIENTATION", 4, where));
  VANTAGE_ASSIGN(const Numbers at, attribute_numbers(frame, "POSITION", 3, where));
  const Eigen::Quaterniond quaternion(turn[3], turn[0], turn[1], turn[2]);
  if (std::abs(quaternion.norm() - 1) > 1e-3)
    return fail(ErrorKind::bad_data, "ORIENTATION is not a unit quaternion", where,
                "Calibrate this camera again or repair the file.");
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rotation = quaternion.normalized().toRotationMatrix();
  const Eigen::Vector3d translation = -rotation * Eigen::Vector3d(at[0], at[1], at[2]);
  VANTAGE_TRY(set_rotation({rotation.data(), 9}, where, camera));
  return set_translation({translation.data(), 3}, where, camera);
}

Result<PinholeCamera<double>> read_vicon_camera(const pugi::xml_node& node, const std::string& where) {
  const pugi::xml_node frame = node.child("KeyFrames").child("KeyFrame");
  if (frame.next_sibling("KeyFrame"))
    return fail(ErrorKind::unsupported, "the camera moves: it has several KeyFrames", where,
                "Vantage's cameras do not move.");
  PinholeCamera<double> camera;
  VANTAGE_ASSIGN(const Numbers size, attribute_numbers(node, "SENSOR_SIZE", 2, where));
  const auto whole = [](double v) { return v >= 1 && v <= 65536 && v == std::floor(v); };
  if (!whole(size[0]) || !whole(size[1]))
    return fail(ErrorKind::bad_data, "SENSOR_SIZE is not a size in whole pixels", where);
  camera.width_px = static_cast<int>(size[0]), camera.height_px = static_cast<int>(size[1]);
  VANTAGE_ASSIGN(const Numbers focal, attribute_numbers(frame, "FOCAL_LENGTH", 1, where));
  VANTAGE_ASSIGN(const Numbers center, attribute_numbers(frame, "PRINCIPAL_POINT", 2, where));
  double aspect = 1, skew = 0;
  if (node.attribute("PIXEL_ASPECT_RATIO")) {
    VANTAGE_ASSIGN(const Numbers ratio, attribute_numbers(node, "PIXEL_ASPECT_RATIO", 1, where));
    aspect = ratio[0];
  }
  if (node.attribute("SKEW")) {
    VANTAGE_ASSIGN(const Numbers stated, attribute_numbers(node, "SKEW", 1, where));
    skew = stated[0];
  }
  if (!(aspect > 0)) return fail(ErrorKind::bad_data, "PIXEL_ASPECT_RATIO is not positive", where);
  const std::array<double, 9> matrix = {focal[0], skew, center[0], 0, focal[0] / aspect, center[1], 0, 0, 1};
  VANTAGE_TRY(set_intrinsics(matrix, where, &camera));
  VANTAGE_TRY(set_vicon_lens(frame, where, &camera));
  VANTAGE_TRY(set_vicon_pose(frame, where, &camera));
  return camera;
}

}  // namespace

bool is_vicon_xcp(const Document& file) {
  return static_cast<bool>(xml_of(file).child("Cameras").child("Camera").attribute("DEVICEID"));
}

Result<RawCalibration> read_vicon_xcp(const Document& file, const CalibrationOptions&) {
  RawCalibration raw{.unit_m = 0.001};
  for (const pugi::xml_node& node : xml_of(file).child("Cameras").children("Camera")) {
    const std::string name = node.attribute("DEVICEID").as_string();
    if (name.empty())
      return fail(ErrorKind::bad_data, "a camera has no DEVICEID, which is its name", file.where(),
                  expected_in(Syntax::xml));
    // Cameras that took no part in the calibration have none.
    if (!node.child("KeyFrames").child("KeyFrame")) continue;
    VANTAGE_ASSIGN(const PinholeCamera<double> camera,
                   read_vicon_camera(node, file.where() + ", camera " + name));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  if (raw.cameras.empty())
    return fail(ErrorKind::bad_data, "no camera of the file was calibrated: none has a KeyFrame",
                file.where(), "Calibrate the cameras in Vicon's software first.");
  return raw;
}

}  // namespace vantage::calibration_detail
