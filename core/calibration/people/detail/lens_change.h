// Lenses that may be otherwise than said: what an undistorted point of a picture changes by.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {

// Change of a camera's lens: of the focal length, relative, and of k1.
using LensChange = std::array<double, 2>;

// The same camera through the changed lens. Errors: bad_data where that is not valid.
Result<Camera> with_lens(const Camera& camera, const LensChange& change);

// x / z and y / z in the camera's axes, and their slopes by LensChange.
struct SeenPoint {
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
  Eigen::Matrix2d slopes = Eigen::Matrix2d::Zero();
};

class LensSlopes {
 public:
  explicit LensSlopes(const Camera& camera);
  // Nothing where the lens shows no ray at the pixel.
  std::optional<SeenPoint> at(const Eigen::Vector2d& pixel_px) const;

 private:
  Camera camera_;
  std::vector<Camera> changed_;  // one for each value; none where a small change is not valid
};

}  // namespace vantage::people_calibration_detail
