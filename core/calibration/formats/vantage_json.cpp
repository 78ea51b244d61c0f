// Our own format; resources/docs/formats.md describes it.
#include <array>

#include "core/base/json.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage {
namespace {

constexpr const char* schema = "vantage-calibration-1";
// In place of "distortion", so that no program takes a fisheye's four numbers for k1 k2 p1 p2.
constexpr const char* kFisheye = "fisheye";

using calibration_detail::member;
using calibration_detail::number;
using calibration_detail::numbers;
using calibration_detail::RawCalibration;
using calibration_detail::whole_number;
using nlohmann::json;

Result<PinholeCamera<double>> read_own_camera(const json& object, const std::string& where) {
  PinholeCamera<double> camera;
  VANTAGE_ASSIGN(camera.width_px, whole_number(object, "width_px", where));
  VANTAGE_ASSIGN(camera.height_px, whole_number(object, "height_px", where));
  VANTAGE_ASSIGN(const double fx, number(object, "fx_px", where));
  VANTAGE_ASSIGN(const double fy, number(object, "fy_px", where));
  VANTAGE_ASSIGN(const double cx, number(object, "cx_px", where));
  VANTAGE_ASSIGN(const double cy, number(object, "cy_px", where));
  const bool fisheye = object.contains(kFisheye);
  VANTAGE_ASSIGN(const auto lens, numbers(object, fisheye ? kFisheye : "distortion", where));
  VANTAGE_ASSIGN(const auto rotation, numbers(object, "rotation_cam_from_world", where));
  VANTAGE_ASSIGN(const auto translation, numbers(object, "translation_cam_from_world_m", where));
  const std::array<double, 9> matrix = {fx, 0, cx, 0, fy, cy, 0, 0, 1};
  VANTAGE_TRY(calibration_detail::set_intrinsics(matrix, where, &camera));
  const auto set_lens = fisheye ? calibration_detail::set_fisheye : calibration_detail::set_distortion;
  VANTAGE_TRY(set_lens(lens, where, &camera));
  VANTAGE_TRY(calibration_detail::set_rotation(rotation, where, &camera));
  VANTAGE_TRY(calibration_detail::set_translation(translation, where, &camera));
  return camera;
}

Status check_header(const json& document, const std::string& where) {
  if (!document.is_object() || !document.contains("schema") || !document["schema"].is_string())
    return fail(ErrorKind::bad_data,
                std::string("is JSON without \"schema\": \"") + schema + "\"" +
                    calibration_detail::keys_held(document),
                where, calibration_detail::expected_in(calibration_detail::Syntax::json));
  const std::string found = document["schema"].get<std::string>();
  if (found != schema)
    return fail(ErrorKind::unsupported, "has the schema \"" + found + "\" instead of \"" + schema + "\"",
                where,
                "A newer version of the program may have written it. " +
                    calibration_detail::expected_in(calibration_detail::Syntax::json));
  for (const auto& [key, expected] : {std::pair{"units", "metres"}, std::pair{"up", "z"}}) {
    VANTAGE_ASSIGN(const json* value, member(document, key, where));
    if (*value != expected)
      return fail(ErrorKind::bad_data, std::string(key) + " is not \"" + expected + "\"", where,
                  "Convert the cameras to metres with z up.");
  }
  return {};
}

Result<RawCalibration> read_own(const json& document, const std::string& where) {
  VANTAGE_TRY(check_header(document, where));
  VANTAGE_ASSIGN(const json* cameras, member(document, "cameras", where));
  if (!cameras->is_array() || cameras->empty())
    return fail(ErrorKind::bad_data, "cameras is not a list with at least one camera", where);
  RawCalibration raw{.unit_m = 1, .unit_is_stated_in_file = true};
  for (const json& object : *cameras) {
    const std::string position = where + ", camera " + std::to_string(raw.cameras.size() + 1);
    const std::string name = object.is_object() ? calibration_detail::text_of(object, "name") : std::string();
    if (name.empty()) return fail(ErrorKind::bad_data, "the camera has no name", position);
    VANTAGE_ASSIGN(const PinholeCamera<double> camera, read_own_camera(object, where + ", camera " + name));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

}  // namespace

Result<RawCalibration> calibration_detail::read_vantage_json(const Document& file,
                                                             const CalibrationOptions&) {
  return read_own(json_of(file), file.where());
}

calibration_detail::WrittenFiles calibration_detail::write_vantage_json(std::span<const Camera> cameras) {
  return std::vector<CalibrationFile>{{"", calibration_to_json({cameras.begin(), cameras.end()})}};
}

Result<std::vector<Camera>> calibration_from_json(const std::string& text, const std::string& where) {
  VANTAGE_ASSIGN(const auto document, calibration_detail::parse_json(text, where));
  VANTAGE_ASSIGN(const RawCalibration raw, read_own(calibration_detail::json_of(*document), where));
  return calibration_detail::make_cameras(raw, where);
}

std::string calibration_to_json(const std::vector<Camera>& cameras) {
  nlohmann::ordered_json document = {{"schema", schema}, {"units", "metres"}, {"up", "z"}};
  auto& list = document["cameras"] = nlohmann::ordered_json::array();
  for (const Camera& camera : cameras) {
    const PinholeCamera<double>& m = camera.model();
    const double* r = m.rotation_cam_from_world;
    list.push_back({{"name", camera.name()},
                    {"width_px", m.width_px},
                    {"height_px", m.height_px},
                    {"fx_px", m.fx_px},
                    {"fy_px", m.fy_px},
                    {"cx_px", m.cx_px},
                    {"cy_px", m.cy_px},
                    {m.lens == LensModel::fisheye ? kFisheye : "distortion", lens_coefficients(m)},
                    {"rotation_cam_from_world", {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}},
                    {"translation_cam_from_world_m", m.translation_cam_from_world_m}});
  }
  // Names come from files: bytes that are not UTF-8 are replaced rather than thrown at.
  return json_text(document, 2) + "\n";
}

}  // namespace vantage
