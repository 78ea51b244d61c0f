// EasyMocap's calibration: intri.yml with the lenses and extri.yml with the poses, OpenCV's FileStorage YAML.
// For each of `names`, here NAME: K_NAME, dist_NAME and, from some versions, W_NAME and H_NAME, the picture's
// size; R_NAME, a rotation vector, or Rot_NAME, a matrix, and T_NAME. Metres. Either file may be given.
#include "core/base/file.h"
#include "core/calibration/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

std::vector<std::string> easymocap_names(const json& document) {
  std::vector<std::string> names;
  const auto list = document.find("names");
  if (!document.is_object() || list == document.end() || !list->is_array()) return names;
  for (const json& name : *list) names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  return names;
}

bool has_lenses(const json& document, const std::string& name) {
  return document.contains("K_" + name);
}

Result<std::unique_ptr<Document>> other_file(const Document& file, bool holds_lenses) {
  const std::filesystem::path beside = file.path.parent_path() / (holds_lenses ? "extri.yml" : "intri.yml");
  const Result<std::string> text = read_file(beside);
  if (!text)
    return fail(ErrorKind::not_found,
                holds_lenses ? "the file holds lenses alone, and the one with the poses is not found"
                             : "the file holds poses alone, and the one with the lenses is not found",
                beside.string(), "EasyMocap writes intri.yml and extri.yml: put both into one folder.");
  return parse_yaml(*text, beside.string());
}

Result<PinholeCamera<double>> easymocap_camera(const json& lenses, const json& poses, const std::string& name,
                                               const CalibrationOptions& options, const std::string& where) {
  PinholeCamera<double> camera;
  const auto size = [&](const char* key) {
    const auto found = lenses.find(key + name);
    return found != lenses.end() && found->is_number() ? static_cast<int>(found->get<double>()) : 0;
  };
  VANTAGE_TRY(set_opencv_size(size("W_"), size("H_"), options, where, &camera));
  const std::string rotation_key = (poses.contains("R_" + name) ? "R_" : "Rot_") + name;
  VANTAGE_ASSIGN(const auto matrix, stored_matrix(lenses, ("K_" + name).c_str(), where));
  VANTAGE_ASSIGN(const auto distortion, stored_matrix(lenses, ("dist_" + name).c_str(), where));
  VANTAGE_ASSIGN(const auto rotation, stored_matrix(poses, rotation_key.c_str(), where));
  VANTAGE_ASSIGN(const auto translation, stored_matrix(poses, ("T_" + name).c_str(), where));
  VANTAGE_TRY(set_intrinsics(matrix, where + ", K_" + name, &camera));
  VANTAGE_TRY(set_distortion(distortion, where + ", dist_" + name, &camera));
  VANTAGE_TRY(set_rotation(rotation, where + ", " + rotation_key, &camera));
  VANTAGE_TRY(set_translation(translation, where + ", T_" + name, &camera));
  return camera;
}

}  // namespace

bool is_easymocap(const Document& file) {
  const json& document = json_of(file);
  const std::vector<std::string> names = easymocap_names(document);
  return !names.empty() && (has_lenses(document, names[0]) || document.contains("T_" + names[0]));
}

Result<RawCalibration> read_easymocap(const Document& file, const CalibrationOptions& options) {
  const bool holds_lenses = has_lenses(json_of(file), easymocap_names(json_of(file))[0]);
  VANTAGE_ASSIGN(const std::unique_ptr<Document> other, other_file(file, holds_lenses));
  const json &lenses = holds_lenses ? json_of(file) : json_of(*other),
             &poses = holds_lenses ? json_of(*other) : json_of(file);
  RawCalibration raw{.unit_m = 1};
  for (const std::string& name : easymocap_names(lenses)) {
    VANTAGE_ASSIGN(const PinholeCamera<double> camera,
                   easymocap_camera(lenses, poses, name, options, file.where() + ", camera " + name));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  if (raw.cameras.empty())
    return fail(ErrorKind::bad_data, "the file with the lenses names no camera", file.where(),
                formats_understood());
  return raw;
}

}  // namespace vantage::calibration_detail
