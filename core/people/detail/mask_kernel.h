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
  int own = 0;         // foreground that no body covers
  int bare = 0;        // background that no body covers
};

// Pixels first to last of a word.
inline uint64_t bits_between(int first, int last) {
  return ~uint64_t{0} << first & ~uint64_t{0} >> (63 - last);
}

namespace kernel {

// bits[i / 64] bit i % 64 = mask[step * i + step / 2] != 0, for i < width.
void pack_row(const uint8_t* mask, int step, int width, uint64_t* bits);
CoverCounts count_cover(const uint64_t* foreground, const uint64_t* covered, int words, const Run* runs,
                        int rows);

}  // namespace kernel
}  // namespace vantage::people_detail
