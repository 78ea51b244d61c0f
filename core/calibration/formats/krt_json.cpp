#include "core/base/json.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {

// K and RT by camera name: {"0": {"K": 9 numbers, "RT": 12 numbers (3 x 4, x_cam = RT [X; 1]),
// "imgSize": [width, height]}}, metres, z up, without a lens unless distCoeff is there.

namespace {

using nlohmann::json;

Result<PinholeCamera<double>> read_camera(const json& object, const std::string& where) {
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_picture_size(object, "imgSize", where, &camera));
  VANTAGE_ASSIGN(const auto pose, numbers(object, "RT", where));
  if (pose.size() != 12)
    return fail(ErrorKind::bad_data,
                "RT has " + std::to_string(pose.size()) + " numbers instead of 12 (3 x 4)", where);
  std::vector<double> rotation, translation;
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column < 3; ++column) rotation.push_back(pose[4 * row + column]);
    translation.push_back(pose[4 * row + 3]);
  }
  VANTAGE_TRY(set_camera(object, "distCoeff", rotation, translation, where, &camera));
  return camera;
}

}  // namespace

bool is_k_rt_json(const Document& file) {
  const json& document = json_of(file);
  return document.is_object() && !document.empty() && document.begin()->is_object() &&
         document.begin()->contains("K") && document.begin()->contains("RT");
}

Result<RawCalibration> read_k_rt_json(const Document& file, const CalibrationOptions&) {
  const json& document = json_of(file);
  const std::string where = file.where();
  RawCalibration raw{.unit_m = 1};
  for (const auto& [name, object] : document.items()) {
    const std::string position = where + ", camera " + name;
    if (!object.is_object()) return fail(ErrorKind::bad_data, "is not an object with K and RT", position);
    if (lacks_all(object, {"RT"})) {
      raw.leave_out_unposed(name);
      continue;
    }
    VANTAGE_ASSIGN(const PinholeCamera<double> camera, read_camera(object, position));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

// Cameras with K, R and t under one header: {"units": "mm", "up": "+z", "image_size": [width, height],
// "cameras": [{"name", "K": 3 x 3, "dist": k1 k2 p1 p2 [k3], "R": 3 x 3, "t": 3 numbers}]} with
// x_cam = R x + t. Units and up-axis are the file's own words; a picture size may stand with a camera
// instead.

namespace {

using nlohmann::json;

Result<std::string> text(const json& object, const char* key, const std::string& where) {
  VANTAGE_ASSIGN(const json* value, member(object, key, where));
  const std::string found = text_of(object, key);
  if (!value->is_string() && found.empty())
    return fail(ErrorKind::bad_data, std::string(key) + " is not a text", where);
  return found;
}

Result<double> metres_per_unit(const json& document, const std::string& where) {
  VANTAGE_ASSIGN(const std::string units, text(document, "units", where));
  if (units == "m") return 1.0;
  if (units == "cm") return 0.01;
  if (units == "mm") return 0.001;
  return fail(ErrorKind::bad_data, "the unit is \"" + units + "\" and not m, cm or mm", where,
              "Correct the key or convert the file.");
}

Result<PinholeCamera<double>> read_camera(const json& document, const json& object,
                                          const std::string& where) {
  PinholeCamera<double> camera;
  const json& sized = object.contains("image_size") ? object : document;
  VANTAGE_TRY(set_picture_size(sized, "image_size", where, &camera));
  VANTAGE_ASSIGN(const auto rotation, numbers(object, "R", where));
  VANTAGE_ASSIGN(const auto translation, numbers(object, "t", where));
  VANTAGE_TRY(set_camera(object, "dist", rotation, translation, where, &camera));
  return camera;
}

}  // namespace

bool is_k_r_t_json(const Document& file) {
  return lists_cameras_with("R", file);
}

Result<RawCalibration> read_k_r_t_json(const Document& file, const CalibrationOptions&) {
  const json& document = json_of(file);
  const std::string where = file.where();
  RawCalibration raw;
  VANTAGE_ASSIGN(const double unit_m, metres_per_unit(document, where));
  VANTAGE_ASSIGN(const std::string up, text(document, "up", where));
  raw.unit_m = unit_m, raw.up_axis = up;
  for (const json& object : document["cameras"]) {
    const std::string position = where + ", camera " + std::to_string(raw.cameras.size() + 1);
    if (!object.is_object()) return fail(ErrorKind::bad_data, "is not an object with K, R and t", position);
    VANTAGE_ASSIGN(const std::string name, text(object, "name", position));
    if (lacks_all(object, {"R", "t"})) {
      raw.leave_out_unposed(name);
      continue;
    }
    VANTAGE_ASSIGN(const PinholeCamera<double> camera,
                   read_camera(document, object, where + ", camera " + name));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

WrittenFiles write_k_r_t_json(std::span<const Camera> cameras) {
  VANTAGE_TRY(check_lenses(cameras, {.format = "K, R and t as JSON"}));
  nlohmann::ordered_json document = {{"units", "m"}, {"up", "+z"}};
  auto& list = document["cameras"] = nlohmann::ordered_json::array();
  for (const Camera& camera : cameras) {
    const PinholeCamera<double>& m = camera.model();
    const auto k = intrinsics_of(m);
    const double* r = m.rotation_cam_from_world;
    list.push_back({{"name", camera.name()},
                    {"image_size", {m.width_px, m.height_px}},
                    {"K", {{k[0], k[1], k[2]}, {k[3], k[4], k[5]}, {k[6], k[7], k[8]}}},
                    {"dist", lens_coefficients(m)},
                    {"R", {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}},
                    {"t", m.translation_cam_from_world_m}});
  }
  return std::vector<CalibrationFile>{{"", json_text(document, 2) + "\n"}};
}

}  // namespace vantage::calibration_detail
