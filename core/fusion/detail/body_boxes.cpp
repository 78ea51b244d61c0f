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

uint32_t covered_points(const Box& box, const Box& cover) {
  if (cover.left >= box.right || cover.right <= box.left || cover.top >= box.bottom ||
      cover.bottom <= box.top)
    return 0;
  uint32_t columns = 0;
  const float step_x = (box.right - box.left) / kColumns, step_y = (box.bottom - box.top) / kRows;
  for (int i = 0; i < kColumns; ++i) {
    const float x = box.left + (static_cast<float>(i) + 0.5F) * step_x;
    columns |= uint32_t{x >= cover.left && x < cover.right} << i;
  }
  if (columns == 0) return 0;
  uint32_t points = 0;
  for (int i = 0; i < kRows; ++i) {
    const float y = box.top + (static_cast<float>(i) + 0.5F) * step_y;
    if (y >= cover.top && y < cover.bottom) points |= columns << (kColumns * i);
  }
  return points;
}

uint32_t points_in_mask(const Box& box, const MaskSamples& mask) {
  const SampleGrid& grid = mask.grid;
  const float step_x = (box.right - box.left) / kColumns, step_y = (box.bottom - box.top) / kRows;
  const auto sample = [](float pixel, int step) {
    return static_cast<int>(std::floor(pixel / static_cast<float>(step)));
  };
  uint32_t points = 0;
  for (int row = 0; row < kRows && grid.height > 0; ++row) {
    const int y = sample(box.top + (static_cast<float>(row) + 0.5F) * step_y, grid.step_y);
    if (y < 0 || y >= grid.height) continue;
    const uint64_t* words = mask.bits.data() + static_cast<size_t>(grid.words) * static_cast<size_t>(y);
    for (int column = 0; column < kColumns; ++column) {
      const int x = sample(box.left + (static_cast<float>(column) + 0.5F) * step_x, grid.step_x);
      if (x >= 0 && x < grid.width && (words[x / 64] >> (x % 64) & 1) != 0)
        points |= 1U << (kColumns * row + column);
    }
  }
  return points;
}

uint32_t shown_points(const BodyBox& body, const IgnoredPixels& ignored) {
  const uint32_t inside = covered_points(body.whole, body.cut);
  if (!ignored.any()) return inside;
  return is_ignored(body.cut, ignored) ? 0 : inside & ~ignored_points(body.whole, ignored);
}

BoxIndex::BoxIndex(const HypothesisGrid& grid, const PinholeCamera<double>& camera,
                   const IgnoredPixels& ignored)
    : camera_(camera),
      boxes_(static_cast<size_t>(grid.count())),
      inside_(boxes_.size()),
      bins_(kBins * kBins + 1) {
  std::vector<int32_t> counts(kBins * kBins);
  for (int32_t i = 0; i < grid.count(); ++i) {
    BodyBox& box = boxes_[i];
    box = body_box(camera, grid.x_m(i), grid.y_m(i), grid.height_m(i));
    if (!box.seen) continue;
    inside_[i] = shown_points(box, ignored);
    ++counts[bin_of(box.cut)];
  }
  for (size_t i = 0; i < counts.size(); ++i) bins_[i + 1].begin = bins_[i].begin + counts[i];
  const auto seen = static_cast<size_t>(bins_.back().begin);
  members_.hypothesis.resize(seen);
  for (std::vector<float>* each : {&members_.x, &members_.top, &members_.bottom, &members_.width,
                                   &members_.height, &members_.per_height, &members_.log_width})
    each->resize(seen);
  std::fill(counts.begin(), counts.end(), 0);
  for (int32_t i = 0; i < grid.count(); ++i) {
    const BodyBox& box = boxes_[i];
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
    fill(static_cast<size_t>(bin.begin + counts[number]++), i, shape);
  }
}

void BoxIndex::fill(size_t member, int32_t hypothesis, const BoxShape& shape) {
  members_.hypothesis[member] = hypothesis;
  members_.x[member] = shape.x, members_.top[member] = shape.top, members_.bottom[member] = shape.bottom;
  members_.width[member] = shape.width, members_.height[member] = shape.height;
  members_.per_height[member] = 1 / shape.height;
  members_.log_width[member] = std::log(std::max(1.0F, shape.width));
}

int BoxIndex::bin_of(const Box& cut) const {
  const auto of = [](float at, int size) {
    return std::clamp(static_cast<int>(at * static_cast<float>(kBins) / static_cast<float>(size)), 0,
                      kBins - 1);
  };
  return of((cut.left + cut.right) / 2, camera_.width_px) + kBins * of(cut.top, camera_.height_px);
}

}  // namespace vantage::fusion_detail
