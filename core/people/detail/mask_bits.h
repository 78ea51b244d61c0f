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
  // Takes over a mask and covers nothing. An empty grid: no picture of this frame.
  void take(const MaskSamples& samples);
  bool has_picture() const { return width() > 0; }
  int width() const { return samples_.grid.width; }
  int height() const { return samples_.grid.height; }
  // A pixel of the full picture among the samples; sample i stands at i.
  double column_of(double x_px) const { return (x_px - step_x() / 2) / step_x(); }
  double row_of(double y_px) const { return (y_px - samples_.grid.step_y / 2) / samples_.grid.step_y; }
  int step_x() const { return samples_.grid.step_x; }

  CoverCounts count(const Outline& outline, const Run* runs) const;
  // With pixels that one body alone covers counted as free: for an outline that was added, as if it were not;
  // for another, at most so many are free whichever body is removed.
  CoverCounts count_alone(const Outline& outline, const Run* runs) const;
  // Pixels of the outline that bodies cover.
  int covered(const Outline& outline, const Run* runs) const;
  // A pixel is covered while more bodies were added over it than removed; at most 255.
  void add(const Outline& outline, const Run* runs);
  void remove(const Outline& outline, const Run* runs);

 private:
  // How many bodies lie over each pixel of a word, in binary: bit x of digit k.
  using Digits = std::array<uint64_t, 8>;
  CoverCounts count_where(const Outline& outline, const Run* runs,
                          const std::vector<uint64_t>& covered) const;
  template <typename Step>
  void for_words(const Outline& outline, const Run* runs, const Step& step);

  MaskSamples samples_;
  // One word each for a word of the samples.
  std::vector<uint64_t> covered_, shared_;  // by one body and more; by two and more
  std::vector<Digits> bodies_;
};

}  // namespace vantage::people_detail
