// The common part of this folder's readers: each turns the text of one file into cameras in the file's own
// units and axes; read_calibration() then converts to metres, z up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/formats/calibration.h"

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

}  // namespace vantage::calibration_detail
