#include "core/fusion/detail/body_boxes.h"

#include <algorithm>
#include <cmath>

namespace vantage::fusion_detail {

HypothesisGrid::HypothesisGrid(const FloorRectangle& area) : floor(area) {
  const double width = std::max(0.0, area.max_x_m - area.min_x_m),
               depth = std::max(0.0, area.max_y_m - area.min_y_m);
  cell_m = std::max(cell_m, std::sqrt(width * depth / static_cast<double>(PeopleFusion::kMaxCells)));
  nx = std::max(1, static_cast<int>(std::ceil(width / cell_m - 1e-6)));
  ny = std::max(1, static_cast<int>(std::ceil(depth / cell_m - 1e-6)));
}

double HypothesisGrid::x_m(int32_t hypothesis) const {
  const int32_t cell = hypothesis / static_cast<int32_t>(PeopleFusion::kHeights_m.size());
  return floor.min_x_m + (cell % nx + 0.5) * cell_m;
}

double HypothesisGrid::y_m(int32_t hypothesis) const {
  const int32_t cell = hypothesis / static_cast<int32_t>(PeopleFusion::kHeights_m.size());
  return floor.min_y_m + (cell / nx + 0.5) * cell_m;
}

double HypothesisGrid::height_m(int32_t hypothesis) const {
  return PeopleFusion::kHeights_m[static_cast<size_t>(hypothesis) % PeopleFusion::kHeights_m.size()];
}

BoxIndex::BoxIndex(const HypothesisGrid& grid, const PinholeCamera<double>& camera)
    : camera_(camera), boxes_(static_cast<size_t>(grid.count())), bins_(kBins * kBins + 1) {
  std::vector<int32_t> counts(kBins * kBins);
  for (int32_t i = 0; i < grid.count(); ++i) {
    BodyBox& box = boxes_[static_cast<size_t>(i)];
    box = body_box(camera, grid.x_m(i), grid.y_m(i), grid.height_m(i));
    if (box.seen) ++counts[static_cast<size_t>(bin_of(box.cut))];
  }
  for (size_t i = 0; i < counts.size(); ++i) bins_[i + 1].begin = bins_[i].begin + counts[i];
  members_.resize(static_cast<size_t>(bins_.back().begin));
  std::fill(counts.begin(), counts.end(), 0);
  for (int32_t i = 0; i < grid.count(); ++i) {
    const BodyBox& box = boxes_[static_cast<size_t>(i)];
    if (!box.seen) continue;
    const auto number = static_cast<size_t>(bin_of(box.cut));
    Bin& bin = bins_[number];
    const BoxShape shape = shape_of(box);
    const float x = shape.x, top = shape.top, tall = shape.height;
    if (counts[number] == 0) {
      bin.min_x = bin.max_x = x, bin.min_top = bin.max_top = top, bin.tallest = tall;
    } else {
      bin.min_x = std::min(bin.min_x, x), bin.max_x = std::max(bin.max_x, x);
      bin.min_top = std::min(bin.min_top, top), bin.max_top = std::max(bin.max_top, top);
      bin.tallest = std::max(bin.tallest, tall);
    }
    members_[static_cast<size_t>(bin.begin + counts[number]++)] = {i, shape};
  }
}

int BoxIndex::bin_of(const Box& cut) const {
  const auto of = [](float at, int size) {
    return std::clamp(static_cast<int>(at * static_cast<float>(kBins) / static_cast<float>(size)), 0,
                      kBins - 1);
  };
  return of((cut.left + cut.right) / 2, camera_.width_px) + kBins * of(cut.top, camera_.height_px);
}

}  // namespace vantage::fusion_detail
