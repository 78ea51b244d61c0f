// Shapes of tiles, by a picture's size and types, and the choice of a request's shape.
#pragma once

#include "gpu/primitives/integral_image/exchange.cuh"
#include "gpu/primitives/integral_image/packed_elements.cuh"
#include "gpu/runtime/device_limits.h"

namespace vantage::gpu::integral {

// Members of a shape. TileType; kBlocks: thread blocks at a time on a multiprocessor; kLeftPacks,
// kAbovePacks: packs that a thread polls together (tile_lookback.cuh); kSpilledRows, kScannedRows: see
// PackedElements; kDiagonal: whether tiles are drawn by diagonals, in turns, or row by row; and how tiles
// work in groups (plan_tiles()): a picture of up to kMaxUngrouped tiles each way is one group.
struct OneGroup {
  static constexpr int kMaxUngrouped = 64, kGroup = 0;
};
template <int kEach>
struct Groups {
  static constexpr int kMaxUngrouped = 0, kGroup = kEach;
};

// Narrow tiles and many threads, so that a tile is soon done.
template <typename In, typename Out, typename Global>
struct Small : OneGroup {
  static constexpr bool kBytes = sizeof(In) == 1, kDoubles = sizeof(In) == 8;
  using TileType = Tile<In, Out, Global, sizeof(Out) == 8 ? 2 : 1, kBytes ? 4 : 8, kBytes ? 16 : 8>;
  static constexpr int kBlocks = 2;
  static constexpr int kLeftPacks = kBytes || kDoubles ? 1 : 2, kAbovePacks = kBytes ? 2 : kDoubles ? 3 : 4;
  static constexpr int kSpilledRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = false;
};
// Bytes of some megapixels: nearly all tiles are resident at once.
template <typename In, typename Out, typename Global, typename Grouping = OneGroup>
struct Medium : Grouping {
  static constexpr bool kNarrow = sizeof(Out) == 4;
  using TileType = Tile<In, Out, Global, kNarrow ? 1 : 4, 8, kNarrow ? 16 : 8>;
  static constexpr int kBlocks = 2;
  static constexpr int kLeftPacks = kNarrow ? 2 : 1, kAbovePacks = kNarrow ? 2 : 4;
  static constexpr int kSpilledRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = false;
};
// Bytes of larger pictures. They take few registers: up to 4096 x 4096 all tiles are resident.
template <typename In, typename Out, typename Global>
struct LargeBytes : Groups<8> {
  using TileType = Tile<In, Out, Global, sizeof(Out) == 8 ? 4 : 2, 16, 16>;
  static constexpr int kBlocks = 2, kLeftPacks = 2, kAbovePacks = 2;
  static constexpr int kSpilledRows = 11, kScannedRows = 4;
  static constexpr bool kDiagonal = true;
};
// Wider elements: as many rows as registers hold.
template <typename In, typename Out, typename Global>
struct Large : Groups<4> {
  using TileType = Tile<In, Out, Global, 2, sizeof(In) == 8 ? 8 : 10, 8>;
  static constexpr int kBlocks = 2;
  static constexpr int kLeftPacks = 1, kAbovePacks = 2;
  static constexpr int kSpilledRows = 0, kScannedRows = 0;
  static constexpr bool kDiagonal = true;
};

template <typename In, typename Out, typename Shape>
using ElementsOf = std::conditional_t<
    Shape::TileType::kSummed, SummedElements<typename Shape::TileType, In, Out>,
    PackedElements<typename Shape::TileType, In, Out, Shape::kSpilledRows, Shape::kScannedRows>>;

// Pixels of all pictures from which the next shape is faster.
inline constexpr int64_t kSmallBelow = 3'000'000;
inline constexpr int64_t kMediumBelow = 8'000'000,
                         kWideMediumBelow = 11'000'000;  // of bytes to 32, to 64 bits

inline int64_t pixels_of(const IntegralRequest& request) {
  const IntegralPlane& in = request.in.first;
  return int64_t{in.width} * in.height * request.count;
}

inline constexpr int kDrawnTileBytes = 128;  // of shared memory in addition to the exchange's, at most

// True if a block of this device can have the shared memory that the shape takes.
template <typename In, typename Out, typename Shape>
bool fits(const DeviceLimits& limits) {
  constexpr int kBytes = ElementsOf<In, Out, Shape>::kSharedBytes +
                         static_cast<int>(sizeof(typename Exchange<Shape>::Shared)) + kDrawnTileBytes;
  return kBytes <= limits.shared_bytes;
}

// True if a picture is one group.
template <typename Shape>
bool one_group(const IntegralRequest& request) {
  using T = typename Shape::TileType;
  return request.in.first.width <= Shape::kMaxUngrouped * T::kColumns &&
         request.in.first.height <= Shape::kMaxUngrouped * T::kRows;
}

template <typename In, typename Out, typename Global, typename F>
auto with_byte_shape(const DeviceLimits& limits, const IntegralRequest& request, const F& f) {
  constexpr int64_t kMedium = sizeof(Out) == 8 ? kWideMediumBelow : kMediumBelow;
  if (pixels_of(request) < kMedium && one_group<Medium<In, Out, Global>>(request))
    return f.template operator()<Medium<In, Out, Global>>();
  if (fits<In, Out, LargeBytes<In, Out, Global>>(limits))
    return f.template operator()<LargeBytes<In, Out, Global>>();
  return f.template operator()<Medium<In, Out, Global, Groups<8>>>();
}

template <typename In, typename Out, typename Global, typename F>
auto with_shape_of(const DeviceLimits& limits, const IntegralRequest& request, const F& f) {
  if (pixels_of(request) < kSmallBelow && one_group<Small<In, Out, Global>>(request))
    return f.template operator()<Small<In, Out, Global>>();
  if constexpr (sizeof(In) == 1)
    return with_byte_shape<In, Out, Global>(limits, request, f);
  else
    return f.template operator()<Large<In, Out, Global>>();
}

// Calls f.template operator()<Shape>() with the request's shape. u8 -> f32 is exact until it is rounded at
// the end.
template <typename In, typename Out, typename F>
auto with_shape(const DeviceLimits& limits, const IntegralRequest& request, const F& f) {
  constexpr int64_t kFit32Bits = 0xffffffff / 255;  // bytes whose sum fits into 32 bits
  if constexpr (sizeof(In) == 1 && std::is_same_v<Out, float>) {
    if (pixels_of(request) > kFit32Bits) return with_byte_shape<In, Out, Wide>(limits, request, f);
    return with_shape_of<In, Out, uint32_t>(limits, request, f);
  } else {
    return with_shape_of<In, Out, Out>(limits, request, f);
  }
}

}  // namespace vantage::gpu::integral
