// Kalibr's camera chain, camchain-*.yaml (P. Furgale, J. Rehder, R. Siegwart, "Unified temporal and spatial
// calibration for multi-sensor systems", IROS 2013): cam0, cam1, ... each with T_cn_cnm1, which takes points
// of the camera before it to its own, in metres. A chain has no world and no floor: T_cam_world of cam0, a
// line that users add, says where they are. Without it the world is cam0's frame, but only for those who ask
// for that by naming its up-axis.
#include <cmath>

#include "core/calibration/formats/detail/json_readers.h"
#include "core/calibration/formats/detail/readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;
using RowMajor4d = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;

Result<Eigen::Matrix4d> transform(const json& object, const char* key, const std::string& where) {
  VANTAGE_ASSIGN(const std::vector<double> values, numbers(object, key, where));
  if (values.size() != 16)
    return fail(ErrorKind::bad_data,
                std::string(key) + " has " + std::to_string(values.size()) + " numbers instead of 16 (4 x 4)",
                where);
  const Eigen::Matrix4d matrix = Eigen::Map<const RowMajor4d>(values.data());
  if ((matrix.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).cwiseAbs().maxCoeff() > 1e-9)
    return fail(ErrorKind::bad_data, std::string(key) + " does not end with the row 0 0 0 1", where);
  return matrix;
}

Status set_lens(const json& object, const std::string& where, PinholeCamera<double>* camera) {
  const std::string model = text_of(object, "camera_model"), lens = text_of(object, "distortion_model");
  if (model != "pinhole" || (lens != "radtan" && lens != "equi" && lens != "equidistant" && lens != "none"))
    return fail(
        ErrorKind::unsupported,
        "the camera model is " + model + '-' + lens + "; the program's are pinhole-radtan and pinhole-equi",
        where,
        "Calibrate with --models pinhole-radtan or, for a fisheye, pinhole-equi, or straighten the "
        "videos and calibrate those.");
  VANTAGE_TRY(set_picture_size(object, "resolution", where, camera));
  VANTAGE_ASSIGN(const std::vector<double> f, numbers(object, "intrinsics", where));
  if (f.size() != 4)
    return fail(ErrorKind::bad_data,
                "intrinsics has " + std::to_string(f.size()) + " numbers instead of 4 (fu, fv, pu, pv)",
                where);
  VANTAGE_TRY(set_intrinsics(std::vector<double>{f[0], 0, f[2], 0, f[1], f[3], 0, 0, 1}, where, camera));
  if (lens == "none") return {};
  VANTAGE_ASSIGN(const std::vector<double> distortion, numbers(object, "distortion_coeffs", where));
  return lens == "radtan" ? set_distortion(distortion, where, camera)
                          : set_fisheye(distortion, where, camera);
}

Status set_pose(const Eigen::Matrix4d& cam_from_world, const std::string& where,
                PinholeCamera<double>* camera) {
  std::vector<double> rotation, translation;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) rotation.push_back(cam_from_world(row, column));
    translation.push_back(cam_from_world(row, 3));
  }
  VANTAGE_TRY(set_rotation(rotation, where, camera));
  return set_translation(translation, where, camera);
}

// The pose of cam0 in the world that the others are to stand in.
Result<Eigen::Matrix4d> first_from_world(const json& first, bool up_is_given, const std::string& where) {
  if (first.contains("T_cam_world")) return transform(first, "T_cam_world", where + ", camera cam0");
  if (up_is_given) return Eigen::Matrix4d(Eigen::Matrix4d::Identity());
  return fail(ErrorKind::invalid_argument, "states the relative poses of the cameras, but not the floor",
              where,
              "Add to cam0 the line T_cam_world: [[r, r, r, x], [r, r, r, y], [r, r, r, z], [0, 0, 0, 1]], "
              "which takes "
              "points of the world (metres, z up, the floor at z = 0) to cam0. Where no floor is needed, to "
              "synchronise "
              "for instance, cam0 itself can be the world: give its axis that points up (--up-axis -y for a "
              "level one).");
}

std::string comment_text(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  return name;
}

Result<int> count_cameras(const json& chain, const std::string& where) {
  int count = 0;
  for (const auto& [key, object] : chain.items())
    count += key.starts_with("cam") && key.size() > 3 &&
             key.find_first_not_of("0123456789", 3) == std::string::npos;
  for (int i = 0; i < count; ++i)
    if (!chain.contains("cam" + std::to_string(i)) || !chain["cam" + std::to_string(i)].is_object())
      return fail(ErrorKind::bad_data, "cam" + std::to_string(i) + " is missing in the chain", where,
                  "Every camera's pose is relative to the one before it.");
  return count;
}

}  // namespace

bool is_kalibr_yaml(const Document& file) {
  const json& chain = json_of(file);
  return chain.is_object() && chain.contains("cam0") && chain["cam0"].is_object() &&
         chain["cam0"].contains("camera_model");
}

Result<RawCalibration> read_kalibr_yaml(const Document& file, const CalibrationOptions& options) {
  const json& chain = json_of(file);
  RawCalibration raw{.unit_m = 1};
  VANTAGE_ASSIGN(const int count, count_cameras(chain, file.where()));
  VANTAGE_ASSIGN(Eigen::Matrix4d cam_from_world,
                 first_from_world(chain["cam0"], options.up_axis.has_value(), file.where()));
  if (!chain["cam0"].contains("T_cam_world")) raw.world = "cam0, whose floor is not known";
  for (int i = 0; i < count; ++i) {
    const std::string name = "cam" + std::to_string(i), where = file.where() + ", camera " + name;
    if (i > 0) {
      VANTAGE_ASSIGN(const Eigen::Matrix4d cam_from_previous, transform(chain[name], "T_cn_cnm1", where));
      cam_from_world = (cam_from_previous * cam_from_world).eval();
    }
    PinholeCamera<double> camera;
    VANTAGE_TRY(set_lens(chain[name], where, &camera));
    VANTAGE_TRY(set_pose(cam_from_world, where, &camera));
    raw.names.push_back(name);
    raw.cameras.push_back(camera);
  }
  return raw;
}

// The world is kept by T_cam_world, a line that Kalibr itself does not read.
WrittenFiles write_kalibr_yaml(std::span<const Camera> cameras) {
  VANTAGE_TRY(check_lenses(cameras, {.format = "Kalibr's radtan lens", .coefficients = 4, .fisheye = true}));
  std::string text;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const PinholeCamera<double>& m = cameras[i].model();
    const Eigen::Isometry3d cam_from_world = cameras[i].cam_from_world();
    const RowMajor4d pose =
        i == 0 ? cam_from_world.matrix()
               : (cam_from_world * cameras[i - 1].cam_from_world().inverse(Eigen::Isometry)).matrix();
    const std::array<double, 4> intrinsics = {m.fx_px, m.fy_px, m.cx_px, m.cy_px};
    const std::vector<double> lens = lens_coefficients(m);
    const bool fisheye = m.lens == LensModel::fisheye;
    text += "cam" + std::to_string(i) + ":  # " + comment_text(cameras[i].name()) + "\n  " +
            (i == 0 ? "T_cam_world" : "T_cn_cnm1") + ": [" + rows_text({pose.data(), 16}, 4) +
            "]\n  cam_overlaps: []\n  camera_model: pinhole\n  distortion_model: " +
            (fisheye ? "equidistant" : "radtan") + "\n  distortion_coeffs: [" +
            list_text(std::span(lens).first(4)) + "]\n  intrinsics: [" + list_text(intrinsics) +
            "]\n  resolution: [" + std::to_string(m.width_px) + ", " + std::to_string(m.height_px) +
            "]\n  rostopic: /cam" + std::to_string(i) + "\n";
  }
  return std::vector<CalibrationFile>{{"", text}};
}

}  // namespace vantage::calibration_detail
