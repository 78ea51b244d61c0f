#include "core/tracking/mask_bits.h"

#include <algorithm>

namespace vantage::people_detail {

void MaskBits::take(const ImageView<const uint8_t>& mask) {
  width_ = height_ = 0;
  if (!mask.data || mask.width <= 0 || mask.height <= 0) return;
  step_x_ = std::max(1, mask.width / kWidth_px);
  step_y_ = std::min(2 * step_x_, mask.height);
  width_ = mask.width / step_x_, height_ = mask.height / step_y_;
  words_ = (width_ + 63) / 64;
  const auto rows = static_cast<size_t>(height_), words = static_cast<size_t>(words_);
  foreground_.resize(rows * words);
  covered_.assign(rows * words, 0);
  bodies_.assign(rows * static_cast<size_t>(width_), 0);
  for (int y = 0; y < height_; ++y)
    kernel::pack_row(mask.row(step_y_ * y + step_y_ / 2), step_x_, width_,
                     foreground_.data() + words * static_cast<size_t>(y));
}

CoverCounts MaskBits::count(const Outline& outline, const Run* runs) const {
  const size_t at = static_cast<size_t>(outline.first_row) * static_cast<size_t>(words_);
  return kernel::count_cover(foreground_.data() + at, covered_.data() + at, words_, runs, outline.rows);
}

void MaskBits::add(const Outline& outline, const Run* runs) {
  for (int r = 0; r < outline.rows; ++r) {
    const auto row = static_cast<size_t>(outline.first_row + r);
    uint8_t* bodies = bodies_.data() + row * static_cast<size_t>(width_);
    uint64_t* covered = covered_.data() + row * static_cast<size_t>(words_);
    for (int x = runs[r].begin; x < runs[r].end; ++x)
      if (bodies[x]++ == 0) covered[x / 64] |= uint64_t{1} << (x % 64);
  }
}

void MaskBits::remove(const Outline& outline, const Run* runs) {
  for (int r = 0; r < outline.rows; ++r) {
    const auto row = static_cast<size_t>(outline.first_row + r);
    uint8_t* bodies = bodies_.data() + row * static_cast<size_t>(width_);
    uint64_t* covered = covered_.data() + row * static_cast<size_t>(words_);
    for (int x = runs[r].begin; x < runs[r].end; ++x)
      if (--bodies[x] == 0) covered[x / 64] &= ~(uint64_t{1} << (x % 64));
  }
}

}  // namespace vantage::people_detail
