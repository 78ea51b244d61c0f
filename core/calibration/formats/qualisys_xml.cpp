// Qualisys Track Manager's calibration, *.qca.txt: XML with all cameras in one file.
//
// Focal lengths and the principal point are in 1/64 px of the sensor; the recorded picture is the part of the
// sensor that <fov_video> names. The rows of r11..r33 are the camera's axes right, up and back in the world,
// so OpenCV's axes (right, down, forward) are diag(1, -1, -1) times them; x, y, z is the camera's centre, in
// millimetres. The lens has OpenCV's coefficients, as they are.
#include <array>
#include <cmath>

#include "core/calibration/formats/detail/xml_readers.h"

namespace vantage::calibration_detail {
namespace {

constexpr double units_per_px = 64;

Result<double> attribute(const pugi::xml_node& camera, const char* element, const char* name,
                         const std::string& where) {
  const pugi::xml_attribute found = camera.child(element).attribute(name);
  if (!found)
    return fail(ErrorKind::bad_data, std::string("<") + element + "> has no attribute " + name, where,
                "The file may be cut off or of another kind. " + expected_in(Syntax::xml));
  double value = 0;
  if (!parse_number(found.as_string(), &value))
    return fail(ErrorKind::bad_data,
                std::string(name) + " is \"" + std::string(found.as_string()).substr(0, 40) +
                    "\", which is not a number",
                where);
  return value;
}

template <size_t count>
Result<std::array<double, count>> attributes(const pugi::xml_node& camera, const char* element,
                                             const std::array<const char*, count>& names,
                                             const std::string& where) {
  std::array<double, count> values{};
  for (size_t i = 0; i < count; ++i) {
    VANTAGE_ASSIGN(values[i], attribute(camera, element, names[i], where));
  }
  return values;
}

// The recorded part of the sensor, its borders included.
struct FieldOfView {
  double left, top;
  int width_px, height_px;
};

Result<FieldOfView> read_field_of_view(const pugi::xml_node& camera, const std::string& where) {
  VANTAGE_ASSIGN(const auto border,
                 (attributes<4>(camera, "fov_video", {"left", "top", "right", "bottom"}, where)));
  const auto [left, top, right, bottom] = border;
  const auto whole = [](double v) { return v >= 0 && v <= 65535 && v == std::floor(v); };
  if (!whole(left) || !whole(top) || !whole(right) || !whole(bottom) || right < left || bottom < top)
    return fail(ErrorKind::bad_data, "<fov_video> is not a part of a sensor in whole pixels", where);
  return FieldOfView{left, top, static_cast<int>(right - left) + 1, static_cast<int>(bottom - top) + 1};
}

Result<PinholeCamera<double>> read_qualisys_camera(const pugi::xml_node& node, const std::string& where) {
  PinholeCamera<double> camera;
  VANTAGE_ASSIGN(const FieldOfView view, read_field_of_view(node, where));
  camera.width_px = view.width_px, camera.height_px = view.height_px;
  VANTAGE_ASSIGN(
      const auto lens,
      (attributes<5>(node, "intrinsic",
                     {"focalLengthU", "skew", "centerPointU", "focalLengthV", "centerPointV"}, where)));
  const std::array<double, 9> matrix = {lens[0] / units_per_px,
                                        lens[1] / units_per_px,
                                        lens[2] / units_per_px - view.left,
                                        0,
                                        lens[3] / units_per_px,
                                        lens[4] / units_per_px - view.top,
                                        0,
                                        0,
                                        1};
  VANTAGE_ASSIGN(const auto distortion,
                 (attributes<5>(node, "intrinsic",
                                {"radialDistortion1", "radialDistortion2", "tangentalDistortion1",
                                 "tangentalDistortion2", "radialDistortion3"},
                                where)));
  VANTAGE_ASSIGN(auto rotation,
                 (attributes<9>(node, "transform",
                                {"r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33"}, where)));
  for (size_t i = 3; i < 9; ++i) rotation[i] = -rotation[i];
  VANTAGE_ASSIGN(const auto center, (attributes<3>(node, "transform", {"x", "y", "z"}, where)));
  std::array<double, 3> translation{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k) translation[i] -= rotation[3 * i + k] * center[k];
  VANTAGE_TRY(set_intrinsics(matrix, where, &camera));
  VANTAGE_TRY(set_distortion(distortion, where, &camera));
  VANTAGE_TRY(set_rotation(rotation, where, &camera));
  VANTAGE_TRY(set_translation(translation, where, &camera));
  return camera;
}

}  // namespace

bool is_qualisys_xml(const Document& file) {
  return static_cast<bool>(xml_of(file).child("calibration"));
}

Result<RawCalibration> read_qualisys_xml(const Document& file, const CalibrationOptions&) {
  const pugi::xml_node root = xml_of(file).child("calibration");
  const std::string where = file.where();
  RawCalibration raw{.unit_m = 0.001};
  for (const pugi::xml_node& node : root.child("cameras").children("camera")) {
    const std::string serial = node.attribute("serial").as_string();
    if (serial.empty())
      return fail(ErrorKind::bad_data, "a camera has no serial, which is its name", where,
                  expected_in(Syntax::xml));
    // Cameras that were switched off have no pose.
    if (node.attribute("active").as_string("1") == std::string("0")) continue;
    VANTAGE_ASSIGN(const PinholeCamera<double> camera,
                   read_qualisys_camera(node, where + ", camera " + serial));
    raw.names.push_back(serial);
    raw.cameras.push_back(camera);
  }
  if (raw.cameras.empty())
    return fail(ErrorKind::bad_data, "is XML, but holds no <cameras> with a camera", where,
                expected_in(Syntax::xml));
  return raw;
}

}  // namespace vantage::calibration_detail
