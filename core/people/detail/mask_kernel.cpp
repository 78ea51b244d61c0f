#include "core/people/detail/mask_kernel.h"

#include <algorithm>
#include <bit>

#include "core/base/vector_targets.h"
#include "core/people/mask_samples.h"
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
int pack_vectors(const uint8_t* indicator, int width, uint64_t* bits, uint64_t* undecided) {
  const Bytes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (lanes < 8) return 0;
  const auto below_half = hn::Set(d, 127), below_quarter = hn::Set(d, 63);
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const hn::Vec<Bytes> levels = middles<kStep>(indicator + kStep * x);
    const auto in = hn::Gt(levels, below_half);
    hn::StoreMaskBits(d, in, reinterpret_cast<uint8_t*>(bits) + x / 8);
    hn::StoreMaskBits(d, hn::AndNot(in, hn::Gt(levels, below_quarter)),
                      reinterpret_cast<uint8_t*>(undecided) + x / 8);
  }
  return x;
}

void pack_row(const uint8_t* indicator, int step, int width, uint64_t* bits, uint64_t* undecided) {
  std::fill_n(bits, (width + 63) / 64, 0);
  std::fill_n(undecided, (width + 63) / 64, 0);
  int x = 0;
  switch (step) {
    case 1:
      x = pack_vectors<1>(indicator, width, bits, undecided);
      break;
    case 2:
      x = pack_vectors<2>(indicator, width, bits, undecided);
      break;
    case 3:
      x = pack_vectors<3>(indicator, width, bits, undecided);
      break;
    case 4:
      x = pack_vectors<4>(indicator, width, bits, undecided);
      break;
    default:
      break;
  }
  for (; x < width; ++x) {
    const uint8_t level = indicator[static_cast<ptrdiff_t>(step) * x + step / 2];
    const uint64_t bit = uint64_t{1} << (x % 64);
    if (in_mask(level)) bits[x / 64] |= bit;
    if (is_undecided(level)) undecided[x / 64] |= bit;
  }
}

struct CoveredWords {
  static void add(const CoverRows& from, int word, uint64_t outline, CoverCounts& counts) {
    const uint64_t foreground = from.foreground[word], undecided = from.undecided[word];
    const uint64_t free = outline & ~from.covered[word];
    counts.foreground += __builtin_popcountll(foreground & outline);
    counts.undecided += __builtin_popcountll(undecided & outline);
    counts.own += __builtin_popcountll(foreground & free);
    counts.bare += __builtin_popcountll(free & ~(foreground | undecided));
  }
};

struct FreeWords {
  static void add(const CoverRows& from, int word, uint64_t outline, CoverCounts& counts) {
    counts.foreground += __builtin_popcountll(from.foreground[word] & outline);
    counts.undecided += __builtin_popcountll(from.undecided[word] & outline);
  }
};

template <typename Words>
HWY_INLINE CoverCounts count_rows(CoverRows from, int words, const Run* runs, int rows) {
  CoverCounts counts;
  for (int r = 0, row = 0; r < rows; ++r, row += words) {
    const int begin = runs[r].begin, last = runs[r].end - 1;
    if (last < begin) continue;
    const int first_word = begin / 64, last_word = last / 64;
    if (first_word == last_word) {  // most bodies are narrow
      Words::add(from, row + first_word, bits_between(begin % 64, last % 64), counts);
      continue;
    }
    for (int w = first_word; w <= last_word; ++w)
      Words::add(from, row + w,
                 bits_between(w == first_word ? begin % 64 : 0, w == last_word ? last % 64 : 63), counts);
  }
  return counts;
}

CoverCounts count_cover(CoverRows from, int words, const Run* runs, int rows) {
  return count_rows<CoveredWords>(from, words, runs, rows);
}

CoverCounts count_free(CoverRows from, int words, const Run* runs, int rows) {
  CoverCounts counts = count_rows<FreeWords>(from, words, runs, rows);
  int pixels = 0;
  for (int r = 0; r < rows; ++r) pixels += std::max(0, runs[r].end - runs[r].begin);
  counts.own = counts.foreground;
  counts.bare = pixels - counts.foreground - counts.undecided;
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
HWY_EXPORT(count_free);

void pack_row(const uint8_t* indicator, int step, int width, uint64_t* bits, uint64_t* undecided) {
  HWY_DYNAMIC_DISPATCH(pack_row)(indicator, step, width, bits, undecided);
}

CoverCounts count_cover(CoverRows from, int words, const Run* runs, int rows) {
  return HWY_DYNAMIC_DISPATCH(count_cover)(from, words, runs, rows);
}

CoverCounts count_free(CoverRows from, int words, const Run* runs, int rows) {
  return HWY_DYNAMIC_DISPATCH(count_free)(from, words, runs, rows);
}

}  // namespace vantage::people_detail::kernel
#endif
