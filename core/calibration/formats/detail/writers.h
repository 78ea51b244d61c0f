// Parts that the writers of this folder share: each turns cameras, in metres with z up, into the text of a
// file.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/formats/calibration.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::calibration_detail {

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
