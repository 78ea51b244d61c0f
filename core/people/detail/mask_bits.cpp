#include "core/people/detail/mask_bits.h"

namespace vantage::people_detail {

void MaskBits::take(const MaskSamples& samples) {
  samples_ = samples;
  covered_.assign(samples.grid.word_count(), 0);
  shared_.assign(samples.grid.word_count(), 0);
  bodies_.assign(samples.grid.word_count(), {});
}

CoverCounts MaskBits::count_where(const Outline& outline, const Run* runs,
                                  const std::vector<uint64_t>& covered) const {
  const size_t at = static_cast<size_t>(outline.first_row) * static_cast<size_t>(samples_.grid.words);
  return kernel::count_cover({samples_.bits.data() + at, samples_.undecided.data() + at, covered.data() + at},
                             samples_.grid.words, runs, outline.rows);
}

CoverCounts MaskBits::count(const Outline& outline, const Run* runs) const {
  return count_where(outline, runs, covered_);
}

CoverCounts MaskBits::count_alone(const Outline& outline, const Run* runs) const {
  return count_where(outline, runs, shared_);
}

int MaskBits::covered(const Outline& outline, const Run* runs) const {
  int pixels = 0;
  for (int r = 0; r < outline.rows; ++r) {
    const size_t row = static_cast<size_t>(outline.first_row + r) * static_cast<size_t>(samples_.grid.words);
    for (int x = runs[r].begin; x < runs[r].end; ++x)
      pixels += (covered_[row + static_cast<size_t>(x / 64)] >> (x % 64) & 1) != 0;
  }
  return pixels;
}

// Calls step(digits, pixels) for the words of the outline, then says again what is covered.
template <typename Step>
void MaskBits::for_words(const Outline& outline, const Run* runs, const Step& step) {
  for (int r = 0; r < outline.rows; ++r) {
    const int begin = runs[r].begin, last = runs[r].end - 1;
    if (last < begin) continue;
    const size_t row = static_cast<size_t>(outline.first_row + r) * static_cast<size_t>(samples_.grid.words);
    for (int w = begin / 64; w <= last / 64; ++w) {
      const size_t at = row + static_cast<size_t>(w);
      Digits& digits = bodies_[at];
      step(digits, bits_between(w == begin / 64 ? begin % 64 : 0, w == last / 64 ? last % 64 : 63));
      shared_[at] = 0;
      for (size_t k = 1; k < digits.size(); ++k) shared_[at] |= digits[k];
      covered_[at] = shared_[at] | digits[0];
    }
  }
}

void MaskBits::add(const Outline& outline, const Run* runs) {
  for_words(outline, runs, [](Digits& digits, uint64_t carry) {
    for (size_t k = 0; carry != 0 && k < digits.size(); ++k) {
      const uint64_t next = digits[k] & carry;
      digits[k] ^= carry;
      carry = next;
    }
  });
}

void MaskBits::remove(const Outline& outline, const Run* runs) {
  for_words(outline, runs, [](Digits& digits, uint64_t borrow) {
    for (size_t k = 0; borrow != 0 && k < digits.size(); ++k) {
      const uint64_t next = ~digits[k] & borrow;
      digits[k] ^= borrow;
      borrow = next;
    }
  });
}

}  // namespace vantage::people_detail
