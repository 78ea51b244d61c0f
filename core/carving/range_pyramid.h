// Smallest and largest indicator of every tile of a picture, for tiles of 4x4 pixels, 8x8, 16x16 and so on up
// to one that covers it: answers what range the indicator has in a box of pixels by a few reads. The answer
// may be wider than the box's own range, because tiles reach beyond it, never narrower. Layout and reading
// are shared by the CPU and the CUDA carver.
#pragma once

#include <cstdint>
#include <vector>

#include "core/carving/voxel_votes.h"
#include "core/image/image_view.h"

namespace vantage {

struct PyramidLayout {
  static constexpr int kFirstShift = 2;  // tiles of 4 pixels
  static constexpr int kMaxLevels = 14;  // up to tiles of 32768 pixels
  struct Level {
    int offset = 0, width = 0, height = 0;  // in tiles; the tile of pixel (x, y) is (x >> shift, y >> shift)
  };
  int levels = 0;
  Level level[kMaxLevels];
  int tiles = 0;  // of all levels

  static PyramidLayout of(int width_px, int height_px, int max_levels = kMaxLevels) {
    PyramidLayout layout;
    for (int shift = kFirstShift; layout.levels < max_levels; ++shift) {
      Level& level = layout.level[layout.levels++];
      level = {layout.tiles, (width_px + (1 << shift) - 1) >> shift, (height_px + (1 << shift) - 1) >> shift};
      layout.tiles += level.width * level.height;
      if (level.width <= 1 && level.height <= 1) break;
    }
    return layout;
  }
  // The level whose tiles cover a box of that size, per axis, in at most 9: fewer and
  // larger ones would be read faster, but say less about the box.
  VANTAGE_HD int level_for(int width_px, int height_px) const {
    const int size = width_px > height_px ? width_px : height_px;
    int at = 0;
    while (at + 1 < levels && size > (8 << (at + kFirstShift))) ++at;
    return at;
  }
};

// Low in the low byte, high above it: one read a tile.
VANTAGE_HD IndicatorRange range_in(const PyramidLayout& layout, const uint16_t* tiles, const BlockView& box) {
  const int right = box.right(), bottom = box.bottom();
  const int at = layout.level_for(right - box.x0 + 1, bottom - box.y0 + 1);
  const int shift = at + PyramidLayout::kFirstShift;
  const PyramidLayout::Level& level = layout.level[at];
  int low = 255, high = 0;
  for (int y = box.y0 >> shift; y <= bottom >> shift; ++y) {
    const uint16_t* row = tiles + level.offset + y * level.width;
    for (int x = box.x0 >> shift; x <= right >> shift; ++x) {
      const int tile_low = row[x] & 255, tile_high = row[x] >> 8;
      low = tile_low < low ? tile_low : low;
      high = tile_high > high ? tile_high : high;
    }
  }
  return {static_cast<uint8_t>(low), static_cast<uint8_t>(high)};
}

// In host memory; kept from frame to frame.
class RangePyramid {
 public:
  // On oneTBB's workers; call from several threads for several pyramids.
  void build(const ImageView<const uint8_t>& indicator);
  IndicatorRange range(const BlockView& box) const { return range_in(layout_, tiles_.data(), box); }

 private:
  int width_px_ = 0, height_px_ = 0;
  PyramidLayout layout_;
  std::vector<uint16_t> tiles_;
};

}  // namespace vantage
