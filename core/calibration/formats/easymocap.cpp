// EasyMocap's calibration (github.com/zju3dv/EasyMocap): intri.yml with K_NAME and dist_NAME (D_NAME in
// some), also W_NAME and H_NAME, and extri.yml next to it with R_NAME, a rotation vector, or
// Rot_NAME, the matrix, and T_NAME; OpenCV's matrices, x_cam = R x + T in metres, z up. Either file may be
// given.
#include "core/base/file.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

bool has_key_like(const json& document, const char* prefix) {
  for (const auto& [key, value] : document.items())
    if (key.starts_with(prefix)) return true;
  return false;
}

// One camera's part of either file.
struct EasymocapPart {
  const json* document;
  std::string where;
  std::unique_ptr<Document> owned = {};
};

// The file itself, or the one next to it where it has no key like that.
Result<EasymocapPart> part_with(const char* prefix, const char* own, const char* other,
                                const Document& file) {
  if (has_key_like(json_of(file), prefix)) return EasymocapPart{&json_of(file), file.where()};
  std::string name = file.path.filename().string();
  std::error_code code;
  const size_t at = name.find(other);
  if (at != std::string::npos) name.replace(at, std::string_view(other).size(), own);
  const std::filesystem::path beside = file.path.parent_path() / name;
  if (at == std::string::npos || !std::filesystem::exists(beside, code))
    return fail(ErrorKind::not_found,
                std::string("the file holds no ") + prefix + "NAME, and the file that does is not found",
                file.where(), "intri.yml and extri.yml have to lie in one folder.");
  VANTAGE_ASSIGN(const std::string text, read_file(beside));
  if (text.find('\0') != std::string::npos)
    return fail(ErrorKind::bad_data, "is not a text file", beside.string(), expected_in(Syntax::yaml));
  VANTAGE_ASSIGN(std::unique_ptr<Document> document, parse_yaml(text, beside.string()));
  const json* content = &json_of(*document);
  if (!content->is_object() || !has_key_like(*content, prefix))
    return fail(ErrorKind::bad_data, std::string("holds no ") + prefix + "NAME", beside.string(),
                expected_in(Syntax::yaml));
  return EasymocapPart{content, beside.string(), std::move(document)};
}

int stored_pixels(const json& document, const std::string& key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_number_integer() && *found > 0 && *found <= 65536
             ? found->get<int>()
             : 0;
}

Result<PinholeCamera<double>> read_easymocap_camera(const std::string& name, const EasymocapPart& lens,
                                                    const EasymocapPart& pose,
                                                    const CalibrationOptions& options) {
  const std::string at_lens = lens.where + ", camera " + name, at_pose = pose.where + ", camera " + name;
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_opencv_size(stored_pixels(*lens.document, "W_" + name),
                              stored_pixels(*lens.document, "H_" + name), options, at_lens, &camera));
  VANTAGE_ASSIGN(const auto matrix, opencv_matrix(*lens.document, ("K_" + name).c_str(), at_lens));
  VANTAGE_TRY(set_intrinsics(matrix, at_lens, &camera));
  const std::string lens_key = (lens.document->contains("dist_" + name) ? "dist_" : "D_") + name;
  VANTAGE_ASSIGN(const auto distortion, opencv_matrix(*lens.document, lens_key.c_str(), at_lens));
  VANTAGE_TRY(set_distortion(distortion, at_lens, &camera));
  const std::string turn_key = (pose.document->contains("R_" + name) ? "R_" : "Rot_") + name;
  VANTAGE_ASSIGN(const auto rotation, opencv_matrix(*pose.document, turn_key.c_str(), at_pose));
  VANTAGE_TRY(set_rotation(rotation, at_pose, &camera));
  VANTAGE_ASSIGN(const auto translation, opencv_matrix(*pose.document, ("T_" + name).c_str(), at_pose));
  VANTAGE_TRY(set_translation(translation, at_pose, &camera));
  return camera;
}

}  // namespace

bool is_easymocap(const Document& file) {
  const json& document = json_of(file);
  return document.is_object() && document.contains("names") && document["names"].is_array() &&
         (has_key_like(document, "K_") || has_key_like(document, "T_"));
}

Result<RawCalibration> read_easymocap(const Document& file, const CalibrationOptions& options) {
  VANTAGE_ASSIGN(const EasymocapPart lens, part_with("K_", "intri", "extri", file));
  VANTAGE_ASSIGN(const EasymocapPart pose, part_with("T_", "extri", "intri", file));
  RawCalibration raw{.unit_m = 1};
  for (const auto& [key, value] : pose.document->items()) {
    if (!key.starts_with("T_")) continue;
    const std::string name = key.substr(2);
    VANTAGE_ASSIGN(const PinholeCamera<double> camera, read_easymocap_camera(name, lens, pose, options));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

}  // namespace vantage::calibration_detail
