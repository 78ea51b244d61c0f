// A lens's coefficients as a list, what is made of them once, and the way back through it.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>
#include <vector>

#include "core/geometry/lens.h"

namespace vantage {

// In OpenCV's order: k1 k2 p1 p2 k3; of a rational lens 8, 12 or 14, as far as they are not 0; of a fisheye
// four.
std::vector<double> lens_coefficients(const Lens<double>& lens);
std::string_view lens_model_name(LensModel model);  // "polynomial", "rational", "fisheye"

bool is_finite(const Lens<double>& lens);

// A fisheye shows what lies up to this angle off its axis: nearer to 90 degrees X / Z has no bounds.
inline constexpr double kMaxFisheyeAngle_rad = 1.5620696805349743;  // 89.5 degrees

// Sets tilt and max_radius2.
void complete_lens(Lens<double>* lens);

// (x, y) with distort(x, y) = bent, to 1e-12; nothing where there is none within the model. A fisheye's by
// its angle alone, the others by Newton steps that are halved where they would leave the model.
std::optional<Eigen::Vector2d> straightened(const Lens<double>& lens, const Eigen::Vector2d& bent);

}  // namespace vantage
