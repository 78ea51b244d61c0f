// Poses of cameras from the people who walk through ordinary footage, without a board.
// Explanation: resources/docs/algorithms/people-calibration.md.
//
// People are found in the boxes of all cameras' outlines (core/fusion). Outlines of one person in two cameras
// have their epipolar tangents in common (detail/tangents.h); the free cameras are moved until they have, by
// least squares with Tukey's loss (Ceres). A free camera's own outlines find no people in the first turn; the
// displacement of its boxes as a whole is its first rotation.
//
// Uncertainty of a pose: by solving again without each of kParts stretches of the footage (the delete-a-group
// jackknife; J. Shao, D. Tu, "The Jackknife and Bootstrap", 1995). For cameras placed against others the mean
// counts of that and of what the pairs themselves leave open, each position on the floor counted once; if all
// are free, of that and of the same by positions (detail/pose_uncertainty.h).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/people/person_outlines.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"

namespace vantage {

struct Report;

// Lenses as people show them: solved ones, and fixed ones, which may be wrong as given.
//
// A wrong lens bends poses by far more than these scatter: with every focal length 3 % off cameras are 15 to
// 20 cm wrong where 1 cm is reported. So if all cameras are free, the same footage is solved with lenses free
// as well, and the result is compared with the given lenses, with a deviation that includes the bias by masks
// (kBentFocal, kBentK1; figures: resources/docs/performance/calibration.md).

enum class LensVerdict : uint8_t {
  not_judged,  // fixed as given and counted as exact
  fits,        // fixed; one that is wrong by kSeenFocal or kSeenK1 would show, and this does not
  wrong,       // fixed; people show another one
  open,        // fixed; the footage would not show it if it were wrong by so much
  solved,
  barely_solved,  // hardly better known than as given
};
// "not judged", "fits", "wrong", "open", "solved", "barely solved".
std::string_view lens_verdict_name(LensVerdict verdict);
inline bool lens_is_fixed(LensVerdict verdict) {
  return verdict != LensVerdict::solved && verdict != LensVerdict::barely_solved;
}

// Change from the given lens to the one that people show; fixed or solved. 0: not judged.
struct PeopleLens {
  LensVerdict verdict = LensVerdict::not_judged;
  double focal_change = 0, focal_std = 0;  // relative
  double k1_change = 0, k1_std = 0;
  double corner_px = 0;  // shift at the picture's farthest corner by k1_change
};

// A solved lens: half of the given one's deviations.
inline constexpr double kMaxFocalStd = 0.025, kMaxK1Std = 0.1;
// A fixed lens: standard deviations that make it wrong, the change that must show, and the bias by masks in
// any footage (standard deviations).
inline constexpr double kWrongLensDeviations = 2.5;
inline constexpr double kSeenFocal = 0.03, kSeenK1 = 0.05;
inline constexpr double kBentFocal = 0.004, kBentK1 = 0.01;

// Judges a fixed lens by what people show of it.
LensVerdict judge_fixed_lens(const PeopleLens& shown);
// PeopleLens::corner_px.
double corner_shift_px(const Camera& camera, double k1_change);

// A sentence without its end: "the fixed lens does not fit: people show focal length -2.60 % …". Empty where
// it is not judged.
std::string lens_text(const PeopleLens& lens);

struct PeopleSolveInput {
  std::vector<Camera> cameras;      // as given
  std::vector<bool> free;           // one per camera: its pose is solved; two at least are fixed, or none
  std::vector<PeopleFrame> frames;  // in the order of time
  FloorRectangle floor;             // where people may stand
  // The people's mean height, which gives the scale if no camera is fixed; nothing: the cameras' mean
  // distance from each other is kept.
  std::optional<double> mean_height_m = std::nullopt;
  // Each camera's focal length and k1 are solved, too; only if no camera is fixed. They are taken to be
  // within 5 % and 0.2 of the given ones (standard deviations).
  bool solve_lenses = false;
  // Fixed lenses are judged, if all cameras are free, by a second solution; else they count as exact.
  bool judge_lenses = true;
  // Factor by which a free camera's tangents must miss less once it is placed, with fixed cameras. If none
  // does, the poses' uncertainty, half of the work, is not computed: deviations and covariances are 0, and
  // the cameras count as determined. 0: always computed.
  double min_gain = 0;
};

struct PeopleSolvedCamera {
  Camera camera;
  bool free = false;
  // Change from the given pose: rotation about the camera's axes (radians), shift of the centre in the world
  // (m).
  CameraChange change = CameraChange::Zero();
  Eigen::Matrix<double, kChanges, kChanges> covariance = Eigen::Matrix<double, kChanges, kChanges>::Zero();
  // `covariance` has the focal length's, too, if it is solved or open; change[6] if it is solved.
  PeopleLens lens;
  double turned_deg = 0, moved_m = 0;          // lengths of both
  double turned_std_deg = 0, moved_std_m = 0;  // their standard deviations, in any direction
  // The same for any lens, rather than for the given one; only if fixed lenses are judged.
  double turned_any_lens_deg = 0, moved_any_lens_m = 0;
  int64_t outlines = 0;  // of people whom another camera shows, too
  // Misses of its tangents where nothing hides people, as a standard deviation: by the given pose and by that
  // of `camera`.
  double before_px = 0, after_px = 0;
  bool determined = true;  // false: the footage leaves it open, and the pose is the given one
};

struct PeopleSolution {
  std::vector<PeopleSolvedCamera> cameras;
  int64_t frames = 0, people = 0;  // used; a person counts in each frame
  bool all_free = false;           // no camera was fixed: scale and floor are as below
  double mean_height_m = 0;        // of the people in the solved world; with all_free
  double scale = 1;                // by which PeopleSolveInput::mean_height_m made the world larger
};

// Cameras with wrong lenses.
std::vector<size_t> wrong_lenses(const PeopleSolution& solution);
// "The fixed lens of cam2 does not fit, so that no camera is changed"; empty where all fit.
std::string wrong_lenses_text(const PeopleSolution& solution);

// `given`: the cameras as they were, under the names that it states. `grid`: null: how far positions on the
// floor move is left out. `stated_height`: the scale follows from PeopleSolveInput::mean_height_m.
Report report_of(const PeopleSolution& solution, const std::vector<Camera>& given, const VoxelGrid* grid,
                 bool stated_height);

// More frames than this add little: an even choice is used.
inline constexpr size_t kMaxPeopleFrames = 240;
inline constexpr size_t kParts = 6;
inline constexpr int64_t kMinOutlines = 12;  // of a free camera
// Standard deviations beyond which a pose is not determined.
inline constexpr double kMaxTurnedStd_deg = 0.5, kMaxMovedStd_m = 0.1;

// The floor under a grid and around it: a wrong camera places people beyond the grid.
FloorRectangle floor_around(const VoxelGrid& grid);

// invalid_argument: no camera is free, exactly one is fixed, all of fewer than three are free, or lenses are
// to be solved though a camera is fixed.
Status check_free_cameras(const std::vector<bool>& free, bool solve_lenses);

// Same input, same bytes. If all cameras are free and lenses fixed, these are judged on request: if one is
// wrong, or the deviations of an open one are beyond the limits, no camera is determined. Errors: those of
// check_free_cameras(); bad_data if a free camera shows fewer than kMinOutlines people whom others see, or a
// solved lens is not valid; cancelled.
Result<PeopleSolution> solve_from_people(const PeopleSolveInput& input, const StopSource& stop);

}  // namespace vantage
