// The boxes of all hypotheses in the pictures, and where among them a detection belongs.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/fusion/body_box.h"
#include "core/fusion/fusion.h"

namespace vantage::fusion_detail {

using Box = PixelBox;

// Places x heights; their number: height + heights * (x + nx * y).
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

// What a detection is compared with: the cut box, and the height of the whole one.
struct BoxShape {
  float x = 0, top = 0, bottom = 0, width = 0;  // x: of its middle
  float height = 0;
};
inline BoxShape shape_of(const BodyBox& body) {
  return {(body.cut.left + body.cut.right) / 2, body.cut.top, body.cut.bottom, body.cut.right - body.cut.left,
          body.whole.bottom - body.whole.top};
}

// The boxes of all hypotheses in one camera, found by where they are.
class BoxIndex {
 public:
  BoxIndex(const HypothesisGrid& grid, const PinholeCamera<double>& camera);
  const BodyBox& box(int32_t hypothesis) const { return boxes_[static_cast<size_t>(hypothesis)]; }
  // Calls `take` with every hypothesis to which the detection may belong, and some others, and its shape.
  template <typename Take>
  void for_candidates(const Box& detection, const Take& take) const;

 private:
  static constexpr int kBins = 24;  // a side
  int bin_of(const Box& cut) const;

  PinholeCamera<double> camera_;
  std::vector<BodyBox> boxes_;
  struct Bin {
    int32_t begin = 0;
    float min_x = 0, max_x = 0, min_top = 0, max_top = 0;  // of the boxes in it
    float tallest = 0;
  };
  // A hypothesis with what its box is searched by and compared: boxes themselves lie far apart in memory.
  struct Member {
    int32_t hypothesis = 0;
    BoxShape shape;
  };
  std::vector<Bin> bins_;        // one more than there are
  std::vector<Member> members_;  // by bin
};

// How far, in units of the predicted height, centre and top of a detection may be off; beyond, L is below
// what a camera says that sees nothing, and they do not belong together.
inline constexpr float kReachX = 0.27F, kReachTop = 0.235F;

template <typename Take>
void BoxIndex::for_candidates(const Box& detection, const Take& take) const {
  const float x = (detection.left + detection.right) / 2;
  for (size_t i = 0; i + 1 < bins_.size(); ++i) {
    const Bin& bin = bins_[i];
    if (bin.begin == bins_[i + 1].begin) continue;
    const float reach_x = kReachX * bin.tallest, reach_top = kReachTop * bin.tallest;
    if (x < bin.min_x - reach_x || x > bin.max_x + reach_x || detection.top < bin.min_top - reach_top ||
        detection.top > bin.max_top + reach_top)
      continue;
    for (int32_t k = bin.begin; k < bins_[i + 1].begin; ++k) {
      const Member& one = members_[static_cast<size_t>(k)];
      // A pixel more than the reach: match() decides.
      if (std::abs(one.shape.x - x) <= kReachX * one.shape.height + 1 &&
          std::abs(one.shape.top - detection.top) <= kReachTop * one.shape.height + 1)
        take(one.hypothesis, one.shape);
    }
  }
}

}  // namespace vantage::fusion_detail
