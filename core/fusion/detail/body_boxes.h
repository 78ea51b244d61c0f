// The boxes of all hypotheses in the pictures, and the search for those that fit a detection.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/fusion/body_box.h"
#include "core/fusion/fusion.h"
#include "core/people/mask_samples.h"

namespace vantage::fusion_detail {

using Box = PixelBox;

// Positions x heights; index: height + heights * (x + nx * y).
struct HypothesisGrid {
  FloorRectangle floor;
  double cell_m = PeopleFusion::kCell_m;
  int nx = 0, ny = 0;

  explicit HypothesisGrid(const FloorRectangle& floor);
  int32_t count() const { return nx * ny * static_cast<int32_t>(PeopleFusion::kHeights_m.size()); }
  double x_m(int32_t hypothesis) const;
  double y_m(int32_t hypothesis) const;
  double height_m(int32_t hypothesis) const;
};

// Values compared with a detection: the cut box, and the height of the whole one.
struct BoxShape {
  float x = 0, top = 0, bottom = 0, width = 0;  // x: of its middle
  float height = 0;
};
inline BoxShape shape_of(const BodyBox& body) {
  return {(body.cut.left + body.cut.right) / 2, body.cut.top, body.cut.bottom, body.cut.right - body.cut.left,
          body.whole.bottom - body.whole.top};
}

// Spreads of a detection's middle, top, bottom and width, in shares of the predicted height (fusion.h).
inline constexpr double kSharesOfX = 0.07, kSharesOfTop = 0.06, kSharesOfBottom = 0.08, kWidthSpread = 0.35;
// The spread of a bottom that was guessed from a trunk.
inline constexpr double kSharesOfGuess = 0.16;
inline constexpr double spread_of_bottom(bool feet) {
  return feet ? kSharesOfBottom : kSharesOfGuess;
}
// Maximum share of the height by which a detection ends above unseen feet.
inline constexpr double kLongestUnseen = 0.65;
// Spreads of a head, in shares of its predicted width, which is kHeadOfWidth of the body's.
inline constexpr double kHeadOfWidth = 0.5, kHeadSharesOfX = 0.3, kHeadSharesOfTop = 0.4,
                        kHeadSizeSpread = 0.3;
// Maximum errors of a detection's centre and top, in units of the predicted height; beyond, L is below that
// of a camera that detects nothing, and they do not belong together.
inline constexpr float kReachX = 0.27F, kReachTop = 0.235F;

// Points of a box, 4 columns x 8 rows, a bit each: row by row from the top.
inline constexpr int kColumns = 4, kRows = 8, kPoints = kColumns * kRows;
inline constexpr uint32_t kLowerHalf = 0xFFFF0000U;
// The points of `box` inside `cover`.
uint32_t covered_points(const Box& box, const Box& cover);
// The points of `box` that are in the mask; none of an empty one.
uint32_t points_in_mask(const Box& box, const MaskSamples& mask);

// The points of a body's box in the picture and in no ignored region; none where the camera has no say.
uint32_t shown_points(const BodyBox& body, const IgnoredPixels& ignored);

// The boxes of all hypotheses in one camera, indexed by position.
class BoxIndex {
 public:
  BoxIndex(const HypothesisGrid& grid, const PinholeCamera<double>& camera,
           const IgnoredPixels& ignored = {});
  const BodyBox& box(int32_t hypothesis) const { return boxes_[hypothesis]; }
  // The points of its box in the picture and in no ignored region; none where the camera has no say.
  uint32_t inside(int32_t hypothesis) const { return inside_[hypothesis]; }
  // Calls `take` with every hypothesis, and its shape, that the detection misses by at most `max_squares`,
  // and with few others. `max_squares`: sum of the squared errors of middle, top, width and of a bottom below
  // the feet, each in units of its spread. `feet`: as for match().
  template <typename Take>
  void for_candidates(const Box& detection, bool feet, double max_squares, const Take& take) const;
  // Likewise for a head.
  template <typename Take>
  void for_candidates_of_head(const Box& head, double max_squares, const Take& take) const;

 private:
  static constexpr int kBins = 24;  // a side
  int bin_of(const Box& cut) const;
  void fill(size_t member, int32_t hypothesis, const BoxShape& shape);

  PinholeCamera<double> camera_;
  std::vector<BodyBox> boxes_;
  std::vector<uint32_t> inside_;
  struct Bin {
    int32_t begin = 0;
    float min_x = 0, max_x = 0, min_top = 0, max_top = 0;  // of the boxes in it
    float tallest = 0;
  };
  std::vector<Bin> bins_;  // one more than there are
  // Hypotheses by bin, with their search keys and compared values, value by value: boxes themselves are far
  // apart in memory.
  struct Members {
    std::vector<int32_t> hypothesis;
    std::vector<float> x, top, bottom, width, height, per_height, log_width;
  };
  Members members_;
};

template <typename Take>
void BoxIndex::for_candidates(const Box& detection, bool feet, double max_squares, const Take& take) const {
  constexpr size_t kAtOnce = 64;
  constexpr auto per = [](double spread) { return static_cast<float>(1 / (spread * spread)); };
  constexpr float kPerX = per(kSharesOfX), kPerTop = per(kSharesOfTop), kPerWidth = per(kWidthSpread),
                  kRounding = 0.01F;
  const float per_bottom = per(spread_of_bottom(feet));
  const float x = (detection.left + detection.right) / 2, top = detection.top, bottom = detection.bottom;
  const float log_width = std::log(detection.right - detection.left);
  const float largest = static_cast<float>(max_squares) + kRounding;
  std::array<char, kAtOnce> near{};
  for (size_t i = 0; i + 1 < bins_.size(); ++i) {
    const Bin& bin = bins_[i];
    const float reach_x = kReachX * bin.tallest, reach_top = kReachTop * bin.tallest;
    if (bin.begin == bins_[i + 1].begin || x < bin.min_x - reach_x || x > bin.max_x + reach_x ||
        top < bin.min_top - reach_top || top > bin.max_top + reach_top)
      continue;
    const auto end = static_cast<size_t>(bins_[i + 1].begin);
    for (auto from = static_cast<size_t>(bin.begin); from < end; from += kAtOnce) {
      const size_t count = std::min(kAtOnce, end - from);
      for (size_t k = 0; k < count; ++k) {
        const float scale = members_.per_height[from + k];
        const float dx = (x - members_.x[from + k]) * scale, dtop = (top - members_.top[from + k]) * scale;
        const float down = (bottom - members_.bottom[from + k]) * scale, below = std::max(down, 0.0F);
        const float wider = log_width - members_.log_width[from + k];
        const float squares =
            dx * dx * kPerX + dtop * dtop * kPerTop + below * below * per_bottom + wider * wider * kPerWidth;
        near[k] = static_cast<char>((squares <= largest) & (down >= -kRounding - float{kLongestUnseen}));
      }
      for (size_t k = 0; k < count; ++k)
        if (near[k]) {
          const size_t at = from + k;
          take(members_.hypothesis[at], BoxShape{members_.x[at], members_.top[at], members_.bottom[at],
                                                 members_.width[at], members_.height[at]});
        }
    }
  }
}

template <typename Take>
void BoxIndex::for_candidates_of_head(const Box& head, double max_squares, const Take& take) const {
  const double spreads = std::sqrt(max_squares), height = head.bottom - head.top;
  const auto largest = static_cast<float>(height * std::exp(kHeadSizeSpread * spreads)),
             smallest = static_cast<float>(height * std::exp(-kHeadSizeSpread * spreads));
  const auto reach_x = static_cast<float>(kHeadSharesOfX * spreads) * largest,
             reach_top = static_cast<float>(kHeadSharesOfTop * spreads) * largest;
  const float x = (head.left + head.right) / 2, top = head.top;
  for (size_t i = 0; i + 1 < bins_.size(); ++i) {
    const Bin& bin = bins_[i];
    if (bin.begin == bins_[i + 1].begin || x < bin.min_x - reach_x || x > bin.max_x + reach_x ||
        top < bin.min_top - reach_top || top > bin.max_top + reach_top)
      continue;
    const auto end = static_cast<size_t>(bins_[i + 1].begin);
    for (auto at = static_cast<size_t>(bin.begin); at < end; ++at) {
      const float size = static_cast<float>(kHeadOfWidth) * members_.width[at];
      if (size < smallest || size > largest || std::abs(x - members_.x[at]) > reach_x ||
          std::abs(top - members_.top[at]) > reach_top)
        continue;
      take(members_.hypothesis[at], BoxShape{members_.x[at], members_.top[at], members_.bottom[at],
                                             members_.width[at], members_.height[at]});
    }
  }
}

}  // namespace vantage::fusion_detail
