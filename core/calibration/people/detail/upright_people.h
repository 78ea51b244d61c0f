// Upright people as cameras see them: heads and feet, at a position on the floor in each frame, with a height
// that is the person's own. Together with epipolar tangents they place cameras of which none is fixed: heads
// and feet show where the floor is, which outlines do not, and are known where there are only boxes.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/people/detail/tangents.h"
#include "core/calibration/people/person_outlines.h"

namespace vantage::people_calibration_detail {

// A person in one picture. Across, a box's middle is on the body's axis at the height of its own middle,
// which is neither where the head is nor where the feet are: cameras that look down see bodies slanted.
struct UprightMark {
  size_t camera = 0, person = 0;  // person: in UprightProblem::people
  double left_px = 0, top_px = 0, right_px = 0, bottom_px = 0;
  double head_px = 0;  // across; only where head_std_px is not 0
  // Standard deviations; 0: not seen.
  double head_std_px = 0, middle_std_px = 0, top_std_px = 0, bottom_std_px = 0;
  double weight = 1;  // of its squared misses
};

// `camera` is the picture's, `number` and `person` what the mark says of both. What a border cuts off is not
// seen.
UprightMark mark_of(const PersonOutline& outline, const Camera& camera, size_t number, size_t person);

// A person in one frame.
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

// Improves all changes of `tangents.cameras`, and of their lenses where they are to be solved, by people and
// pairs of outlines. Neither scale nor, on the floor, position and direction are seen: the mean distance of
// the cameras is kept, and they move as little as they can. Returns the changes' covariance, as values_of()
// orders them, the gauge included (core/calibration/adjust/gauge.h). Errors: bad_data where no solution is
// reached.
Result<Eigen::MatrixXd> adjust_all(TangentProblem* tangents, UprightProblem* upright);

}  // namespace vantage::people_calibration_detail
