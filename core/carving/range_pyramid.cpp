#include "core/carving/range_pyramid.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/carving/detail/carving_kernel.h"

namespace vantage {
namespace {

uint16_t packed(int low, int high) {
  return static_cast<uint16_t>(low | high << 8);
}

uint16_t joined_tiles(uint16_t a, uint16_t b) {
  return packed(std::min(a & 255, b & 255), std::max(a >> 8, b >> 8));
}

// Each tile from the two by two below it, of which those beyond the picture do not exist.
void halve(const uint16_t* from, const PyramidLayout::Level& below, const PyramidLayout::Level& level,
           uint16_t* to) {
  for (int y = 0; y < level.height; ++y) {
    const uint16_t* top = from + 2 * y * below.width;
    const uint16_t* bottom = from + std::min(2 * y + 1, below.height - 1) * below.width;
    for (int x = 0; x < level.width; ++x) {
      const int left = 2 * x, right = std::min(left + 1, below.width - 1);
      to[y * level.width + x] =
          joined_tiles(joined_tiles(top[left], top[right]), joined_tiles(bottom[left], bottom[right]));
    }
  }
}

}  // namespace

void RangePyramid::build(const ImageView<const uint8_t>& indicator) {
  if (indicator.width != width_px_ || indicator.height != height_px_) {
    width_px_ = indicator.width, height_px_ = indicator.height;
    layout_ = PyramidLayout::of(width_px_, height_px_);
    tiles_.resize(layout_.tiles);
  }
  constexpr int kSide = 1 << PyramidLayout::kFirstShift;
  const PyramidLayout::Level& base = layout_.level[0];
  tbb::parallel_for(tbb::blocked_range<int>(0, base.height, 16), [&](const tbb::blocked_range<int>& range) {
    for (int y = range.begin(); y < range.end(); ++y) {
      const uint8_t* rows[kSide];
      for (int i = 0; i < kSide; ++i) rows[i] = indicator.row(std::min(y * kSide + i, height_px_ - 1));
      carving::tile_ranges(rows, width_px_, tiles_.data() + y * base.width);
    }
  });
  for (int at = 1; at < layout_.levels; ++at)
    halve(tiles_.data() + layout_.level[at - 1].offset, layout_.level[at - 1], layout_.level[at],
          tiles_.data() + layout_.level[at].offset);
}

}  // namespace vantage
