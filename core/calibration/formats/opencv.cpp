#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "core/base/file.h"
#include "core/calibration/formats/detail/json_readers.h"
#include "core/calibration/formats/detail/readers.h"
#include "core/calibration/formats/detail/xml_readers.h"

namespace vantage::calibration_detail {

// OpenCV's FileStorage XML: one camera a file. Two sets of keys are in use: mtx, dist, rvec, tvec and
// CameraMatrix, DistortionCoeffs, Rotation, Translation. The format states no unit, and no picture size
// unless image_width and image_height are there. Data sets of crowds have two files a camera: extr_NAME.xml
// with rvec and tvec, as matrices or plain numbers, and intr_NAME.xml with camera_matrix and
// distortion_coefficients.

namespace {

struct Keys {
  const char *matrix, *distortion, *rotation, *translation;
};
constexpr Keys key_sets[] = {{"mtx", "dist", "rvec", "tvec"},
                             {"CameraMatrix", "DistortionCoeffs", "Rotation", "Translation"}};

Result<std::vector<double>> parse_numbers(const std::string& text, const std::string& where) {
  std::vector<double> values;
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (auto begin = std::find_if_not(text.begin(), text.end(), is_space); begin != text.end();) {
    const auto end = std::find_if(begin, text.end(), is_space);
    double value = 0;
    if (!parse_number(std::string(begin, end), &value))
      return fail(ErrorKind::bad_data, "\"" + std::string(begin, end).substr(0, 40) + "\" is not a number",
                  where);
    values.push_back(value);
    begin = std::find_if_not(end, text.end(), is_space);
  }
  return values;
}

Result<std::vector<double>> read_matrix(const pugi::xml_node& root, const char* key,
                                        const std::string& file) {
  const std::string where = file + ", " + key;
  const pugi::xml_node node = root.child(key);
  if (!node)
    return fail(ErrorKind::bad_data, std::string("the key ") + key + " is missing", file,
                expected_in(Syntax::xml));
  if (!node.child("data") && !node.child("rows"))
    return parse_numbers(node.text().as_string(), where);  // a list of numbers
  VANTAGE_ASSIGN(std::vector<double> values, parse_numbers(node.child("data").text().as_string(), where));
  const auto rows = node.child("rows").text().as_llong(-1), columns = node.child("cols").text().as_llong(-1);
  const auto count = static_cast<long long>(values.size());
  if (rows < 1 || columns < 1 || rows > 100 || columns > 100 || rows * columns != count)
    return fail(ErrorKind::bad_data,
                "the matrix is stated as " + std::to_string(rows) + " x " + std::to_string(columns) +
                    " but holds " + std::to_string(count) + " numbers",
                where, "The file may be cut off: copy it again.");
  return values;
}

}  // namespace

// Names have numbers: cam1/config.xml is cam1, calibrations/cam4_config.xml is cam4_config.
std::string opencv_camera_name(const std::filesystem::path& path) {
  const auto has_digit = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  std::error_code code;
  const std::filesystem::path absolute = std::filesystem::absolute(path, code);
  const std::string stem = path.stem().string(), folder = absolute.parent_path().filename().string();
  return !has_digit(stem) && has_digit(folder) ? folder : stem;
}

Status set_opencv_size(int width_px, int height_px, const CalibrationOptions& options,
                       const std::string& where, PinholeCamera<double>* camera) {
  camera->width_px = width_px > 0 ? width_px : options.width_px;
  camera->height_px = height_px > 0 ? height_px : options.height_px;
  if (camera->width_px > 0 && camera->height_px > 0) return {};
  return fail(ErrorKind::invalid_argument, "the file does not hold the picture size", where,
              "Give this calibration together with its video.");
}

namespace {

// True if a fisheye lens is marked, as by OpenCV's calibration sample: its four coefficients are k1 k2 k3 k4
// of the angle off the axis, not k1 k2 p1 p2.
bool is_fisheye(const pugi::xml_node& root) {
  for (const char* key : {"fisheye_model", "fisheye"})
    if (const std::string text = root.child(key).text().as_string();
        !text.empty() && text != "0" && text != "false")
      return true;
  return false;
}

const Keys& keys_of(const pugi::xml_node& root) {
  for (const Keys& keys : key_sets)
    for (const char* key : {keys.matrix, keys.distortion, keys.rotation, keys.translation})
      if (root.child(key)) return keys;
  return key_sets[0];
}

}  // namespace

bool parse_number(const std::string& text, double* value) {
  if (text == ".Nan" || text == ".NaN" || text == ".Inf" || text == "-.Inf") {
    *value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const char* first = text.data() + (text[0] == '+' ? 1 : 0);
  const auto [end, code] = std::from_chars(first, text.data() + text.size(), *value);
  return code == std::errc() && end == text.data() + text.size();
}

bool is_opencv_xml_pair(const Document& file) {
  const pugi::xml_node root = xml_of(file).child("opencv_storage");
  return root.child("rvec") && root.child("tvec") && !root.child("mtx") && !root.child("dist");
}

namespace {

// Path of the lens file that belongs to extr_NAME.xml.
Result<std::filesystem::path> intrinsics_beside(const std::filesystem::path& extrinsics) {
  constexpr std::string_view kPrefix = "extr_";
  const std::string name = extrinsics.filename().string();
  const std::filesystem::path folder = extrinsics.parent_path();
  if (name.starts_with(kPrefix))
    for (const char* part : {".", "../intrinsic_zero", "../intrinsic"}) {
      const std::filesystem::path found =
          (folder / part / ("intr_" + name.substr(kPrefix.size()))).lexically_normal();
      std::error_code code;
      if (std::filesystem::exists(found, code)) return found;
    }
  return fail(ErrorKind::not_found, "the file holds no lens, and the file that does is not found",
              extrinsics.string(),
              "intr_NAME.xml has to be next to extr_NAME.xml, or in ../intrinsic_zero or ../intrinsic.");
}

}  // namespace

Result<RawCalibration> read_opencv_xml_pair(const Document& file, const CalibrationOptions& options) {
  const pugi::xml_node root = xml_of(file).child("opencv_storage");
  VANTAGE_ASSIGN(const std::filesystem::path beside, intrinsics_beside(file.path));
  VANTAGE_ASSIGN(const std::string text, read_file(beside));
  VANTAGE_ASSIGN(const std::unique_ptr<Document> document, parse_xml(text, beside.string()));
  const pugi::xml_node lens = xml_of(*document).child("opencv_storage");
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_opencv_size(lens.child("image_width").text().as_int(),
                              lens.child("image_height").text().as_int(), options, beside.string(), &camera));
  VANTAGE_ASSIGN(const auto matrix, read_matrix(lens, "camera_matrix", beside.string()));
  VANTAGE_ASSIGN(const auto distortion, read_matrix(lens, "distortion_coefficients", beside.string()));
  VANTAGE_ASSIGN(const auto rotation, read_matrix(root, "rvec", file.where()));
  VANTAGE_ASSIGN(const auto translation, read_matrix(root, "tvec", file.where()));
  VANTAGE_TRY(set_intrinsics(matrix, beside.string() + ", camera_matrix", &camera));
  const auto set_lens = is_fisheye(lens) ? set_fisheye : set_distortion;
  VANTAGE_TRY(set_lens(distortion, beside.string() + ", distortion_coefficients", &camera));
  VANTAGE_TRY(set_rotation(rotation, file.where() + ", rvec", &camera));
  VANTAGE_TRY(set_translation(translation, file.where() + ", tvec", &camera));
  const std::string name = file.path.stem().string().substr(std::string_view("extr_").size());
  return RawCalibration{.names = {name}, .cameras = {camera}};
}

bool is_opencv_xml(const Document& file) {
  return static_cast<bool>(xml_of(file).child("opencv_storage"));
}

Result<RawCalibration> read_opencv_xml(const Document& file, const CalibrationOptions& options) {
  const pugi::xml_node root = xml_of(file).child("opencv_storage");
  const std::string where = file.where();
  const Keys& keys = keys_of(root);
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_opencv_size(root.child("image_width").text().as_int(),
                              root.child("image_height").text().as_int(), options, where, &camera));
  VANTAGE_ASSIGN(const auto matrix, read_matrix(root, keys.matrix, where));
  VANTAGE_ASSIGN(const auto distortion, read_matrix(root, keys.distortion, where));
  VANTAGE_ASSIGN(const auto rotation, read_matrix(root, keys.rotation, where));
  VANTAGE_ASSIGN(const auto translation, read_matrix(root, keys.translation, where));
  VANTAGE_TRY(set_intrinsics(matrix, where + ", " + keys.matrix, &camera));
  const auto set_lens = is_fisheye(root) ? set_fisheye : set_distortion;
  VANTAGE_TRY(set_lens(distortion, where + ", " + keys.distortion, &camera));
  VANTAGE_TRY(set_rotation(rotation, where + ", " + keys.rotation, &camera));
  VANTAGE_TRY(set_translation(translation, where + ", " + keys.translation, &camera));
  return RawCalibration{.names = {opencv_camera_name(file.path)}, .cameras = {camera}};
}

// OpenCV's FileStorage YAML, with the keys of its XML (opencv.cpp), and the writers of both.

namespace {

using nlohmann::json;

constexpr const char* kYamlKeys[][4] = {{"mtx", "dist", "rvec", "tvec"},
                                        {"CameraMatrix", "DistortionCoeffs", "Rotation", "Translation"}};

int stored_size(const json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// The mark of OpenCV's calibration sample.
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
