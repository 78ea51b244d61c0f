// OptiTrack's calibration, *.mcal of Motive 3.2 and later: XML with all cameras. Sources: OptiTrack's page on
// .mcal files (names of the parts; metres, y up), and two programs that draw markers into the pictures of its
// colour cameras and agree: X, Y, Z is the centre; OrientMatrix, row by row, turns the camera's axes into the
// world's, x right, y up, looking along -z; IntrinsicStandardCameraModel is OpenCV's lens. A third takes the
// inverse pose; so a file whose cameras then look away from each other is refused.
#include <Eigen/Core>
#include <array>
#include <cmath>

#include "core/calibration/formats/detail/xml_readers.h"
#include "core/geometry/dense.h"

namespace vantage::calibration_detail {
namespace {

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Result<double> attribute_of(const pugi::xml_node& node, const std::string& name, const std::string& where) {
  const pugi::xml_attribute attribute = node.attribute(name.c_str());
  double value = 0;
  if (!attribute)
    return fail(ErrorKind::bad_data, std::string(node.name()) + " has no attribute " + name, where);
  if (*attribute.value() == '\0' || !parse_number(attribute.value(), &value) || !std::isfinite(value))
    return fail(ErrorKind::bad_data,
                name + " is \"" + std::string(attribute.value()).substr(0, 40) + "\", which is not a number",
                where);
  return value;
}

Status set_size(const pugi::xml_node& camera_node, const std::string& where, PinholeCamera<double>* camera) {
  const pugi::xml_node node = camera_node.child("Attributes");
  VANTAGE_ASSIGN(const double width, attribute_of(node, "ImagerPixelWidth", where));
  VANTAGE_ASSIGN(const double height, attribute_of(node, "ImagerPixelHeight", where));
  const auto whole = [](double v) { return v >= 1 && v <= 65536 && v == std::floor(v); };
  if (!whole(width) || !whole(height))
    return fail(ErrorKind::bad_data, "ImagerPixelWidth and ImagerPixelHeight are not whole pixels", where);
  camera->width_px = static_cast<int>(width), camera->height_px = static_cast<int>(height);
  return {};
}

Status set_motive_lens(const pugi::xml_node& camera_node, const std::string& where,
                       PinholeCamera<double>* camera) {
  const pugi::xml_node node = camera_node.child("IntrinsicStandardCameraModel");
  if (!node)
    return fail(ErrorKind::unsupported,
                "the file holds Motive's own lens only, whose formula is not published", where,
                "Write the calibration with Motive 3.2 or later.");
  std::array<double, 9> v;
  size_t i = 0;
  for (const char* name : {"HorizontalFocalLength", "VerticalFocalLength", "LensCenterX", "LensCenterY", "k1",
                           "k2", "TangentialX", "TangentialY", "k3"}) {
    VANTAGE_ASSIGN(v[i], attribute_of(node, name, where));
    ++i;
  }
  const std::array<double, 9> matrix = {v[0], 0, v[2], 0, v[1], v[3], 0, 0, 1};
  VANTAGE_TRY(set_intrinsics(matrix, where, camera));
  return set_distortion(std::span(v).subspan(4), where, camera);
}

Status set_motive_pose(const pugi::xml_node& camera_node, const std::string& where,
                       PinholeCamera<double>* camera) {
  const pugi::xml_node node = camera_node.child("Extrinsic");
  Eigen::Vector3d center;
  RowMajor world_from_cam;
  for (int i = 0; i < 3; ++i) {
    VANTAGE_ASSIGN(center[i], attribute_of(node, std::string(1, static_cast<char>('X' + i)), where));
  }
  for (int i = 0; i < 9; ++i) {
    VANTAGE_ASSIGN(world_from_cam(i / 3, i % 3),
                   attribute_of(node, "OrientMatrix" + std::to_string(i), where));
  }
  const RowMajor rotation = Eigen::Vector3d(1, -1, -1).asDiagonal() * world_from_cam.transpose();
  const Eigen::Vector3d translation = -rotation * center;
  VANTAGE_TRY(set_rotation({rotation.data(), 9}, where, camera));
  return set_translation({translation.data(), 3}, where, camera);
}

Result<PinholeCamera<double>> read_motive_camera(const pugi::xml_node& node, const std::string& where) {
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_size(node, where, &camera));
  VANTAGE_TRY(set_motive_lens(node, where, &camera));
  VANTAGE_TRY(set_motive_pose(node, where, &camera));
  return camera;
}

// Ratio of the smallest to the largest eigenvalue: axes a few degrees apart.
constexpr double kMinApart = 1e-3;

// True if the point nearest to the cameras' axes is before most of them.
bool look_at_something(const std::vector<PinholeCamera<double>>& cameras) {
  Eigen::Matrix3d sum = 1e-9 * Eigen::Matrix3d::Identity();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> axes;  // centre, direction
  for (const PinholeCamera<double>& camera : cameras) {
    const Eigen::Map<const RowMajor> rotation(camera.rotation_cam_from_world);
    const Eigen::Map<const Eigen::Vector3d> translation(camera.translation_cam_from_world_m);
    axes.emplace_back(-rotation.transpose() * translation, rotation.row(2));
    const Eigen::Matrix3d across =
        Eigen::Matrix3d::Identity() - axes.back().second * axes.back().second.transpose();
    sum += across, right += across * axes.back().first;
  }
  const Eigen::VectorXd sizes = symmetric_parts(sum).values;
  // One camera, or several with parallel axes: inconclusive.
  if (sizes[0] < kMinApart * sizes[2]) return true;
  const Eigen::Vector3d place = solve_symmetric(sum, right);
  size_t before = 0;
  for (const auto& [center, direction] : axes) before += (place - center).dot(direction) > 0;
  return 3 * before >= 2 * axes.size();
}

pugi::xml_node cameras_of(const Document& file) {
  return xml_of(file).child("calibrationProfile").child("Calibration").child("Cameras");
}

}  // namespace

bool is_motive_mcal(const Document& file) {
  return static_cast<bool>(xml_of(file).child("calibrationProfile"));
}

Result<RawCalibration> read_motive_mcal(const Document& file, const CalibrationOptions&) {
  RawCalibration raw{.unit_m = 1, .up_axis = "y"};
  for (const pugi::xml_node& node : cameras_of(file).children("Camera")) {
    const std::string name = node.attribute("Serial").as_string();
    if (name.empty())
      return fail(ErrorKind::bad_data, "a camera has no Serial, which is its name", file.where(),
                  expected_in(Syntax::xml));
    // Devices that only keep time take no pictures.
    const std::string width = node.child("Attributes").attribute("ImagerPixelWidth").as_string();
    if (width.empty() || width == "0") continue;
    VANTAGE_ASSIGN(const PinholeCamera<double> camera,
                   read_motive_camera(node, file.where() + ", camera " + name));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  if (raw.cameras.empty())
    return fail(ErrorKind::bad_data, "the file holds no camera", file.where(),
                "Calibrate the cameras in Motive first.");
  if (!look_at_something(raw.cameras))
    return fail(ErrorKind::unsupported,
                "the cameras look away from each other, as the file is understood here", file.where(),
                "Convert it to another format, K+R+t JSON for instance.");
  return raw;
}

}  // namespace vantage::calibration_detail
