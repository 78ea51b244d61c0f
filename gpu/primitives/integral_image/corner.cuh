// The sum over all tiles above a tile and to its left: see exchange.cuh.
#pragma once

#include "gpu/primitives/integral_image/groups.cuh"

namespace vantage::gpu::integral {

// The sum of a whole tile. Where a tile's numbers are wide sums of its columns, it is the last of these; else
// it is a number of its own, and so is what a group hands on.
template <typename Shape>
class CornerSum {
 public:
  using T = typename Shape::TileType;
  using Local = typename T::Local;
  using Global = typename T::Global;
  using Carried = std::conditional_t<T::kSummed, Local, Global>;

  __device__ CornerSum(const Plan& plan, unsigned char* scratch, uint32_t launch)
      : columns_(words(scratch, plan.columns_at), launch),
        totals_(words(scratch, plan.totals_at), launch),
        carries_(words(scratch, plan.carries_at), launch),
        corners_(words(scratch, plan.corners_at), launch) {}

  // The sum of all of a tile.
  __device__ void publish(const GroupedTile& tile, Local total) const {
    totals_.publish(static_cast<size_t>(tile.number), total);
  }

  // A thread's share: of the tiles of the group, and of what the groups above have handed on.
  __device__ PolledNumber<Local> first_total(const GroupedTile& tile, int thread) const {
    const int tiles = (tile.place.y - tile.first_above) * tile.place.x;
    return polled_total(thread < tiles ? number(tile, thread) : tile.first, thread < tiles);
  }
  __device__ auto first_carried(const GroupedTile& tile, int thread) const {
    if constexpr (kGrouped<Shape>) {
      const bool needed = tile.first_above > 0 && thread < tile.place.x;
      return polled_carried(needed ? tile.group_above - tile.place.x + thread : 0, needed);
    } else {
      return NoNumber<Carried>{};
    }
  }
  // Beyond the first ones; waits for them.
  __device__ Global further(const GroupedTile& tile, int thread) const {
    const int x0 = tile.place.x, tiles = (tile.place.y - tile.first_above) * x0;
    Global corner = 0;
    constexpr int kMax = kMaxBefore<Shape> * kMaxBefore<Shape>;
    if constexpr (kMax > T::kThreads)
      for (int i = thread + T::kThreads; i < tiles; i += T::kThreads) corner += total(number(tile, i));
    if (kGrouped<Shape> && tile.first_above > 0)
      for (int x = thread + T::kThreads; x < x0; x += T::kThreads)
        corner += carried_total(tile.group_above - x0 + x);
    return corner;
  }

  // Called by a warp of the last tile of a column through a group: the sum of this column of tiles down to
  // here.
  __device__ void hand_on(const GroupedTile& tile, int lane) const {
    Global sum = 0;
    for (int y = tile.first_above + lane; y <= tile.place.y; y += 32)
      sum += total(tile.first + y * tile.tiles_x + tile.place.x);
    if (lane == 31 && tile.first_above > 0) sum += carried_total(tile.group_above);
    sum = warp_sum(sum);
    if (lane == 0) corners_.publish(static_cast<size_t>(tile.group_below), sum);
  }

 private:
  // The number of the i-th tile above and to the left in the group.
  __device__ static int number(const GroupedTile& tile, int i) {
    const int y = i / tile.place.x, x = i - y * tile.place.x;
    return tile.first + (tile.first_above + y) * tile.tiles_x + x;
  }
  __device__ PolledNumber<Local> polled_total(int tile, bool needed) const {
    if constexpr (T::kSummed)
      return columns_.polled(slot(tile, T::kColumns, T::kColumns - 1), needed);
    else
      return totals_.polled(static_cast<uint32_t>(tile), needed);
  }
  // The carried sum of a column of tiles through a group.
  __device__ PolledNumber<Carried> polled_carried(int at, bool needed) const {
    if constexpr (T::kSummed)
      return carries_.polled(slot(at, T::kColumns, T::kColumns - 1), needed);
    else
      return corners_.polled(static_cast<uint32_t>(at), needed);
  }
  __device__ Local total(int tile) const { return polled_total(tile, true).wait(); }
  __device__ Global carried_total(int at) const { return polled_carried(at, true).wait(); }

  const PublishedNumbers<Local> columns_, totals_, carries_;
  const PublishedNumbers<Global> corners_;
};

}  // namespace vantage::gpu::integral
