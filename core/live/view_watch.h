// Is a camera's picture still what it was? Looks at a thumbnail of the luma of a few pictures a second:
//
//   frozen    pictures come, and for kFrozen_s every sampled pixel is the same (a sensor's noise never is)
//   covered   the thumbnail's contrast has fallen below kCoveredShare of what it was, for kChanged_s
//   turned    its edges correlate with those of before by less than kTurnedCorrelation, for kChanged_s
//
// "Before" is the mean of the first kLearn_s, which follows slowly while the view agrees with it: lamps, the
// sun and people do not move a scene's edges. Host pictures only; others are not judged.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/image/picture.h"

namespace vantage {

class ViewWatch {
 public:
  static constexpr double kLook_s = 0.2, kFrozen_s = 5, kChanged_s = 3, kLearn_s = 2;
  static constexpr double kCoveredShare = 0.25, kTurnedCorrelation = 0.35;

  // What is wrong, one sentence; empty: nothing.
  const std::string& look(const Picture& picture, int64_t now_ns);

 private:
  static constexpr int kWidth = 32, kHeight = 24;
  using Thumbnail = std::array<float, kWidth * kHeight>;
  struct View {
    Thumbnail luma{};
    uint64_t hash = 0;
  };
  static View view_of(const Picture& picture);
  static Thumbnail edges(const Thumbnail& luma);
  static double contrast(const Thumbnail& luma);
  static double correlation(const Thumbnail& a, const Thumbnail& b);
  void learn(const Thumbnail& luma, double share);

  int64_t first_ns_ = -1, last_look_ns_ = INT64_MIN / 2;
  int learnt_ = 0;
  Thumbnail known_{};
  uint64_t hash_ = 0;
  int64_t same_since_ns_ = 0, uncovered_ns_ = 0, agreed_ns_ = 0;
  std::string problem_;
};

}  // namespace vantage
