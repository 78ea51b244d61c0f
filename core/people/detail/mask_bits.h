// A camera's sampled mask, and which of its samples some body covers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/people/detail/mask_kernel.h"
#include "core/people/mask_samples.h"

namespace vantage::people_detail {

// A body's outline in one camera: one run for each of `rows` rows from first_row on.
struct Outline {
  int first_row = 0, rows = 0;
  size_t first_run = 0;                                           // among the body's runs
  int inside = 0;                                                 // pixels in the picture
  int area = 0;                                                   // with those outside it
  bool seen() const { return inside > 0 && 2 * inside >= area; }  // at least half of the body
};

class MaskBits {
 public:
  // Loads a mask and covers nothing. An empty grid: no picture of this frame.
  void take(const MaskSamples& samples);
  bool has_picture() const { return width() > 0; }
  int width() const { return samples_.grid.width; }
  int height() const { return samples_.grid.height; }
  // A pixel of the full picture among the samples; sample i is at i.
  double column_of(double x_px) const { return (x_px - step_x() / 2) / step_x(); }
  double row_of(double y_px) const { return (y_px - samples_.grid.step_y / 2) / samples_.grid.step_y; }
  int step_x() const { return samples_.grid.step_x; }

  CoverCounts count(const Outline& outline, const Run* runs) const;
  // Counts pixels that one body alone covers as free: for an outline that was added, as if it were not; for
  // another, the maximum that is free whichever body is removed.
  CoverCounts count_alone(const Outline& outline, const Run* runs) const;
  // Pixels of the outline that bodies cover.
  int covered(const Outline& outline, const Run* runs) const;
  // A pixel is covered while more bodies were added over it than removed; at most 255.
  void add(const Outline& outline, const Run* runs);
  void remove(const Outline& outline, const Run* runs);

 private:
  static constexpr int kMaxDigits = 8;
  using Bits = std::vector<uint64_t>;  // one word for each of the samples
  CoverCounts count_where(const Outline& outline, const Run* runs, const Bits* covered) const;
  template <typename Step>
  void for_words(const Outline& outline, const Run* runs, const Step& step);
  void cover_again(size_t word);

  MaskSamples samples_;
  int bodies_ = 0;         // added and not removed
  Bits covered_, shared_;  // by one body and more; by two and more
  // Number of bodies over each pixel, in binary: a digit each, as many as were ever needed of this mask.
  std::array<Bits, kMaxDigits> digits_;
  int digits_used_ = 0;
};

}  // namespace vantage::people_detail
