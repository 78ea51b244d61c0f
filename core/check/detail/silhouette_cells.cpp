#include "core/check/detail/silhouette_cells.h"

#include "core/primitives/integral_image.h"

namespace vantage {

std::vector<int> pixels_set(const Image& mask) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  const int width = cells_of(view.width);
  std::vector<int> counts(static_cast<size_t>(width) * static_cast<size_t>(cells_of(view.height)));
  for (int y = 0; y < view.height; ++y) {
    const uint8_t* row = view.row(y);
    int* out = counts.data() + static_cast<size_t>(y / kCell_px) * static_cast<size_t>(width);
    int x = 0;
    for (; x + kCell_px <= view.width; x += kCell_px)
      for (int i = 0; i < kCell_px; ++i) out[x / kCell_px] += row[x + i] >> 7;
    for (; x < view.width; ++x) out[x / kCell_px] += row[x] >> 7;
  }
  return counts;
}

Cells shrink(const Image& mask) {
  Cells cells(cells_of(mask.width()), cells_of(mask.height()));
  const std::vector<int> counts = pixels_set(mask);
  for (size_t i = 0; i < counts.size(); ++i) cells.set[i] = 2 * counts[i] >= kCell_px * kCell_px;
  return cells;
}

CellSums::CellSums(const Cells& cells) : width_(cells.width), height_(cells.height) {
  sums_.resize(static_cast<size_t>(width_ + 1) * static_cast<size_t>(height_ + 1));
  const ImageView<const uint8_t> set{cells.set.data(), width_, height_, static_cast<size_t>(width_)};
  const ImageView<int> sums{sums_.data(), width_ + 1, height_ + 1,
                            static_cast<size_t>(width_ + 1) * sizeof(int)};
  static_cast<void>(integral_image_cpu(set, sums, IntegralKind::exclusive, 1));  // its sizes fit
}

}  // namespace vantage
