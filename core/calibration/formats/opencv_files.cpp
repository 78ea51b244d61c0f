// OpenCV's FileStorage YAML, with the keys of its XML (opencv_xml.cpp), and the writers of both.
#include "core/calibration/formats/detail/json_readers.h"
#include "core/calibration/formats/detail/number_text.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

constexpr const char* kYamlKeys[][4] = {{"mtx", "dist", "rvec", "tvec"},
                                        {"CameraMatrix", "DistortionCoeffs", "Rotation", "Translation"}};

int stored_size(const json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// As OpenCV's calibration sample marks it.
bool is_fisheye(const json& document) {
  for (const char* key : {"fisheye_model", "fisheye"})
    if (const auto found = document.find(key); found != document.end() && *found != 0 && *found != "false")
      return true;
  return false;
}

struct StoredMatrix {
  const char* key;
  int rows, columns;
  std::vector<double> values;
};
std::vector<StoredMatrix> matrices_of(const PinholeCamera<double>& camera) {
  const auto matrix = intrinsics_of(camera);
  const auto distortion = lens_coefficients(camera);
  const auto rotation = rotation_vector_of(camera);
  const double* translation = camera.translation_cam_from_world_m;
  return {{"mtx", 3, 3, {matrix.begin(), matrix.end()}},
          {"dist", 1, static_cast<int>(distortion.size()), distortion},
          {"rvec", 3, 1, {rotation.begin(), rotation.end()}},
          {"tvec", 3, 1, {translation, translation + 3}}};
}

std::string xml_text(const PinholeCamera<double>& camera) {
  std::string text = "<?xml version=\"1.0\"?>\n<opencv_storage>\n<image_width>" +
                     std::to_string(camera.width_px) + "</image_width>\n<image_height>" +
                     std::to_string(camera.height_px) + "</image_height>\n";
  if (camera.lens == LensModel::fisheye) text += "<fisheye_model>1</fisheye_model>\n";
  for (const StoredMatrix& matrix : matrices_of(camera))
    text += std::string("<") + matrix.key + " type_id=\"opencv-matrix\">\n  <rows>" +
            std::to_string(matrix.rows) + "</rows>\n  <cols>" + std::to_string(matrix.columns) +
            "</cols>\n  <dt>d</dt>\n  <data>" + list_text(matrix.values, " ") + "</data></" + matrix.key +
            ">\n";
  return text + "</opencv_storage>\n";
}

std::string yaml_text(const PinholeCamera<double>& camera) {
  std::string text = "%YAML:1.0\n---\nimage_width: " + std::to_string(camera.width_px) +
                     "\nimage_height: " + std::to_string(camera.height_px) + "\n";
  if (camera.lens == LensModel::fisheye) text += "fisheye_model: 1\n";
  for (const StoredMatrix& matrix : matrices_of(camera))
    text += std::string(matrix.key) + ": !!opencv-matrix\n   rows: " + std::to_string(matrix.rows) +
            "\n   cols: " + std::to_string(matrix.columns) + "\n   dt: d\n   data: [ " +
            list_text(matrix.values) + " ]\n";
  return text;
}

}  // namespace

Result<std::vector<double>> opencv_matrix(const json& object, const char* key, const std::string& where) {
  VANTAGE_ASSIGN(const json* matrix, member(object, key, where));
  const std::string position = where + ", " + key;
  if (!matrix->is_object()) return fail(ErrorKind::bad_data, "is not a matrix", position);
  VANTAGE_ASSIGN(const int rows, whole_number(*matrix, "rows", position));
  VANTAGE_ASSIGN(const int columns, whole_number(*matrix, "cols", position));
  VANTAGE_ASSIGN(std::vector<double> values, numbers(*matrix, "data", position));
  if (values.size() != static_cast<size_t>(rows) * static_cast<size_t>(columns))
    return fail(ErrorKind::bad_data,
                "the matrix is stated as " + std::to_string(rows) + " x " + std::to_string(columns) +
                    " but holds " + std::to_string(values.size()) + " numbers",
                position, "The file may be cut off: copy it again.");
  return values;
}

bool is_opencv_yaml(const Document& file) {
  const json& document = json_of(file);
  if (!document.is_object()) return false;
  for (const auto& keys : kYamlKeys)
    if (document.contains(keys[0]) && document[keys[0]].is_object()) return true;
  return false;
}

Result<RawCalibration> read_opencv_yaml(const Document& file, const CalibrationOptions& options) {
  const json& document = json_of(file);
  const std::string where = file.where();
  const auto& keys = document.contains(kYamlKeys[0][0]) ? kYamlKeys[0] : kYamlKeys[1];
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_opencv_size(stored_size(document, "image_width"), stored_size(document, "image_height"),
                              options, where, &camera));
  VANTAGE_ASSIGN(const auto matrix, opencv_matrix(document, keys[0], where));
  VANTAGE_ASSIGN(const auto distortion, opencv_matrix(document, keys[1], where));
  VANTAGE_ASSIGN(const auto rotation, opencv_matrix(document, keys[2], where));
  VANTAGE_ASSIGN(const auto translation, opencv_matrix(document, keys[3], where));
  VANTAGE_TRY(set_intrinsics(matrix, where + ", " + keys[0], &camera));
  const auto set_lens = is_fisheye(document) ? set_fisheye : set_distortion;
  VANTAGE_TRY(set_lens(distortion, where + ", " + keys[1], &camera));
  VANTAGE_TRY(set_rotation(rotation, where + ", " + keys[2], &camera));
  VANTAGE_TRY(set_translation(translation, where + ", " + keys[3], &camera));
  return RawCalibration{.names = {opencv_camera_name(file.path)}, .cameras = {camera}};
}

WrittenFiles write_opencv_xml(std::span<const Camera> cameras) {
  return file_each(cameras, ".xml", xml_text);
}
WrittenFiles write_opencv_yaml(std::span<const Camera> cameras) {
  return file_each(cameras, ".yml", yaml_text);
}

}  // namespace vantage::calibration_detail
