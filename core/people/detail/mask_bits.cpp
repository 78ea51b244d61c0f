#include "core/people/detail/mask_bits.h"

namespace vantage::people_detail {

void MaskBits::take(const MaskSamples& samples) {
  samples_ = samples;
  covered_.assign(samples.grid.word_count(), 0);
  shared_.assign(samples.grid.word_count(), 0);
  bodies_ = digits_used_ = 0;
}

CoverCounts MaskBits::count_where(const Outline& outline, const Run* runs, const Bits* covered) const {
  const size_t at = static_cast<size_t>(outline.first_row) * static_cast<size_t>(samples_.grid.words);
  const CoverRows from{samples_.bits.data() + at, samples_.undecided.data() + at,
                       covered ? covered->data() + at : nullptr};
  return (covered ? kernel::count_cover : kernel::count_free)(from, samples_.grid.words, runs, outline.rows);
}

CoverCounts MaskBits::count(const Outline& outline, const Run* runs) const {
  return count_where(outline, runs, bodies_ > 0 ? &covered_ : nullptr);
}

CoverCounts MaskBits::count_alone(const Outline& outline, const Run* runs) const {
  return count_where(outline, runs, bodies_ > 1 ? &shared_ : nullptr);
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

void MaskBits::cover_again(size_t word) {
  uint64_t shared = 0;
  for (int k = 1; k < digits_used_; ++k) shared |= digits_[k][word];
  shared_[word] = shared;
  covered_[word] = shared | digits_[0][word];
}

// Calls step(word, pixels) for the words of the outline, then says again what is covered.
template <typename Step>
void MaskBits::for_words(const Outline& outline, const Run* runs, const Step& step) {
  for (int r = 0; r < outline.rows; ++r) {
    const int begin = runs[r].begin, last = runs[r].end - 1;
    if (last < begin) continue;
    const size_t row = static_cast<size_t>(outline.first_row + r) * static_cast<size_t>(samples_.grid.words);
    for (int w = begin / 64; w <= last / 64; ++w) {
      const size_t word = row + static_cast<size_t>(w);
      step(word, bits_between(w == begin / 64 ? begin % 64 : 0, w == last / 64 ? last % 64 : 63));
      cover_again(word);
    }
  }
}

void MaskBits::add(const Outline& outline, const Run* runs) {
  ++bodies_;
  for_words(outline, runs, [this](size_t word, uint64_t carry) {
    for (size_t k = 0; carry != 0 && k < digits_.size(); ++k) {
      if (static_cast<int>(k) == digits_used_) digits_[k].assign(covered_.size(), 0), ++digits_used_;
      const uint64_t next = digits_[k][word] & carry;
      digits_[k][word] ^= carry;
      carry = next;
    }
  });
}

void MaskBits::remove(const Outline& outline, const Run* runs) {
  --bodies_;
  for_words(outline, runs, [this](size_t word, uint64_t borrow) {
    for (size_t k = 0; borrow != 0 && static_cast<int>(k) < digits_used_; ++k) {
      const uint64_t next = ~digits_[k][word] & borrow;
      digits_[k][word] ^= borrow;
      borrow = next;
    }
  });
}

}  // namespace vantage::people_detail
