// One adjustment of cameras from nothing: their lenses, poses and delays, and the paths and heights of people
// whom they show.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/people/detail/floor_paths.h"

namespace vantage::footage_detail {

// A track of a camera.
struct TrackOf {
  size_t camera = 0, track = 0;
};

// A person, by tracks of several cameras.
struct FootagePerson {
  std::vector<TrackOf> tracks;
  double height_m = kAdultHeight_m;
};

struct FootageProblem {
  std::vector<PictureSize> sizes;
  std::vector<const std::vector<PictureTrack>*> tracks;  // by camera
  std::vector<FloorValues> values;                       // by camera
  std::vector<bool> placed;                              // cameras whose values are known so far
  HeightPrior prior;
  // Noise of each kind of joint ("knee"), relative to the usual one; empty: not measured yet.
  std::map<std::string_view, double> joint_noise = {};
};

// Tracks of placed cameras that keep within `reach_m` of each other wherever both show someone. Only people
// whom two cameras show. `heights`: by camera and track, as each camera sees them.
std::vector<FootagePerson> people_together(const FootageProblem& problem, double reach_m,
                                           const std::vector<std::vector<double>>& heights);

struct AdjustmentOptions {
  double widened = 1;  // of the boxes' standard deviations
  size_t max_marks = 4000;
  int max_iterations = 40;
  // Marks to leave out, by world time; empty: none.
  std::function<bool(double time_s)> leave_out = {};
  bool covariance = false;  // of the problem as it is; nothing is improved
};

struct AdjustmentOutcome {
  // The covariance of the placed cameras' values, kFloorValues each, in their order; as if boxes were
  // independent.
  Eigen::MatrixXd covariance;
  double begin_s = 0, end_s = 0;
  std::vector<int64_t> marks;  // by camera
};

// The first placed camera keeps yaw, position and clock.
Result<AdjustmentOutcome> adjust_footage(FootageProblem* problem, std::vector<FootagePerson>* people,
                                         const AdjustmentOptions& options, const StopSource& stop);

// Parts common to every adjustment of cameras from nothing; `marks`: by camera, those that have none are
// left as they are.

// Prior knowledge of cameras, before anything is measured.
void add_usual_cameras(FootageProblem* problem, const std::vector<int64_t>& marks, Adjustment* adjustment);
// Names the blocks of the placed cameras. `centres`: their principal points are free, too.
void free_cameras(FootageProblem* problem, const std::vector<int64_t>& marks, bool centres,
                  Adjustment* adjustment);
// AdjustmentOutcome::covariance by that of the values that free_cameras() with `centres` frees.
Eigen::MatrixXd placed_covariance(const FootageProblem& problem, const std::vector<int64_t>& marks,
                                  const Eigen::MatrixXd& of_free);

}  // namespace vantage::footage_detail
