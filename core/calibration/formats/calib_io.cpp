// The JSON of Calib.io's Calibrator: `Calibration` with `cameras`, each with a `model` of OpenCV's parameters
// (f and its aspect ratio `ar`; cx, cy; k1 to k6, p1, p2, s1 to s4, tauX, tauY; a `val` each) and a
// `transform`, a rotation vector and a translation from the first camera to this one, in the unit that the
// target was given in. Cameras have no names and stand in no world: the first one's frame is the world of
// those who name its up-axis.
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

constexpr const char* kModel = "libCalib::CameraModelOpenCV";

// A member of a member …; null where one of them is missing.
const json* inner(const json& object, std::initializer_list<const char*> keys) {
  const json* at = &object;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return at;
}

// Versions before 2 write imageWidth and imageHeight instead of imageSize.
Status set_calib_io_size(const json& data, const std::string& where, PinholeCamera<double>* camera) {
  const json* base = inner(data, {"CameraModelCRT", "CameraModelBase"});
  if (!base) return fail(ErrorKind::bad_data, "CameraModelCRT with CameraModelBase is missing", where);
  const json* size = inner(*base, {"imageSize"});
  VANTAGE_ASSIGN(camera->width_px, whole_number(size ? *size : *base, size ? "width" : "imageWidth", where));
  VANTAGE_ASSIGN(camera->height_px,
                 whole_number(size ? *size : *base, size ? "height" : "imageHeight", where));
  return {};
}

Status set_calib_io_lens(const json& data, const std::string& where, PinholeCamera<double>* camera) {
  const json* parameters = inner(data, {"parameters"});
  if (!parameters) return fail(ErrorKind::bad_data, "parameters is missing", where);
  const auto value = [&](const char* key) -> Result<double> {
    VANTAGE_ASSIGN(const json* const parameter, member(*parameters, key, where));
    return number(*parameter, "val", where + ", " + key);
  };
  VANTAGE_ASSIGN(const double f, value("f"));
  VANTAGE_ASSIGN(const double aspect, value("ar"));
  VANTAGE_ASSIGN(const double cx, value("cx"));
  VANTAGE_ASSIGN(const double cy, value("cy"));
  VANTAGE_TRY(set_intrinsics(std::vector<double>{f, 0, cx, 0, f * aspect, cy, 0, 0, 1}, where, camera));
  std::vector<double> lens;
  for (const char* key :
       {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6", "s1", "s2", "s3", "s4", "tauX", "tauY"}) {
    VANTAGE_ASSIGN(const double coefficient, value(key));
    lens.push_back(coefficient);
  }
  return set_distortion(lens, where, camera);
}

Status set_calib_io_pose(const json& object, const std::string& where, PinholeCamera<double>* camera) {
  VANTAGE_ASSIGN(const json* const transform, member(object, "transform", where));
  VANTAGE_ASSIGN(const json* const rotation, member(*transform, "rotation", where));
  VANTAGE_ASSIGN(const json* const translation, member(*transform, "translation", where));
  std::vector<double> turn, shift;
  for (const char* key : {"rx", "ry", "rz"}) {
    VANTAGE_ASSIGN(const double value, number(*rotation, key, where));
    turn.push_back(value);
  }
  for (const char* key : {"x", "y", "z"}) {
    VANTAGE_ASSIGN(const double value, number(*translation, key, where));
    shift.push_back(value);
  }
  VANTAGE_TRY(set_rotation(turn, where, camera));
  return set_translation(shift, where, camera);
}

}  // namespace

bool is_calib_io(const Document& file) {
  const json* cameras = inner(json_of(file), {"Calibration", "cameras"});
  return cameras && cameras->is_array();
}

Result<RawCalibration> read_calib_io(const Document& file, const CalibrationOptions& options) {
  if (!options.up_axis)
    return fail(ErrorKind::invalid_argument, "states the relative poses of the cameras, but not the floor",
                file.where(),
                "Give the axis of the first camera that points up (--up-axis -y for a level one); "
                "calibrate world then moves the world to the floor.");
  RawCalibration raw{.world = "the first camera, whose floor is not known"};
  std::string model;
  for (const json& object : json_of(file)["Calibration"]["cameras"]) {
    const std::string name = "camera" + std::to_string(raw.cameras.size() + 1);
    const std::string where = file.where() + ", " + name;
    // A model's name stands where it occurs first.
    if (const json* named = inner(object, {"model", "polymorphic_name"}); named && named->is_string())
      model = named->get<std::string>();
    if (model != kModel)
      return fail(ErrorKind::unsupported,
                  "the camera model is \"" + model.substr(0, 60) + "\" instead of " + kModel, where,
                  "Calibrate with the model OpenCV.");
    const json* data = inner(object, {"model", "ptr_wrapper", "data"});
    if (!data) return fail(ErrorKind::bad_data, "model with ptr_wrapper and data is missing", where);
    PinholeCamera<double> camera;
    VANTAGE_TRY(set_calib_io_size(*data, where, &camera));
    VANTAGE_TRY(set_calib_io_lens(*data, where, &camera));
    VANTAGE_TRY(set_calib_io_pose(object, where, &camera));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

}  // namespace vantage::calibration_detail
