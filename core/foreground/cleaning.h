// The steps of the foreground's spatial cleaning; see foreground.h. Plain data: .cu files include this
// header.
#pragma once

namespace vantage {

// The largest opening and closing.
inline constexpr int kMaxCleaningRadius = 8;

// The minimum or maximum over a square window; radius at most 2 * kMaxCleaningRadius.
struct CleaningStep {
  bool maximum;
  int radius;
};

}  // namespace vantage
