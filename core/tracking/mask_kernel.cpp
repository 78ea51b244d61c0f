#include <algorithm>

#include "core/tracking/mask_bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tracking/mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops: each instruction set has its own way of counting bits and of picking every n-th byte.
HWY_BEFORE_NAMESPACE();
namespace vantage::people_detail::HWY_NAMESPACE {

template <int kStep>
void sample(const uint8_t* mask, int step, int count, uint8_t* samples) {
  const int s = kStep > 0 ? kStep : step;
  for (int i = 0; i < count; ++i) samples[i] = mask[s * i] != 0;
}

void pack_row(const uint8_t* mask, int step, int width, uint64_t* bits) {
  const uint8_t* middle = mask + step / 2;
  for (int first = 0; first < width; first += 64) {
    alignas(64) uint8_t samples[64] = {};
    const int count = std::min(64, width - first);
    const uint8_t* from = middle + static_cast<ptrdiff_t>(step) * first;
    switch (step) {
      case 1:
        sample<1>(from, step, count, samples);
        break;
      case 2:
        sample<2>(from, step, count, samples);
        break;
      case 4:
        sample<4>(from, step, count, samples);
        break;
      default:
        sample<0>(from, step, count, samples);
    }
    uint64_t word = 0;
    for (int i = 0; i < 64; i += 8) {
      uint64_t eight = 0;  // bytes of 0 or 1, the first lowest: the product gathers them in the top byte
      for (int k = 0; k < 8; ++k) eight |= uint64_t{samples[i + k]} << (8 * k);
      word |= (eight * 0x0102040810204080u >> 56) << i;
    }
    bits[first / 64] = word;
  }
}

inline int bits_of(uint64_t word) {
  return __builtin_popcountll(word);
}

CoverCounts count_cover(const uint64_t* foreground, const uint64_t* covered, int words, const Run* runs,
                        int rows) {
  CoverCounts counts;
  for (int r = 0; r < rows; ++r, foreground += words, covered += words) {
    const Run run = runs[r];
    if (run.begin == run.end) continue;
    const int first = run.begin / 64, last = (run.end - 1) / 64;
    for (int w = first; w <= last; ++w) {
      uint64_t mask = ~uint64_t{0};
      if (w == first) mask &= ~uint64_t{0} << (run.begin % 64);
      if (w == last) mask &= ~uint64_t{0} >> (63 - (run.end - 1) % 64);
      const uint64_t free = mask & ~covered[w];
      counts.foreground += bits_of(foreground[w] & mask);
      counts.own += bits_of(foreground[w] & free);
      counts.bare += bits_of(free & ~foreground[w]);
    }
  }
  return counts;
}

}  // namespace vantage::people_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::people_detail::kernel {

HWY_EXPORT(pack_row);
HWY_EXPORT(count_cover);

void pack_row(const uint8_t* mask, int step, int width, uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(pack_row)(mask, step, width, bits);
}

CoverCounts count_cover(const uint64_t* foreground, const uint64_t* covered, int words, const Run* runs,
                        int rows) {
  return HWY_DYNAMIC_DISPATCH(count_cover)(foreground, covered, words, runs, rows);
}

}  // namespace vantage::people_detail::kernel
#endif
