// The evidence of a detection about a hypothesis (fusion.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/fusion/detail/body_boxes.h"

namespace vantage::fusion_detail {

inline constexpr double kMaxForScore = 5;
inline constexpr double kMaxForHead = 2;
inline constexpr float kAboveOfBox = 0.1F, kUpperOfBox = 0.33F;
inline constexpr double kHiddenFeet = 0.15, kGuessedFeet = 0.5, kMaxHiddenFeet = 0.9;
inline constexpr double kUnseenFeet = 0.35;
inline constexpr double kUsualHeight_m = 1.72, kHeightSpread_m = 0.2;
inline constexpr double kRepulsion = 4, kRepulsionReach_m = 0.6, kNearest_m = 0.3;
inline constexpr double kPosteriorReach_m = 0.45;
inline constexpr double kExpectedNear_m = 0.3, kExpectedFar_m = 0.6;

// The part that does not depend on the people before the hypothesis.
struct BoxMatch {
  bool possible = false;
  double fixed = 0;             // score, centre, top and width
  double feet = 0;              // exp(-1/2 (dbottom / 0.08 H)^2), 0.16 of guessed feet
  double unseen = 0;            // u
  double hidden = kHiddenFeet;  // p where no one covers the body
};

inline double nats_of_score(double score) {
  return kMaxForScore * std::clamp((score - 0.2) / 0.4, 0.0, 1.0);
}

// Matches worth at most `min_nats`, no matter who covers the body, need not be found: cheap bounds discard
// most of them before logarithms are taken. `feet`: the box ends at the feet, or where something hides them;
// false: they were guessed (feet_seen()).
inline BoxMatch match(const BoxShape& body, const Box& detection, double score, bool feet, double min_nats) {
  const double height = body.height;
  const double dx = ((detection.left + detection.right) - 2 * body.x) / 2 / height;
  const double top = (detection.top - body.top) / height;
  if (std::abs(dx) > kReachX || std::abs(top) > kReachTop) return {};
  const auto square = [](double value, double spread) { return value / spread * (value / spread); };
  const double for_score = nats_of_score(score);
  const double off = square(dx, kSharesOfX) + square(top, kSharesOfTop);
  if (for_score - off / 2 <= min_nats) return {};
  const double bottom = (detection.bottom - body.bottom) / height;
  const bool may_hide_feet = bottom <= 0 && bottom >= -kLongestUnseen;
  const double spread = spread_of_bottom(feet);
  if (!may_hide_feet && for_score - (off + square(bottom, spread)) / 2 <= min_nats) return {};
  const double width = std::log((detection.right - detection.left) / std::max(1.0F, body.width));
  BoxMatch found;
  found.fixed = for_score - (off + square(width, kWidthSpread)) / 2;
  if (found.fixed <= min_nats) return {};
  found.feet = std::exp(-square(bottom, spread) / 2);
  found.unseen = may_hide_feet ? kUnseenFeet : 0;
  if (!feet) found.hidden = kGuessedFeet;
  found.possible = std::max(found.feet, found.unseen) > 0;
  return found;
}

// L with `covered` points of the body's box hidden by nearer people.
inline double nats(const BoxMatch& match, uint32_t covered) {
  const double share = std::popcount(covered & kLowerHalf) / 16.0;
  const double p = match.hidden + std::max(0.0, kMaxHiddenFeet - match.hidden) * share;
  return match.fixed + std::log((1 - p) * match.feet + p * match.unseen);
}

// Likewise for a head, which a cover of the body's lower half does not hide.
inline BoxMatch match_head(const BoxShape& body, const Box& head, double min_nats) {
  const double size = kHeadOfWidth * static_cast<double>(body.width);
  const auto square = [](double value, double spread) { return value / spread * (value / spread); };
  const double dx = ((head.left + head.right) - 2 * body.x) / 2 / size, top = (head.top - body.top) / size;
  const double larger = std::log((head.bottom - head.top) / size);
  BoxMatch found;
  found.fixed =
      kMaxForHead -
      (square(dx, kHeadSharesOfX) + square(top, kHeadSharesOfTop) + square(larger, kHeadSizeSpread)) / 2;
  if (!(found.fixed > min_nats)) return {};
  found.feet = found.unseen = 1;
  found.possible = true;
  return found;
}

// True if the head is that of the detected person.
inline bool is_head_of(const Box& head, const Box& detection) {
  const float x = (head.left + head.right) / 2, y = (head.top + head.bottom) / 2;
  const float height = detection.bottom - detection.top;
  return x >= detection.left && x <= detection.right && y >= detection.top - kAboveOfBox * height &&
         y <= detection.top + kUpperOfBox * height;
}

// The evidence of a camera that detects nothing.
inline double nats_of_nothing(double visible, double detection_rate) {
  return std::log(1 - detection_rate * std::clamp((visible - 0.25) / 0.45, 0.0, 1.0));
}

// Factor of that evidence, by the share of the visible points in the mask.
inline constexpr double kExcuseBegins = 0.15, kExcused = 0.35;
inline double not_excused(double in_mask) {
  return 1 - std::clamp((in_mask - kExcuseBegins) / (kExcused - kExcuseBegins), 0.0, 1.0);
}

// The share of the `visible` points that is in the mask.
inline double share_in_mask(uint32_t lit, uint32_t visible) {
  return visible == 0 ? 0.0 : std::popcount(lit & visible) / static_cast<double>(std::popcount(visible));
}

inline double nats_of_height(double height_m) {
  const double off = (height_m - kUsualHeight_m) / kHeightSpread_m;
  return -off * off / 2;
}

inline double repulsion(double distance_m) {
  return distance_m < kRepulsionReach_m ? kRepulsion * (1 - distance_m / kRepulsionReach_m) : 0;
}

inline double nats_of_expected(double distance_m, double prior) {
  const double near = (kExpectedFar_m - distance_m) / (kExpectedFar_m - kExpectedNear_m);
  return prior * (2 * std::clamp(near, 0.0, 1.0) - 1);
}

}  // namespace vantage::fusion_detail
