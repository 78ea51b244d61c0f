// K and RT by camera name: {"0": {"K": 9 numbers, "RT": 12 numbers (3 x 4, x_cam = RT [X; 1]),
// "imgSize": [width, height]}}, metres, z up, without a lens unless distCoeff is there.

#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
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

}  // namespace vantage::calibration_detail
