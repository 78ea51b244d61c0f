#include "core/people/detail/mask_kernel.h"

#include <algorithm>
#include <bit>

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/people/detail/mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::people_detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::ScalableTag<uint8_t>;

// Byte step / 2 of each of the next blocks of `step` bytes.
template <int kStep>
hn::Vec<Bytes> middles(const uint8_t* blocks) {
  const Bytes d;
  hn::Vec<Bytes> a, b, c, e;
  if constexpr (kStep == 1) return hn::LoadU(d, blocks);
  if constexpr (kStep == 2) return hn::LoadInterleaved2(d, blocks, a, b), b;
  if constexpr (kStep == 3) return hn::LoadInterleaved3(d, blocks, a, b, c), b;
  if constexpr (kStep == 4) return hn::LoadInterleaved4(d, blocks, a, b, c, e), c;
}

// As many pixels as fill whole vectors; how many.
template <int kStep>
int pack_vectors(const uint8_t* mask, int width, uint64_t* bits) {
  const Bytes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (lanes < 8) return 0;
  int x = 0;
  for (; x + lanes <= width; x += lanes)
    hn::StoreMaskBits(d, hn::Ne(middles<kStep>(mask + kStep * x), hn::Zero(d)),
                      reinterpret_cast<uint8_t*>(bits) + x / 8);
  return x;
}

void pack_row(const uint8_t* mask, int step, int width, uint64_t* bits) {
  std::fill_n(bits, (width + 63) / 64, 0);
  int x = 0;
  switch (step) {
    case 1:
      x = pack_vectors<1>(mask, width, bits);
      break;
    case 2:
      x = pack_vectors<2>(mask, width, bits);
      break;
    case 3:
      x = pack_vectors<3>(mask, width, bits);
      break;
    case 4:
      x = pack_vectors<4>(mask, width, bits);
      break;
    default:
      break;
  }
  for (; x < width; ++x)
    if (mask[static_cast<ptrdiff_t>(step) * x + step / 2] != 0) bits[x / 64] |= uint64_t{1} << (x % 64);
}

inline void count_word(uint64_t foreground, uint64_t covered, uint64_t outline, CoverCounts& counts) {
  const uint64_t free = outline & ~covered;
  counts.foreground += __builtin_popcountll(foreground & outline);
  counts.own += __builtin_popcountll(foreground & free);
  counts.bare += __builtin_popcountll(free & ~foreground);
}

CoverCounts count_cover(const uint64_t* foreground, const uint64_t* covered, int words, const Run* runs,
                        int rows) {
  CoverCounts counts;
  for (int r = 0; r < rows; ++r, foreground += words, covered += words) {
    const int begin = runs[r].begin, last = runs[r].end - 1;
    if (last < begin) continue;
    const int first_word = begin / 64, last_word = last / 64;
    if (first_word == last_word) {  // most bodies are narrow
      count_word(foreground[first_word], covered[first_word], bits_between(begin % 64, last % 64), counts);
      continue;
    }
    for (int w = first_word; w <= last_word; ++w)
      count_word(foreground[w], covered[w],
                 bits_between(w == first_word ? begin % 64 : 0, w == last_word ? last % 64 : 63), counts);
  }
  return counts;
}

}  // namespace vantage::people_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::people_detail::kernel {

// Bit x of the words is bit x % 8 of byte x / 8.
static_assert(std::endian::native == std::endian::little);

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
