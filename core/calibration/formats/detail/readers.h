// The common part of this folder's readers: each turns the text of one file into cameras in the file's own
// units and axes; read_calibration() then converts to metres, z up.
#pragma once

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/formats/calibration.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::calibration_detail {

// A file's content before the conversion at the door.
struct RawCalibration {
  std::string format = {};  // its name in formats.cpp, filled in there
  // Metres per unit when the format or the file states it, 0 when neither does.
  double unit_m = 0;
  bool unit_is_stated_in_file = false;  // then an option that says otherwise is an error
  std::string up_axis = "z";            // the format's own
  std::string world = {};  // what it belongs to where that may be no floor: "a pose of the board"
  std::vector<std::string> left_out = {};  // what is no camera with a pose: a sentence each
  std::vector<std::string> names = {};     // one per camera
  std::vector<PinholeCamera<double>> cameras = {};

  void leave_out_unposed(const std::string& camera) {
    left_out.push_back("camera " + camera + " has no pose and is left out");
  }
};

// Cameras with their names, which have to differ; what is wrong with one is said by its name.
Result<std::vector<Camera>> make_cameras(const RawCalibration& raw, const std::string& where);

// OpenCV's files: one camera each, named after the file or its folder; of the size that stands there (0: it
// does not), else of the video's.
std::string opencv_camera_name(const std::filesystem::path& path);
Status set_opencv_size(int width_px, int height_px, const CalibrationOptions& options,
                       const std::string& where, PinholeCamera<double>* camera);

// The parts of a camera from plain numbers. `where` names file and camera in errors.
// 3x3 row-major; skew must be 0 and the last row 0 0 1.
Status set_intrinsics(std::span<const double> matrix, const std::string& where,
                      PinholeCamera<double>* camera);
// k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 tau_x tau_y in this order, OpenCV's. Those that a shorter list leaves
// out are 0 (none: no distortion). The lens is rational where one after the fifth is not 0.
Status set_distortion(std::span<const double> coefficients, const std::string& where,
                      PinholeCamera<double>* camera);
// A fisheye's k1 k2 k3 k4 (core/geometry/lens.h); those that a shorter list leaves out are 0.
Status set_fisheye(std::span<const double> coefficients, const std::string& where,
                   PinholeCamera<double>* camera);
// Three numbers: a rotation vector (Rodrigues); nine: a row-major matrix.
Status set_rotation(std::span<const double> rotation, const std::string& where,
                    PinholeCamera<double>* camera);
Status set_translation(std::span<const double> translation, const std::string& where,
                       PinholeCamera<double>* camera);

// Numbers and names as the writers of this folder put them.

// The shortest text that reads back as the same number, always with a point or an exponent: TOML's and
// OpenCV's real numbers have one.
inline std::string number_text(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

inline std::string list_text(std::span<const double> values, const char* between = ", ") {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : between) + number_text(value);
  return text;
}

// Rows of `columns` numbers: "[1.0, 0.0], [0.0, 1.0]".
inline std::string rows_text(std::span<const double> values, size_t columns) {
  std::string text;
  for (size_t i = 0; i + columns <= values.size(); i += columns)
    text += (text.empty() ? "[" : ", [") + list_text(values.subspan(i, columns)) + "]";
  return text;
}

// Parts that the writers of this folder share: each turns cameras, in metres with z up, into the text of a
// file.

using WrittenFiles = Result<std::vector<CalibrationFile>>;

// Row-major.
std::array<double, 9> intrinsics_of(const PinholeCamera<double>& camera);
// Rodrigues: the axis, as long as the angle in radians.
std::array<double, 3> rotation_vector_of(const PinholeCamera<double>& camera);

// An error where a camera's lens has what the format does not hold.
struct LensesHeld {
  const char* format;
  size_t coefficients = 14;  // in OpenCV's order
  bool fisheye = false;
};
Status check_lenses(std::span<const Camera> cameras, const LensesHeld& held);

// A file of each camera, called after it. Two names that give one file are told apart before anything is
// written.
WrittenFiles file_each(std::span<const Camera> cameras, const char* suffix,
                       std::string (*text_of)(const PinholeCamera<double>&));

WrittenFiles write_mrcal(std::span<const Camera> cameras);
WrittenFiles write_colmap(std::span<const Camera> cameras);
WrittenFiles write_opencv_xml(std::span<const Camera> cameras);
WrittenFiles write_opencv_yaml(std::span<const Camera> cameras);
WrittenFiles write_pose2sim_toml(std::span<const Camera> cameras);
WrittenFiles write_anipose_toml(std::span<const Camera> cameras);
WrittenFiles write_caliscope_toml(std::span<const Camera> cameras);
WrittenFiles write_kalibr_yaml(std::span<const Camera> cameras);
WrittenFiles write_k_r_t_json(std::span<const Camera> cameras);
WrittenFiles write_vantage_json(std::span<const Camera> cameras);

}  // namespace vantage::calibration_detail
