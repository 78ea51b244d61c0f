#include "core/tracking/mask_bits.h"

namespace vantage::people_detail {

void MaskBits::take(const MaskSamples& samples) {
  samples_ = samples;
  covered_.assign(samples.grid.word_count(), 0);
  bodies_.assign(static_cast<size_t>(width()) * static_cast<size_t>(height()), 0);
}

CoverCounts MaskBits::count(const Outline& outline, const Run* runs) const {
  const size_t at = static_cast<size_t>(outline.first_row) * static_cast<size_t>(samples_.grid.words);
  return kernel::count_cover(samples_.bits.data() + at, covered_.data() + at, samples_.grid.words, runs, outline.rows);
}

void MaskBits::add(const Outline& outline, const Run* runs) {
  for (int r = 0; r < outline.rows; ++r) {
    const auto row = static_cast<size_t>(outline.first_row + r);
    uint8_t* bodies = bodies_.data() + row * static_cast<size_t>(width());
    uint64_t* covered = covered_.data() + row * static_cast<size_t>(samples_.grid.words);
    for (int x = runs[r].begin; x < runs[r].end; ++x)
      if (bodies[x]++ == 0) covered[x / 64] |= uint64_t{1} << (x % 64);
  }
}

void MaskBits::remove(const Outline& outline, const Run* runs) {
  for (int r = 0; r < outline.rows; ++r) {
    const auto row = static_cast<size_t>(outline.first_row + r);
    uint8_t* bodies = bodies_.data() + row * static_cast<size_t>(width());
    uint64_t* covered = covered_.data() + row * static_cast<size_t>(samples_.grid.words);
    for (int x = runs[r].begin; x < runs[r].end; ++x)
      if (--bodies[x] == 0) covered[x / 64] &= ~(uint64_t{1} << (x % 64));
  }
}

}  // namespace vantage::people_detail
