// A camera's mask in a coarse grid of bits, and which of its bits some body covers. Private to core/tracking.
#pragma once

#include <cstdint>
#include <vector>

#include "core/image/image_view.h"

namespace vantage::people_detail {

// Pixels [begin, end) of one row; nothing when equal.
struct Run {
  int16_t begin = 0, end = 0;
};

// A body's outline in one camera: one run for each of `rows` rows from first_row on.
struct Outline {
  int first_row = 0, rows = 0;
  size_t first_run = 0;                                           // among the body's runs
  int inside = 0;                                                 // pixels in the picture
  int area = 0;                                                   // with those outside it
  bool seen() const { return inside > 0 && 2 * inside >= area; }  // at least half of the body
};

struct CoverCounts {
  int foreground = 0;  // pixels of the outline that are foreground
  int own = 0;         // foreground that no body covers
  int bare = 0;        // background that no body covers
};

// The mask sampled at the middle of blocks of step_x by step_y pixels, step_y = 2 step_x: people are taller
// than wide, and every second row tells as much about them.
class MaskBits {
 public:
  static constexpr int kWidth_px = 320;  // about this wide

  // Takes over a mask (0 is background) and covers nothing. A view without data: no picture of this frame.
  void take(const ImageView<const uint8_t>& mask);
  bool has_picture() const { return width_ > 0; }
  int width() const { return width_; }
  int height() const { return height_; }
  // Where a place of the full picture lies among the samples; sample i stands at i.
  double column_of(double x_px) const { return (x_px - step_x_ / 2) / step_x_; }
  double row_of(double y_px) const { return (y_px - step_y_ / 2) / step_y_; }
  int step_x() const { return step_x_; }

  CoverCounts count(const Outline& outline, const Run* runs) const;
  // A pixel is covered while more bodies were added over it than removed.
  void add(const Outline& outline, const Run* runs);
  void remove(const Outline& outline, const Run* runs);

 private:
  int width_ = 0, height_ = 0, words_ = 0, step_x_ = 1, step_y_ = 1;
  std::vector<uint64_t> foreground_, covered_;  // words_ a row, bit x of word x / 64
  std::vector<uint8_t> bodies_;                 // over each pixel
};

namespace kernel {  // mask_kernel.cpp: for every instruction set

// bits[i / 64] bit i % 64 = mask[step * i + step / 2] != 0, for i < width.
void pack_row(const uint8_t* mask, int step, int width, uint64_t* bits);
CoverCounts count_cover(const uint64_t* foreground, const uint64_t* covered, int words, const Run* runs,
                        int rows);

}  // namespace kernel
}  // namespace vantage::people_detail
