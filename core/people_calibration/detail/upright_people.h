// Upright people as cameras see them: heads and feet, at a place of the floor in each frame, with a height
// that is the person's own. Together with epipolar tangents they place cameras of which none is held: heads
// and feet say where the floor is, which outlines do not, and hold where only boxes are known.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/people_calibration/detail/tangents.h"

namespace vantage::people_calibration_detail {

// A head's top or feet in a picture, by undistorted coordinates.
struct UprightMark {
  size_t camera = 0, person = 0;  // person: in UprightProblem::people
  bool head = false;
  Eigen::Vector2d at = Eigen::Vector2d::Zero();  // x / z and y / z in the camera's axes
  Eigen::Vector2d std_px = Eigen::Vector2d::Ones();
  double weight = 1;  // of its squared misses
};

// Somebody in one frame.
struct UprightPerson {
  int64_t frame = 0;
  size_t track = 0;  // in UprightProblem::heights_m
  std::array<double, 2> at_m = {};
};

struct UprightProblem {
  std::vector<UprightPerson> people;
  std::vector<double> heights_m;  // by track
  std::vector<UprightMark> marks;
  double widened = 1;  // of the marks' standard deviations: what the loss takes for possible
};

// Improves all changes of `tangents.cameras` by heads, feet and the pairs of outlines whose frame is not in
// [begin, end). Neither scale nor, on the floor, place and direction are seen: the mean distance of the
// cameras stays, and they move as little as they can. Returns the changes' covariance, six values for each
// camera, what is not seen included (unseen.h). Errors: bad_data where no solution is reached.
Result<Eigen::MatrixXd> adjust_all(TangentProblem* tangents, UprightProblem* upright, int64_t begin,
                                   int64_t end);

}  // namespace vantage::people_calibration_detail
