// mrcal's .cameramodel, one camera each: a Python dictionary with lensmodel, intrinsics (fx fy cx cy and the
// lens, in OpenCV's order), the pose as a rotation vector and a translation from the reference to the camera
// (metres), and imagersize. The pose is called extrinsics, since mrcal 2.5 rt_cam_ref.
#include "core/base/json.h"
#include "core/calibration/formats/detail/json_readers.h"
#include "core/calibration/formats/detail/readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

constexpr const char* kPoseKeys[] = {"extrinsics", "rt_cam_ref"};
constexpr std::string_view kOpenCv = "LENSMODEL_OPENCV";

// The JSON of a dictionary of texts, numbers and lists: without comments and last commas, texts in double
// quotes.
std::string json_of_dictionary(const std::string& text) {
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == '\\' && i + 1 < text.size()) {
        out += c, out += text[++i];
      } else if (c == quote) {
        out += '"', quote = 0;
      } else {
        if (c == '"') out += '\\';
        out += c;
      }
    } else if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '\'' || c == '"') {
      out += '"', quote = c;
    } else if (c == 'b' && i + 1 < text.size() && (text[i + 1] == '\'' || text[i + 1] == '"')) {
      continue;  // a text of bytes
    } else if (c == ']' || c == '}') {
      const size_t last = out.find_last_not_of(" \t\r\n");
      if (last != std::string::npos && out[last] == ',') out.erase(last, 1);
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

// How many coefficients follow fx fy cx cy.
Result<size_t> coefficients_of(const json& document, const std::string& where) {
  const std::string model = document["lensmodel"].is_string() ? document["lensmodel"].get<std::string>() : "";
  if (model == "LENSMODEL_PINHOLE") return size_t{0};
  for (const size_t count : {4, 5, 8, 12})
    if (model == std::string(kOpenCv) + std::to_string(count)) return count;
  return fail(ErrorKind::unsupported, "the lens model " + model + " is not held", where,
              "Calibrate with LENSMODEL_OPENCV4, 5, 8 or 12, or convert it (mrcal-convert-lensmodel).");
}

}  // namespace

ParsedDocument parse_dictionary(const std::string& text, const std::string& where) {
  return parse_json(json_of_dictionary(text), where);
}

bool is_mrcal(const Document& file) {
  return json_of(file).is_object() && json_of(file).contains("lensmodel");
}

Result<RawCalibration> read_mrcal(const Document& file, const CalibrationOptions&) {
  const json& document = json_of(file);
  const std::string where = file.where();
  VANTAGE_ASSIGN(const size_t count, coefficients_of(document, where));
  VANTAGE_ASSIGN(const auto values, numbers(document, "intrinsics", where));
  if (values.size() != 4 + count)
    return fail(ErrorKind::bad_data,
                "intrinsics has " + std::to_string(values.size()) + " numbers instead of " +
                    std::to_string(4 + count),
                where);
  const char* pose_key = document.contains(kPoseKeys[1]) ? kPoseKeys[1] : kPoseKeys[0];
  VANTAGE_ASSIGN(const auto pose, numbers(document, pose_key, where));
  if (pose.size() != 6)
    return fail(ErrorKind::bad_data,
                std::string(pose_key) + " has " + std::to_string(pose.size()) + " numbers instead of 6",
                where);
  PinholeCamera<double> camera;
  VANTAGE_TRY(set_picture_size(document, "imagersize", where, &camera));
  VANTAGE_TRY(set_intrinsics(std::vector<double>{values[0], 0, values[2], 0, values[1], values[3], 0, 0, 1},
                             where, &camera));
  VANTAGE_TRY(set_distortion(std::span(values).subspan(4), where, &camera));
  VANTAGE_TRY(set_rotation(std::span(pose).first(3), where, &camera));
  VANTAGE_TRY(set_translation(std::span(pose).last(3), where, &camera));
  return RawCalibration{.unit_m = 1,
                        .world = "mrcal's reference, whose floor is not known",
                        .names = {file.path.stem().string()},
                        .cameras = {camera}};
}

namespace {

std::string mrcal_text(const PinholeCamera<double>& camera) {
  std::vector<double> lens = lens_coefficients(camera);
  if (lens.size() == 5 && camera.k3 == 0) lens.pop_back();
  const std::string model = std::string(kOpenCv) + std::to_string(lens.size());
  std::vector<double> values = {camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px};
  values.insert(values.end(), lens.begin(), lens.end());
  const auto turn = rotation_vector_of(camera);
  const double* t = camera.translation_cam_from_world_m;
  const std::array<double, 6> pose = {turn[0], turn[1], turn[2], t[0], t[1], t[2]};
  return "{\n    'lensmodel':  '" + model + "',\n\n    'intrinsics': [ " + list_text(values) +
         ",],\n\n    'extrinsics': [ " + list_text(pose) + ",],\n\n    'imagersize': [ " +
         std::to_string(camera.width_px) + ", " + std::to_string(camera.height_px) + ",]\n}\n";
}

}  // namespace

WrittenFiles write_mrcal(std::span<const Camera> cameras) {
  VANTAGE_TRY(check_lenses(cameras, {.format = "mrcal's OPENCV lens", .coefficients = 12}));
  return file_each(cameras, ".cameramodel", mrcal_text);
}

}  // namespace vantage::calibration_detail
