// The loops over masks, in mask_kernel.cpp for every instruction set.
#pragma once

#include <cstdint>

namespace vantage::people_detail {

// Pixels [begin, end) of one row; nothing when equal.
struct Run {
  int16_t begin = 0, end = 0;
};

struct CoverCounts {
  int foreground = 0;  // pixels of the outline that are foreground
  int undecided = 0;   // those that may be
  int own = 0;         // foreground that no body covers
  int bare = 0;        // background that no body covers
};

// Rows of words: bits of the mask, of undecided pixels, and of pixels that bodies cover.
struct CoverRows {
  const uint64_t *foreground, *undecided, *covered;
};

// Pixels first to last of a word.
inline uint64_t bits_between(int first, int last) {
  return ~uint64_t{0} << first & ~uint64_t{0} >> (63 - last);
}

namespace kernel {

// bits[i / 64] bit i % 64: whether in_mask(indicator[step * i + step / 2]), for i < width; is_undecided()
// likewise.
void pack_row(const uint8_t* indicator, int step, int width, uint64_t* bits, uint64_t* undecided);
CoverCounts count_cover(CoverRows from, int words, const Run* runs, int rows);
// The same where no body covers anything; from.covered is not read.
CoverCounts count_free(CoverRows from, int words, const Run* runs, int rows);

}  // namespace kernel
}  // namespace vantage::people_detail
