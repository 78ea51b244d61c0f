#include "core/carving/detail/carving_kernel.h"

#include <algorithm>
#include <array>

#include "core/carving/sample.h"

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/carving/detail/carving_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops, which the compiler turns into vector code for each instruction set; Highway where a loop
// cannot express it: gathers of two neighbouring bytes, and ranges of tiles.
HWY_BEFORE_NAMESPACE();
namespace vantage::carving::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kLayer = kBlockSide * kBlockSide;  // voxels of a block at one height

// A block's layers differ in z only.
struct LayerCenters {
  alignas(64) float x[kLayer], y[kLayer];
  explicit LayerCenters(const VoxelBlock& block) {
    for (int i = 0; i < kLayer; ++i) {
      x[i] = block.x_in_world_m[i % kBlockSide];
      y[i] = block.y_in_world_m[i / kBlockSide];
    }
  }
};

// seen: -1 or 0; unseen positions are (0, 0).
struct LayerPlaces {
  alignas(64) int32_t x[kLayer], y[kLayer];
  alignas(64) int32_t seen[kLayer];
};

// True if any is seen. Local copies and restricted pointers show the compiler that nothing aliases, so that
// it makes vector code.
template <LensModel kLens>
bool project_layer_through(const PinholeCamera<float>& camera, const LayerCenters& centers, float z_m,
                           LayerPlaces& places) {
  PinholeCamera<float> c = camera;
  c.lens = kLens;  // known when it is compiled: no branch within the loop
  const float *HWY_RESTRICT x_m = centers.x, *HWY_RESTRICT y_m = centers.y;
  int32_t *HWY_RESTRICT px = places.x, *HWY_RESTRICT py = places.y;
  int32_t* HWY_RESTRICT seen = places.seen;
  int32_t any = 0;
  for (int i = 0; i < kLayer; ++i) {
    const PixelPlace p = place_of(project(c, x_m[i], y_m[i], z_m));
    const bool inside = p.in_front & support_inside(c.width_px, c.height_px, p.x, p.y);
    seen[i] = inside ? -1 : 0;
    px[i] = static_cast<int32_t>(p.x) & seen[i];
    py[i] = static_cast<int32_t>(p.y) & seen[i];
    any |= seen[i];
  }
  return any != 0;
}

bool project_layer(const PinholeCamera<float>& camera, const LayerCenters& centers, float z_m,
                   LayerPlaces& places) {
  switch (camera.lens) {
    case LensModel::polynomial:
      return project_layer_through<LensModel::polynomial>(camera, centers, z_m, places);
    case LensModel::rational:
      return project_layer_through<LensModel::rational>(camera, centers, z_m, places);
    case LensModel::fisheye:
      return project_layer_through<LensModel::fisheye>(camera, centers, z_m, places);
  }
  return false;
}

// A block's columns of voxels along z.
struct BlockColumns {
  alignas(64) float one[kLayer], z[kLayer];
  float z2;

  explicit BlockColumns(const float* terms) : z2(terms[BlockPositions::kTerms - 1]) {
    float t[BlockPositions::kTerms];
    std::copy_n(terms, BlockPositions::kTerms, t);
    for (int i = 0; i < kLayer; ++i) {
      const ColumnPositions column =
          column_positions(t, offset_in_block(i % kBlockSide), offset_in_block(i / kBlockSide));
      one[i] = column.one, z[i] = column.z;
    }
  }
  void place(int layer, int32_t* HWY_RESTRICT places) const {
    const float at = offset_in_block(layer);
    for (int i = 0; i < kLayer; ++i)
      places[i] = static_cast<int32_t>(place_of(position_at({one[i], z[i], z2}, at)));
  }
};

bool keep_inside(const PinholeCamera<float>& camera, LayerPlaces& places) {
  const int width_px = camera.width_px, height_px = camera.height_px;
  int32_t *HWY_RESTRICT px = places.x, *HWY_RESTRICT py = places.y;
  int32_t* HWY_RESTRICT seen = places.seen;
  int32_t any = 0;
  for (int i = 0; i < kLayer; ++i) {
    const bool inside =
        support_inside(width_px, height_px, static_cast<uint32_t>(px[i]), static_cast<uint32_t>(py[i]));
    seen[i] = inside ? -1 : 0;
    px[i] &= seen[i];
    py[i] &= seen[i];
    any |= seen[i];
  }
  return any != 0;
}

// Calls use(z, positions) for each layer that the camera sees at least in part.
template <typename F>
void for_each_layer(const BlockCamera& camera, const VoxelBlock& block, const F& use) {
  LayerPlaces places;
  if (camera.positions) {
    const BlockColumns x(camera.positions->x_px), y(camera.positions->y_px);
    for (int z = 0; z < kBlockSide; ++z) {
      x.place(z, places.x);
      y.place(z, places.y);
      if (keep_inside(camera.camera, places)) use(z, places);
    }
    return;
  }
  const LayerCenters centers(block);
  for (int z = 0; z < kBlockSide; ++z)
    if (project_layer(camera.camera, centers, block.z_in_world_m[z], places)) use(z, places);
}

// Minimum and maximum coordinate of the seen positions. Others are 0: no maximum.
struct Bounds {
  int32_t low = INT32_MAX, high = 0;

  void add(const int32_t* HWY_RESTRICT places, const int32_t* HWY_RESTRICT seen) {
    int32_t min = low, max = high;
    for (int i = 0; i < kLayer; ++i) {
      min = std::min(min, (places[i] | ~seen[i]) & INT32_MAX);
      max = std::max(max, places[i]);
    }
    low = min, high = max;
  }
  int first() const { return low >> kPlaceBits; }
  int last() const { return high >> kPlaceBits; }
};

BlockView see_block(const BlockCamera& camera, const VoxelBlock& block) {
  Bounds x, y;
  int32_t all = -1;
  int layers = 0;
  for_each_layer(camera, block, [&](int, const LayerPlaces& places) HWY_ATTR {
    x.add(places.x, places.seen);
    y.add(places.y, places.seen);
    for (int i = 0; i < kLayer; ++i) all &= places.seen[i];
    ++layers;
  });
  if (layers == 0) return {};
  const bool whole = all != 0 && layers == kBlockSide;
  // The support's right and lower pixels too.
  return {static_cast<uint16_t>(x.first()), static_cast<uint16_t>(y.first()),
          static_cast<uint16_t>((x.last() + 1) | (whole ? BlockView::kWhole : 0)),
          static_cast<uint16_t>((y.last() + 1) | (camera.positions ? BlockView::kSmooth : 0))};
}

// Two neighbouring pixels of the row (bytes 0 and 1 of top) and of the row below (bytes 2 and 3 of bottom) in
// one read each. The read of four bytes begins with the pixels wanted above, and ends with them below: so
// neither leaves the picture, which has two rows at least.
void gather_support(const ImageView<const uint8_t>& indicator, const int32_t* offsets, uint32_t* top,
                    uint32_t* bottom) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const uint8_t* above = indicator.data;
  const uint8_t* below = indicator.data + indicator.stride_bytes - 2;
  for (size_t i = 0; i < kLayer; i += hn::Lanes(d)) {
    const auto at = hn::Load(di, offsets + i);
    hn::Store(hn::GatherOffset(d, reinterpret_cast<const uint32_t*>(above), at), d, top + i);
    hn::Store(hn::GatherOffset(d, reinterpret_cast<const uint32_t*>(below), at), d, bottom + i);
  }
}

int32_t level_of(uint32_t bytes, int shift) {
  return static_cast<int32_t>(bytes >> shift & 255u);
}

void add_layer_votes(const ImageView<const uint8_t>& indicator, const LayerPlaces& places,
                     int32_t* HWY_RESTRICT sums) {
  alignas(64) int32_t offsets[kLayer];
  alignas(64) uint32_t top[kLayer], bottom[kLayer];
  const auto stride = static_cast<int32_t>(indicator.stride_bytes);
  for (int i = 0; i < kLayer; ++i)
    offsets[i] = (places.y[i] >> kPlaceBits) * stride + (places.x[i] >> kPlaceBits);
  gather_support(indicator, offsets, top, bottom);
  for (int i = 0; i < kLayer; ++i) {
    const auto seen = static_cast<uint32_t>(places.seen[i]);
    const uint32_t above = top[i] & seen, below = bottom[i] & seen;
    sums[i] += bilinear(level_of(above, 0), level_of(above, 8), level_of(below, 16), level_of(below, 24),
                        static_cast<uint32_t>(places.x[i]), static_cast<uint32_t>(places.y[i]));
  }
}

int32_t add_votes(const BlockCamera& camera, const ImageView<const uint8_t>& indicator,
                  const VoxelBlock& block, int32_t* HWY_RESTRICT sums, int32_t* HWY_RESTRICT seeing) {
  for_each_layer(camera, block, [&](int z, const LayerPlaces& places) HWY_ATTR {
    add_layer_votes(indicator, places, sums + z * kLayer);
    for (int i = 0; i < kLayer && seeing; ++i) seeing[z * kLayer + i] -= places.seen[i];
  });
  int32_t largest = 0;
  for (int i = 0; i < kLanes; ++i) largest = std::max(largest, sums[i]);
  return largest;
}

void add_vote(int32_t vote, int32_t* HWY_RESTRICT sums) {
  for (int i = 0; i < kLanes; ++i) sums[i] += vote;
}

void compare_sums(const int32_t* HWY_RESTRICT sums, const int32_t* HWY_RESTRICT seeing, const VoteRule* rules,
                  uint8_t* HWY_RESTRICT rows) {
  for (int row = 0; row < kRowsPerBlock; ++row) {
    uint32_t bits = 0;
    for (int x = 0; x < kBlockSide; ++x) {
      const int i = row * kBlockSide + x;
      const int32_t limit = rules[seeing ? seeing[i] : 0].limit;
      bits |= sums[i] >= limit ? 1u << x : 0u;
    }
    rows[row] = static_cast<uint8_t>(bits);
  }
}

uint16_t tile_range(const uint8_t* const rows[4], int x0, int x1) {
  int low = 255, high = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = x0; x < x1; ++x) {
      low = std::min(low, int{rows[y][x]});
      high = std::max(high, int{rows[y][x]});
    }
  return static_cast<uint16_t>(low | high << 8);
}

// One 32-bit lane is the four pixels of a tile's row.
void tile_ranges(const uint8_t* const rows[4], int width, uint16_t* HWY_RESTRICT tiles) {
  int x = 0;
#if HWY_TARGET != HWY_SCALAR  // which has no lanes to hold a tile's row
  const hn::ScalableTag<uint8_t> d8;
  const hn::Repartition<uint32_t, decltype(d8)> d32;
  const hn::Rebind<uint16_t, decltype(d32)> d16;
  const auto byte = hn::Set(d32, 255u);
  const int step = static_cast<int>(hn::Lanes(d8));
  for (; x + step <= width; x += step) {
    auto low = hn::LoadU(d8, rows[0] + x), high = low;
    for (int y = 1; y < 4; ++y) {
      const auto row = hn::LoadU(d8, rows[y] + x);
      low = hn::Min(low, row);
      high = hn::Max(high, row);
    }
    const auto folded = [&](auto v, auto choose) HWY_ATTR {
      v = choose(v, hn::BitCast(d8, hn::ShiftRight<8>(hn::BitCast(d32, v))));
      v = choose(v, hn::BitCast(d8, hn::ShiftRight<16>(hn::BitCast(d32, v))));
      return hn::And(hn::BitCast(d32, v), byte);
    };
    const auto lowest = folded(low, [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); });
    const auto highest = folded(high, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
    hn::StoreU(hn::TruncateTo(d16, hn::Or(lowest, hn::ShiftLeft<8>(highest))), d16, tiles + x / 4);
  }
#endif
  for (; x < width; x += 4) tiles[x / 4] = tile_range(rows, x, std::min(x + 4, width));
}

}  // namespace vantage::carving::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::carving {

HWY_EXPORT(see_block);
HWY_EXPORT(add_votes);
HWY_EXPORT(add_vote);
HWY_EXPORT(compare_sums);
HWY_EXPORT(tile_ranges);

VoxelBlock voxels_of(int block, const BlockGrid& blocks, const VoxelCenters& centers) {
  const int x = block % blocks.nx, y = block / blocks.nx % blocks.ny, z = block / (blocks.nx * blocks.ny);
  return {centers.x.data() + x * kBlockSide, centers.y.data() + y * kBlockSide,
          centers.z.data() + z * kBlockSide};
}

BlockView see_block(const BlockCamera& camera, const VoxelBlock& block) {
  return HWY_DYNAMIC_DISPATCH(see_block)(camera, block);
}

int32_t add_votes(const BlockCamera& camera, const ImageView<const uint8_t>& indicator,
                  const VoxelBlock& block, int32_t* sums, int32_t* seeing) {
  return HWY_DYNAMIC_DISPATCH(add_votes)(camera, indicator, block, sums, seeing);
}

void add_vote(int32_t vote, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_vote)(vote, sums);
}

void compare_sums(const int32_t* sums, const int32_t* seeing, const VoteRule* rules, uint8_t* rows) {
  HWY_DYNAMIC_DISPATCH(compare_sums)(sums, seeing, rules, rows);
}

void tile_ranges(const uint8_t* const rows[4], int width, uint16_t* tiles) {
  HWY_DYNAMIC_DISPATCH(tile_ranges)(rows, width, tiles);
}

}  // namespace vantage::carving
#endif
