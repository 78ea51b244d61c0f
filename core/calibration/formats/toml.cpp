// TOML: one section per camera with size, matrix, distortions, rotation (a Rodrigues vector of the rotation
// from world to camera, or the matrix) and translation in metres. Pose2Sim's and anipose's sections are at
// the top, with a name each, next to [metadata]; caliscope's are [cameras.N], in its older config.toml
// [cam_N] with a port, next to [charuco] and other settings.

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/text.h"
#include "core/calibration/formats/detail/readers.h"
#include "core/calibration/formats/detail/toml_document.h"

namespace vantage::calibration_detail {
namespace {

constexpr const char* required_keys[] = {"size", "matrix", "distortions", "rotation", "translation"};

// Numbers of an array, nested arrays row by row.
bool append_numbers(const toml::node& node, int depth, std::vector<double>* values) {
  if (const auto number = node.value<double>(); number && node.is_number()) {
    values->push_back(*number);
    return true;
  }
  const toml::array* array = node.as_array();
  if (!array || depth == 0) return false;
  for (const toml::node& element : *array)
    if (!append_numbers(element, depth - 1, values)) return false;
  return true;
}

Result<std::vector<double>> numbers(const toml::table& section, const char* key, const std::string& where) {
  std::vector<double> values;
  if (const toml::node* node = section.get(key);
      node && node->is_array() && append_numbers(*node, 2, &values))
    return values;
  return fail(ErrorKind::bad_data, std::string(key) + " is not an array of numbers", where);
}

Status check_keys(const toml::table& section, const std::string& where) {
  std::string missing;
  for (const char* key : required_keys)
    if (!section.contains(key)) append_item(&missing, key);
  if (missing.empty()) return {};
  return fail(ErrorKind::bad_data, "the keys " + missing + " are missing", where, expected_in(Syntax::toml));
}

Status set_size(const toml::table& section, const std::string& where, PinholeCamera<double>* camera) {
  VANTAGE_ASSIGN(const auto size, numbers(section, "size", where));
  const auto whole = [](double v) { return v >= 1 && v <= 65536 && v == std::floor(v); };
  if (size.size() != 2 || !whole(size[0]) || !whole(size[1]))
    return fail(ErrorKind::bad_data, "size is not a width and a height in whole pixels", where);
  camera->width_px = static_cast<int>(size[0]);
  camera->height_px = static_cast<int>(size[1]);
  return {};
}

Result<PinholeCamera<double>> read_section(const toml::table& section, const std::string& where) {
  VANTAGE_TRY(check_keys(section, where));
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_size(section, where, &camera));
  VANTAGE_ASSIGN(const auto matrix, numbers(section, "matrix", where));
  VANTAGE_ASSIGN(const auto distortion, numbers(section, "distortions", where));
  VANTAGE_ASSIGN(const auto rotation, numbers(section, "rotation", where));
  VANTAGE_ASSIGN(const auto translation, numbers(section, "translation", where));
  VANTAGE_TRY(set_intrinsics(matrix, where, &camera));
  const auto set_lens = section["fisheye"].value_or(false) ? set_fisheye : set_distortion;
  VANTAGE_TRY(set_lens(distortion, where, &camera));
  VANTAGE_TRY(set_rotation(rotation, where, &camera));
  VANTAGE_TRY(set_translation(translation, where, &camera));
  return camera;
}

Status check_cameras(const RawCalibration& raw, const std::string& where) {
  if (!raw.cameras.empty() || !raw.left_out.empty()) return {};
  return fail(ErrorKind::bad_data, "holds no camera section", where, expected_in(Syntax::toml));
}

// True if a list is missing, empty, or nothing but NaN.
bool is_absent(const toml::table& section, const char* key) {
  std::vector<double> values;
  const toml::node* node = section.get(key);
  if (!node) return true;
  if (!node->is_array() || !append_numbers(*node, 2, &values)) return false;
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// A camera that was listed and not calibrated, or a section of something else: left out, and reported.
bool is_left_out(const toml::table& section, const std::string& name, const std::string& key,
                 RawCalibration* raw) {
  const bool no_pose = is_absent(section, "rotation") && is_absent(section, "translation");
  if (!no_pose) return false;
  const bool camera = section.contains("size") || section.contains("matrix");
  if (camera)
    raw->leave_out_unposed(name);
  else
    raw->left_out.push_back("section " + key + " is not a camera and is left out");
  return true;
}

// The stated name, a text or number.
std::string name_in(const toml::table& section, const std::string& otherwise) {
  if (const auto number = section["name"].value_exact<int64_t>()) return std::to_string(*number);
  return section["name"].value_or(otherwise);
}

Status append_camera(const toml::table& section, const std::string& name, const std::string& where,
                     RawCalibration* raw) {
  VANTAGE_ASSIGN(const PinholeCamera<double> camera, read_section(section, where));
  raw->names.push_back(name);
  raw->cameras.push_back(camera);
  return {};
}

}  // namespace

ParsedDocument parse_toml(const std::string& text, const std::string& where) {
  try {
    auto document = std::make_unique<TomlDocument>();
    document->table = toml::parse(text);
    return document;
  } catch (const toml::parse_error& error) {
    std::ostringstream what;
    what << "is not a calibration file that can be read (" << line_in(text, error.source().begin.line) << ": "
         << error.description() << ")";
    return fail(ErrorKind::bad_data, what.str(), where,
                "The file may be cut off or of another kind. " + expected_in(Syntax::toml));
  }
}

bool is_caliscope_toml(const Document& file) {
  return toml_of(file)["cameras"].is_table();
}

// [cameras.N]; named after its video, cam_N.mp4.
Result<RawCalibration> read_caliscope_toml(const Document& file, const CalibrationOptions&) {
  RawCalibration raw{.unit_m = 1, .world = "a pose of the board"};
  for (const auto& [key, node] : *toml_of(file)["cameras"].as_table()) {
    const toml::table* section = node.as_table();
    const std::string name = "cam_" + std::string(key.str());
    if (!section) return fail(ErrorKind::bad_data, "cameras holds more than sections", file.where());
    if ((*section)["ignore"].value_or(false)) continue;
    if (is_left_out(*section, name, std::string(key.str()), &raw)) continue;
    VANTAGE_TRY(
        append_camera(*section, name, file.where() + ", section cameras." + std::string(key.str()), &raw));
  }
  VANTAGE_TRY(check_cameras(raw, file.where()));
  return raw;
}

// Its settings, at least the board's, are always next to the cameras.
bool is_caliscope_config(const Document& file) {
  return toml_of(file)["charuco"].is_table();
}

// [cam_N]; named after its video: port_N.mp4 where cameras are numbered by port, cam_N.mp4 since then.
Result<RawCalibration> read_caliscope_config(const Document& file, const CalibrationOptions&) {
  RawCalibration raw{.unit_m = 1, .world = "a pose of the board"};
  for (const auto& [key, node] : toml_of(file)) {
    const toml::table* section = node.as_table();
    const std::string name(key.str());
    if (!section || !name.starts_with("cam_") || (*section)["ignore"].value_or(false)) continue;
    if (is_left_out(*section, name, name, &raw)) continue;
    VANTAGE_TRY(append_camera(*section, section->contains("port") ? "port_" + name.substr(4) : name,
                              file.where() + ", section " + name, &raw));
  }
  VANTAGE_TRY(check_cameras(raw, file.where()));
  return raw;
}

Result<RawCalibration> read_sections_toml(const Document& file, const CalibrationOptions&) {
  RawCalibration raw{.unit_m = 1};
  for (const auto& [key, node] : toml_of(file)) {
    const toml::table* section = node.as_table();
    if (!section || key.str() == "metadata") continue;
    const std::string name = name_in(*section, std::string(key.str()));
    if (is_left_out(*section, name, std::string(key.str()), &raw)) continue;
    VANTAGE_TRY(append_camera(*section, name, file.where() + ", section " + std::string(key.str()), &raw));
  }
  VANTAGE_TRY(check_cameras(raw, file.where()));
  return raw;
}

// The TOML formats that toml.cpp reads.

namespace {

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) continue;
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

// The part that the three have in common; `rotation`: as a list.
std::string lens_and_pose(const PinholeCamera<double>& camera, std::span<const double> distortion,
                          const std::string& rotation) {
  return "matrix = [ " + rows_text(intrinsics_of(camera), 3) + " ]\ndistortions = [ " +
         list_text(distortion) + " ]\nrotation = [ " + rotation + " ]\ntranslation = [ " +
         list_text(camera.translation_cam_from_world_m) + " ]\n";
}

std::string sections(std::span<const Camera> cameras, bool numbered) {
  std::string text;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const PinholeCamera<double>& m = cameras[i].model();
    const std::vector<double> distortion = lens_coefficients(m);
    // Pose2Sim's own files have four.
    const bool short_lens = !numbered && m.lens == LensModel::polynomial && m.k3 == 0;
    const std::array<double, 2> size = {static_cast<double>(m.width_px), static_cast<double>(m.height_px)};
    text += "[" + (numbered ? "cam_" + std::to_string(i) : quoted(cameras[i].name())) +
            "]\nname = " + quoted(cameras[i].name()) + "\nsize = [ " + list_text(size) + " ]\n" +
            lens_and_pose(m, std::span(distortion).first(short_lens ? 4 : distortion.size()),
                          list_text(rotation_vector_of(m))) +
            "fisheye = " + (m.lens == LensModel::fisheye ? "true" : "false") + "\n\n";
  }
  return text + "[metadata]\nadjusted = false\nerror = 0.0\n";
}

// The number of cam_N, caliscope's name for it; -1: another name.
int number_of(const std::string& name) {
  if (!name.starts_with("cam_") || name.size() < 5 || name.size() > 8) return -1;
  if (name.find_first_not_of("0123456789", 4) != std::string::npos) return -1;
  return std::stoi(name.substr(4));
}

}  // namespace

WrittenFiles write_pose2sim_toml(std::span<const Camera> cameras) {
  return std::vector<CalibrationFile>{{"", sections(cameras, false)}};
}

WrittenFiles write_anipose_toml(std::span<const Camera> cameras) {
  return std::vector<CalibrationFile>{{"", sections(cameras, true)}};
}

// Cameras are numbers there: those of cam_N, else their order.
WrittenFiles write_caliscope_toml(std::span<const Camera> cameras) {
  bool own_numbers = true;
  for (const Camera& camera : cameras) own_numbers = own_numbers && number_of(camera.name()) >= 0;
  std::string text;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const PinholeCamera<double>& m = cameras[i].model();
    const int number = own_numbers ? number_of(cameras[i].name()) : static_cast<int>(i);
    text += "[cameras." + std::to_string(number) + "]\ncam_id = " + std::to_string(number) +
            "\nrotation_count = 0\nerror = 0.0\nignore = false\nsize = [ " + std::to_string(m.width_px) +
            ", " + std::to_string(m.height_px) + " ]\n" +
            lens_and_pose(m, lens_coefficients(m), rows_text(std::span(m.rotation_cam_from_world), 3)) +
            (m.lens == LensModel::fisheye ? "fisheye = true\n\n" : "\n");
  }
  return std::vector<CalibrationFile>{{"", text}};
}

}  // namespace vantage::calibration_detail
