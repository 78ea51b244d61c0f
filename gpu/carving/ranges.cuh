// Ranges (minimum and maximum indicator) of the pictures' tiles. find_ranges makes the pyramids of
// core/carving/range_pyramid.h and, in the same pass, the pixel quads; range_of() reads the pyramids.
#pragma once

#include "gpu/carving/scene.cuh"

namespace vantage::gpu {

// A camera's pyramid of ranges, as PyramidLayout lays it out. One thread block makes each top tile.
constexpr int kPyramidLevels = 6;
struct TileLevels {
  uint16_t* tiles = nullptr;
  int levels = 0;
  struct Level {
    int offset = 0;
    uint16_t width = 0, height = 0;  // in tiles
  } level[kPyramidLevels];
};
// A kernel's parameter.
template <int Cameras>
struct TilePyramids {
  TileLevels of_camera[Cameras];
};
constexpr int kTopTiles = 1 << (kPyramidLevels - 1);  // first-level tiles a side
static_assert(kTopTiles % kStripWords == 0);
constexpr int kLevelsOfWarp = 2;  // above the first, made from the tiles of a warp's lanes

constexpr uint16_t kNoRange = 0x00ff;  // low 255, high 0: no pixels; neutral when ranges are joined
__device__ inline IndicatorRange unpacked(uint16_t range) {
  return {static_cast<uint8_t>(range & 255), static_cast<uint8_t>(range >> 8)};
}
__device__ inline bool is_range(IndicatorRange range) {
  return range.low <= range.high;
}
__device__ inline uint16_t joined(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(min(a & 255, b & 255) | max(a >> 8, b >> 8) << 8);
}

// Joins with the lane whose index differs in one bit. Called by whole warps.
__device__ inline uint16_t joined_with_lane(uint16_t range, int bit) {
  return joined(range, static_cast<uint16_t>(__shfl_xor_sync(0xffffffffu, uint32_t{range}, bit)));
}

// The ranges of a strip's four tiles.
__device__ inline void tile_ranges(const PixelStrip& strip, uint16_t (&ranges)[kStripWords]) {
  static_assert(kStripHeight == 1 << PyramidLayout::kFirstShift);
#pragma unroll
  for (int i = 0; i < kStripWords; ++i) {
    uint32_t low = strip.words[0][i], high = low;
#pragma unroll
    for (int r = 1; r < kStripHeight; ++r) {
      low = __vminu4(low, strip.words[r][i]);
      high = __vmaxu4(high, strip.words[r][i]);
    }
    low = __vminu4(low, low >> 16), high = __vmaxu4(high, high >> 16);
    ranges[i] =
        static_cast<uint16_t>(min(low & 255u, low >> 8 & 255u) | max(high & 255u, high >> 8 & 255u) << 8);
  }
}

// The ranges of the strip that begins at pixel (x, y); also writes its quads if they changed.
__device__ inline void process_strip(const ImageView<const uint8_t>& image, const QuadPlane& quads, int x,
                                     int y, uint16_t (&ranges)[kStripWords]) {
  uint16_t& known = quads.strips[static_cast<uint32_t>(y / kStripHeight) * quads.strips_wide() +
                                 static_cast<uint32_t>(x / kStripWidth)];
  const uint16_t before = known;
  const PixelStrip strip = load_strip(image, x, y);
  tile_ranges(strip, ranges);
  const uint16_t level = level_of(strip);
  if (level == before && level != kVariedStrip) return;
  known = level;
  write_quads(quads, strip, x, y, image.height);
}

// One thread block makes kTopTiles x kTopTiles tiles of one camera (z), the levels above them, and the quads
// of their pixels; a thread makes one strip. The first thread also sets the counters to 0.
template <int Cameras>
__global__ void __launch_bounds__(kCarvingThreads)
    find_ranges(const __grid_constant__ CarvingViews<Cameras> views,
                const __grid_constant__ TilePyramids<Cameras> pyramids, CarvingCounters* counters) {
  static_assert(kStripWords * kCarvingThreads == kTopTiles * kTopTiles);
  constexpr int kSharedTiles = kTopTiles >> kLevelsOfWarp, kThreadsAcross = kTopTiles / kStripWords;
  __shared__ uint16_t tiles[2][kSharedTiles][kSharedTiles];
  trigger_dependent_launch();
  if (blockIdx.x + blockIdx.y + blockIdx.z == 0 && threadIdx.x == 0) *counters = {};
  const ImageView<const uint8_t> image = views.view[blockIdx.z].indicator;
  const TileLevels& pyramid = pyramids.of_camera[blockIdx.z];
  const int tile_x0 = static_cast<int>(blockIdx.x) * kTopTiles,
            tile_y0 = static_cast<int>(blockIdx.y) * kTopTiles, thread = static_cast<int>(threadIdx.x);
  if (!image.data || tile_x0 >= pyramid.level[0].width || tile_y0 >= pyramid.level[0].height) return;
  const auto put = [&](int level, int x, int y, uint16_t range) {
    const TileLevels::Level place = pyramid.level[level];
    const int to_x = (tile_x0 >> level) + x, to_y = (tile_y0 >> level) + y;
    if (to_x < place.width && to_y < place.height)
      pyramid.tiles[place.offset + to_y * place.width + to_x] = range;
  };
  const int x = thread % kThreadsAcross * kStripWords, y = thread / kThreadsAcross;
  uint16_t mine[kStripWords] = {kNoRange, kNoRange, kNoRange, kNoRange};
  if (tile_x0 + x < pyramid.level[0].width && tile_y0 + y < pyramid.level[0].height)
    process_strip(image, views.view[blockIdx.z].quads, (tile_x0 + x) << PyramidLayout::kFirstShift,
                  (tile_y0 + y) << PyramidLayout::kFirstShift, mine);
#pragma unroll
  for (int i = 0; i < kStripWords; ++i) put(0, x + i, y, mine[i]);
  // A warp has four rows of tiles, so two levels more need no other.
  static_assert(kStripWords == 4 && 32 / kThreadsAcross == 4 && kLevelsOfWarp == 2);
  uint16_t pair[2] = {joined(mine[0], mine[1]), joined(mine[2], mine[3])};
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    pair[i] = joined_with_lane(pair[i], kThreadsAcross);
    if (y % 2 == 0) put(1, x / 2 + i, y / 2, pair[i]);
  }
  const uint16_t four = joined_with_lane(joined(pair[0], pair[1]), 2 * kThreadsAcross);
  if (y % 4 == 0) {
    put(2, x / 4, y / 4, four);
    tiles[kLevelsOfWarp % 2][y / 4][x / 4] = four;
  }
  for (int level = kLevelsOfWarp + 1; level < pyramid.levels; ++level) {
    __syncthreads();
    const int side = kTopTiles >> level, at_x = thread % side, at_y = thread / side;
    const auto& below = tiles[(level - 1) % 2];
    if (at_y >= side) continue;
    const uint16_t range = joined(joined(below[2 * at_y][2 * at_x], below[2 * at_y][2 * at_x + 1]),
                                  joined(below[2 * at_y + 1][2 * at_x], below[2 * at_y + 1][2 * at_x + 1]));
    put(level, at_x, at_y, range);
    tiles[level % 2][at_y][at_x] = range;
  }
}

// As range_in() of range_pyramid.h, from tiles so large that the box is at most 2^AcrossLog2 of them wide and
// high (one more if it does not begin with a tile), except at the top level. Fewer, larger tiles are read
// faster, but bound the box less tightly. All Step x Step tiles of a round are in flight at once: the last
// row and column are read several times rather than one after the other.
template <int AcrossLog2, int Step>
__device__ inline uint16_t range_of(const TileLevels& pyramid, const BlockView& box) {
  const int right = box.right(), bottom = box.bottom();
  const int size = max(right - box.x0, bottom - box.y0) + 1;
  const int at =
      min(max(32 - __clz(size - 1) - AcrossLog2 - PyramidLayout::kFirstShift, 0), pyramid.levels - 1);
  const int shift = at + PyramidLayout::kFirstShift;
  const TileLevels::Level level = pyramid.level[at];
  const uint16_t* tiles = pyramid.tiles + level.offset;
  const int x1 = right >> shift, y1 = bottom >> shift;
  uint32_t low = 255, high = 0;  // the high byte of the largest tile is the maximum
  for (int y0 = box.y0 >> shift; y0 <= y1; y0 += Step)
    for (int x0 = box.x0 >> shift; x0 <= x1; x0 += Step) {
      uint32_t tile[Step * Step];
#pragma unroll
      for (int row = 0; row < Step; ++row)
#pragma unroll
        for (int column = 0; column < Step; ++column)
          tile[row * Step + column] = tiles[min(y0 + row, y1) * level.width + min(x0 + column, x1)];
#pragma unroll
      for (const uint32_t range : tile) {
        low = min(low, range & 255u);
        high = max(high, range);
      }
    }
  return static_cast<uint16_t>(low | (high & 0xff00u));
}

}  // namespace vantage::gpu
