#include "core/calibration/people/people_lens.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/formatted.h"

namespace vantage {
namespace {

double with_bend(double std, double bent) {
  return std::hypot(std, bent);
}

std::string change_text(const PeopleLens& lens) {
  return formatted("focal length %+.2f %% (+- %.2f), k1 %+.3f (+- %.3f), %.1f px at the picture's corner",
                   100 * lens.focal_change, 100 * with_bend(lens.focal_std, kBentFocal), lens.k1_change,
                   with_bend(lens.k1_std, kBentK1), lens.corner_px);
}

}  // namespace

std::string_view lens_verdict_name(LensVerdict verdict) {
  constexpr std::array<std::string_view, 6> kNames = {"not judged", "fits",   "wrong",
                                                      "open",       "solved", "barely solved"};
  return kNames[static_cast<size_t>(verdict)];
}

LensVerdict judge_held_lens(const PeopleLens& shown) {
  const double focal_std = with_bend(shown.focal_std, kBentFocal), k1_std = with_bend(shown.k1_std, kBentK1);
  if (std::abs(shown.focal_change) > kWrongLensDeviations * focal_std ||
      std::abs(shown.k1_change) > kWrongLensDeviations * k1_std)
    return LensVerdict::wrong;
  return kWrongLensDeviations * focal_std <= kSeenFocal && kWrongLensDeviations * k1_std <= kSeenK1
             ? LensVerdict::fits
             : LensVerdict::open;
}

double corner_shift_px(const Camera& camera, double k1_change) {
  const PinholeCamera<double>& model = camera.model();
  const double x = std::max(model.cx_px, model.width_px - model.cx_px) / model.fx_px,
               y = std::max(model.cy_px, model.height_px - model.cy_px) / model.fy_px;
  const double radius2 = x * x + y * y;
  return std::abs(k1_change) * radius2 * std::hypot(x * model.fx_px, y * model.fy_px);
}

std::string lens_text(const PeopleLens& lens) {
  switch (lens.verdict) {
    case LensVerdict::not_judged:
      return {};
    case LensVerdict::fits:
      return "the fixed lens fits; people show " + change_text(lens) + " from it";
    case LensVerdict::wrong:
      return "the fixed lens does not fit: people show " + change_text(lens) + " from it";
    case LensVerdict::open:
      return "people do not determine whether the fixed lens fits; they show " + change_text(lens) +
             " from it";
    case LensVerdict::solved:
      return "lens solved: " + change_text(lens);
    case LensVerdict::barely_solved:
      return "lens solved, but the footage hardly shows it: " + change_text(lens);
  }
  return {};
}

}  // namespace vantage
