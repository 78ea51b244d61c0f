// Calibration files: one reader per format, chosen by content, converted at the door to metres, z up,
// cam_from_world.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera.h"

namespace vantage {

struct CalibrationOptions {
  // Metres per unit of the file (board squares, millimetres); nothing: the format's own, or an error when it
  // states none.
  std::optional<double> unit_scale_m;
  // The world axis that points up in the file, as "x", "-y", "z"; nothing: the format's own.
  std::optional<std::string> up_axis;
  // The file's world is left-handed, or cameras were placed as in a mirror; the world's y axis (with z up) is
  // then negated.
  bool mirror = false;
  // For formats that hold no picture size (OpenCV XML): the video's.
  int width_px = 0, height_px = 0;
  // For formats that hold cameras of several types (CMU Panoptic JSON: "hd", "vga"): only these; empty: all.
  std::string camera_type = {};
};

struct Calibration {
  std::string format;  // by its name in formats.cpp: "OpenCV XML", "Pose2Sim TOML", ...
  std::string stated;  // as understood: "units of 0.115 m, z up", and the world where it may have no floor
  std::vector<Camera>
      cameras;        // named as in the file; OpenCV XML is one camera named after its folder or file
  double unit_m = 1;  // metres per unit of the file, as it was read
  bool unit_is_stated = false;             // by the file itself, not by its format alone
  std::vector<std::string> left_out = {};  // cameras without a pose and other parts: a sentence each
};

Result<Calibration> read_calibration(const std::filesystem::path& path, const CalibrationOptions& options);

// The camera in the world whose y axis is negated, with the picture as it is: cameras of a left-handed world
// as they are in a right-handed one.
void mirror(PinholeCamera<double>* camera);

// A file to be written.
struct CalibrationFile {
  std::string name;  // where each camera is a file: "cam1.xml"; empty: the only one
  std::string text;
};
// In the format of that name ("opencv-xml"), as written_calibration_formats() lists them; metres, z up. What
// the format does not hold (a coefficient of the lens) is an error, of kind unsupported, that says so.
Result<std::vector<CalibrationFile>> write_calibration(const std::vector<Camera>& cameras,
                                                       const std::string& format);
std::vector<std::string> written_calibration_formats();
// Writes them to `out`, or into the folder `out` where it is one or the format has a file for each camera; in
// the format of that name. Returns the files. Errors: as above; invalid_argument where a file is there
// already and is not to be replaced; io. Nothing is written where one of the files may not be.
Result<std::vector<std::filesystem::path>> save_calibration(const std::vector<Camera>& cameras,
                                                            const std::string& format,
                                                            const std::filesystem::path& out, bool replace);

// Our own format: {"schema": "vantage-calibration-1", "units": "metres", "up": "z", "cameras": [...]}, see
// resources/docs/formats.md.
std::string calibration_to_json(const std::vector<Camera>& cameras);
Result<std::vector<Camera>> calibration_from_json(const std::string& text, const std::string& where);

}  // namespace vantage
