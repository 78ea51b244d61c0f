// MATLAB's cameras as jsonencode() writes them: `cameras`, one or a list, each with the fields of a
// cameraParameters object (RadialDistortion, TangentialDistortion, ImageSize, WorldUnits; K, or
// IntrinsicMatrix, its transpose), a name and a pose: R and Translation of a rigidtform3d
// (estimateExtrinsics: x_cam = R x + t), or RotationMatrix and TranslationVector (extrinsics: rows, x_cam = x
// R + t). The middle of MATLAB's first pixel is (1, 1), and its sizes are rows and columns.
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

std::vector<double> transposed(const std::vector<double>& m) {
  if (m.size() != 9) return m;
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}

Status set_matlab_lens(const json& object, const std::string& where, PinholeCamera<double>* camera) {
  VANTAGE_TRY(set_picture_size(object, "ImageSize", where, camera));
  std::swap(camera->width_px, camera->height_px);
  const bool as_columns = object.contains("K");
  VANTAGE_ASSIGN(std::vector<double> matrix, numbers(object, as_columns ? "K" : "IntrinsicMatrix", where));
  if (!as_columns) matrix = transposed(matrix);
  VANTAGE_TRY(set_intrinsics(matrix, where, camera));
  camera->cx_px -= 1, camera->cy_px -= 1;
  VANTAGE_ASSIGN(const std::vector<double> radial, numbers(object, "RadialDistortion", where));
  VANTAGE_ASSIGN(const std::vector<double> tangential, numbers(object, "TangentialDistortion", where));
  if (radial.size() < 2 || radial.size() > 3 || tangential.size() != 2)
    return fail(ErrorKind::bad_data,
                "RadialDistortion and TangentialDistortion have " + std::to_string(radial.size()) + " and " +
                    std::to_string(tangential.size()) + " numbers instead of 2 or 3, and 2",
                where);
  const double k3 = radial.size() == 3 ? radial[2] : 0;
  return set_distortion(std::vector<double>{radial[0], radial[1], tangential[0], tangential[1], k3}, where,
                        camera);
}

Status set_matlab_pose(const json& object, const std::string& where, PinholeCamera<double>* camera) {
  const bool as_columns = object.contains("R");
  if (!as_columns && !object.contains("RotationMatrix"))
    return fail(ErrorKind::bad_data, "the camera has no pose", where,
                "Add R and Translation of estimateExtrinsics, or RotationMatrix and TranslationVector of "
                "extrinsics: the same board in one place for all cameras.");
  VANTAGE_ASSIGN(std::vector<double> rotation, numbers(object, as_columns ? "R" : "RotationMatrix", where));
  if (rotation.size() != 9)
    return fail(ErrorKind::bad_data,
                "the rotation has " + std::to_string(rotation.size()) + " numbers instead of 9 (3 x 3)",
                where);
  if (!as_columns) rotation = transposed(rotation);
  VANTAGE_ASSIGN(const std::vector<double> translation,
                 numbers(object, as_columns ? "Translation" : "TranslationVector", where));
  VANTAGE_TRY(set_rotation(rotation, where, camera));
  return set_translation(translation, where, camera);
}

// Metres per unit; 0: not stated.
Result<double> world_unit_m(const json& object, const std::string& where) {
  const std::string unit = text_of(object, "WorldUnits");
  if (unit.empty()) return 0.0;
  if (unit == "mm" || unit == "millimeters") return 0.001;
  if (unit == "cm" || unit == "centimeters") return 0.01;
  if (unit == "m" || unit == "meters") return 1.0;
  if (unit == "in" || unit == "inches") return 0.0254;
  return fail(ErrorKind::unsupported, "WorldUnits is \"" + unit.substr(0, 40) + "\"", where,
              "Write mm, cm, m or in there, or leave it out and give --unit-scale.");
}

const json* first_camera(const Document& file) {
  const json& document = json_of(file);
  if (!document.is_object() || document.contains("schema")) return nullptr;
  const auto cameras = document.find("cameras");
  if (cameras == document.end()) return nullptr;
  return cameras->is_array() && !cameras->empty() ? &cameras->front() : &*cameras;
}

}  // namespace

bool is_matlab_json(const Document& file) {
  const json* first = first_camera(file);
  return first && first->is_object() && first->contains("RadialDistortion");
}

Result<RawCalibration> read_matlab_json(const Document& file, const CalibrationOptions&) {
  const json& all = json_of(file)["cameras"];
  const json cameras = all.is_array() ? all : json::array({all});
  RawCalibration raw{.world = "a pose of the board"};
  for (const json& object : cameras) {
    const std::string name = object.is_object() ? text_of(object, "name") : std::string();
    if (name.empty())
      return fail(ErrorKind::bad_data, "the camera has no name",
                  file.where() + ", camera " + std::to_string(raw.cameras.size() + 1), "Add the field name.");
    const std::string where = file.where() + ", camera " + name;
    PinholeCamera<double> camera;
    VANTAGE_TRY(set_matlab_lens(object, where, &camera));
    VANTAGE_TRY(set_matlab_pose(object, where, &camera));
    VANTAGE_ASSIGN(const double unit_m, world_unit_m(object, where));
    if (!raw.cameras.empty() && unit_m != raw.unit_m)
      return fail(ErrorKind::bad_data, "WorldUnits differs from that of the cameras before it", where,
                  "Give all cameras the same unit.");
    raw.unit_m = unit_m;
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

}  // namespace vantage::calibration_detail
