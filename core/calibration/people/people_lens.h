// What people show of lenses: of those that are solved, and of those that are held as given and may be wrong.
//
// A wrong lens bends poses by far more than these scatter: with every focal length 3 % off cameras stand 15
// to 20 cm wrong where 1 cm is said. So wherever all cameras are free, the same footage is solved with lenses
// free as well, and what comes out is compared with the given lenses, with a deviation that holds what masks
// bend lenses by (kBentFocal, kBentK1; figures: resources/docs/performance/calibration.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/geometry/camera.h"

namespace vantage {

enum class LensVerdict : uint8_t {
  not_judged,  // held as given and counted as exact
  fits,        // held; one that is wrong by kSeenFocal or kSeenK1 would show, and this does not
  wrong,       // held; people show another one
  open,        // held; the footage would not show it if it were wrong by so much
  solved,
  barely_solved,  // about as said, not as the footage says
};
// "not judged", "fits", "wrong", "open", "solved", "barely solved".
std::string_view lens_verdict_name(LensVerdict verdict);
inline bool lens_is_held(LensVerdict verdict) {
  return verdict != LensVerdict::solved && verdict != LensVerdict::barely_solved;
}

// Change from the given lens to the one that people show; held or solved. 0 where it is not judged.
struct PeopleLens {
  LensVerdict verdict = LensVerdict::not_judged;
  double focal_change = 0, focal_std = 0;  // relative
  double k1_change = 0, k1_std = 0;
  double corner_px = 0;  // by which k1_change shifts what the picture's farthest corner shows
};

// A solved lens: half of what it is taken to be within.
inline constexpr double kMaxFocalStd = 0.025, kMaxK1Std = 0.1;
// A held lens: how many standard deviations make it wrong, what must show, and what masks bend a lens by in
// any footage (standard deviations).
inline constexpr double kWrongLensDeviations = 2.5;
inline constexpr double kSeenFocal = 0.03, kSeenK1 = 0.05;
inline constexpr double kBentFocal = 0.004, kBentK1 = 0.01;

// Judges a held lens by what people show of it.
LensVerdict judge_held_lens(const PeopleLens& shown);
// As PeopleLens has it.
double corner_shift_px(const Camera& camera, double k1_change);

// A sentence without its end: "the held lens does not fit: people show a focal length 2.6 % shorter (+- 0.8)
// …". Empty where it is not judged.
std::string lens_text(const PeopleLens& lens);

}  // namespace vantage
