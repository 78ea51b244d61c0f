// OpenCap's cameraIntrinsicsExtrinsics.pickle, one camera a file, as JSON by
// resources/python/pickle_to_json.py: a pickle is a program for a stack machine, which Python's own reader
// runs under guard. The camera is named after its folder: intrinsicMat, distortion, rotation and translation
// are OpenCV's, the world is the board in millimetres. Sources: OpenCap's rotateIntrinsics() (imageSize is
// height and width), and programs that read its sessions and agree on the rest.

#include <utility>

#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {

bool is_opencap(const Document& file) {
  const nlohmann::json& document = json_of(file);
  return document.is_object() && document.contains("intrinsicMat") && document.contains("rotation");
}

Result<RawCalibration> read_opencap(const Document& file, const CalibrationOptions&) {
  const nlohmann::json& object = json_of(file);
  const std::string where = file.where();
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_picture_size(object, "imageSize", where, &camera));
  std::swap(camera.width_px, camera.height_px);
  VANTAGE_ASSIGN(const auto matrix, numbers(object, "intrinsicMat", where));
  VANTAGE_ASSIGN(const auto distortion, numbers(object, "distortion", where));
  VANTAGE_ASSIGN(const auto rotation, numbers(object, "rotation", where));
  VANTAGE_ASSIGN(const auto translation, numbers(object, "translation", where));
  VANTAGE_TRY(set_intrinsics(matrix, where + ", intrinsicMat", &camera));
  VANTAGE_TRY(set_distortion(distortion, where + ", distortion", &camera));
  VANTAGE_TRY(set_rotation(rotation, where + ", rotation", &camera));
  VANTAGE_TRY(set_translation(translation, where + ", translation", &camera));
  return RawCalibration{.unit_m = 0.001,
                        .world = "a pose of the board",
                        .names = {opencv_camera_name(file.path)},
                        .cameras = {camera}};
}

}  // namespace vantage::calibration_detail
