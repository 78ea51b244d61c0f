// The CMU Panoptic studio's calibration (H. Joo et al., "Panoptic Studio", ICCV 2015): one file with several
// hundred cameras of the types vga, hd and kinect-color; K, R and t with x_cam = R x + t in centimetres, the
// world's y pointing down; the lens in OpenCV's order.
#include <set>

#include "core/base/text.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

Result<PinholeCamera<double>> read_panoptic_camera(const json& object, const std::string& where) {
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_picture_size(object, "resolution", where, &camera));
  VANTAGE_TRY(member(object, "distCoef", where));
  VANTAGE_ASSIGN(const auto rotation, numbers(object, "R", where));
  VANTAGE_ASSIGN(const auto translation, numbers(object, "t", where));
  VANTAGE_TRY(set_camera(object, "distCoef", rotation, translation, where, &camera));
  return camera;
}

Error no_such_type(const std::string& wanted, const std::set<std::string>& types, const std::string& where) {
  std::string known;
  for (const std::string& type : types) append_item(&known, type);
  return {ErrorKind::not_found, "holds no camera of the type \"" + wanted + "\"", where,
          "The types in the file are: " + known + "."};
}

}  // namespace

bool is_panoptic_json(const Document& file) {
  return lists_cameras_with("resolution", file);
}

Result<RawCalibration> read_panoptic_json(const Document& file, const CalibrationOptions& options) {
  const std::string where = file.where();
  RawCalibration raw{.unit_m = 0.01, .up_axis = "-y"};
  std::set<std::string> types;
  for (const json& object : json_of(file)["cameras"]) {
    const std::string name = object.is_object() ? text_of(object, "name") : std::string();
    if (name.empty())
      return fail(ErrorKind::bad_data, "the camera has no name",
                  where + ", camera " + std::to_string(raw.cameras.size() + 1));
    types.insert(text_of(object, "type"));
    if (!options.camera_type.empty() && text_of(object, "type") != options.camera_type) continue;
    if (lacks_all(object, {"R", "t"})) {
      raw.leave_out_unposed(name);
      continue;
    }
    VANTAGE_ASSIGN(const PinholeCamera<double> camera,
                   read_panoptic_camera(object, where + ", camera " + name));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  if (raw.cameras.empty() && raw.left_out.empty())
    return fail(no_such_type(options.camera_type, types, where));
  return raw;
}

}  // namespace vantage::calibration_detail
