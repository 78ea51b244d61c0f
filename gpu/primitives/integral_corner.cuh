// The sum over all tiles above a tile and to its left: see integral_exchange.cuh.
#pragma once

#include "gpu/primitives/integral_groups.cuh"

namespace vantage::gpu::integral {

// Where a tile's numbers are wide sums of its columns the last of these is the sum of all of it; else it is a
// number of its own, and so is what a group hands on.
template <typename T>
class CornerSum {
 public:
  using Local = typename T::Local;
  using Global = typename T::Global;

  __device__ CornerSum(const Plan& plan, unsigned char* scratch, uint32_t launch)
      : columns_(words(scratch, plan.columns_at), launch),
        totals_(words(scratch, plan.totals_at), launch),
        carries_(words(scratch, plan.carries_at), launch),
        corners_(words(scratch, plan.corners_at), launch) {}

  // The sum of all of a tile.
  __device__ void publish(const GroupedTile& tile, Local total) const {
    totals_.publish(static_cast<size_t>(tile.number), total);
  }

  // A thread's share; waits for the others' sums.
  __device__ Global of_thread(const GroupedTile& tile, int thread) const {
    const int x0 = tile.place.x, tiles = (tile.place.y - tile.first_above) * x0;
    Global corner = 0;
    for (int i = thread; i < tiles; i += T::kThreads) {
      const int y = i / x0, x = i - y * x0;
      corner += total(tile.first + (tile.first_above + y) * tile.tiles_x() + x);
    }
    if (tile.first_above > 0)
      for (int x = thread; x < x0; x += T::kThreads) corner += carried_total(tile.group_above() - x0 + x);
    return corner;
  }

  // By a warp of the last tile of a column through a group: the sum of this column of tiles down to here.
  __device__ void hand_on(const GroupedTile& tile, int lane) const {
    Global sum = 0;
    for (int y = tile.first_above + lane; y <= tile.place.y; y += 32)
      sum += total(tile.first + y * tile.tiles_x() + tile.place.x);
    if (lane == 31 && tile.first_above > 0) sum += carried_total(tile.group_above());
    sum = warp_sum(sum);
    if (lane == 0) corners_.publish(static_cast<size_t>(tile.group_below()), sum);
  }

 private:
  __device__ Local total(int tile) const {
    if constexpr (T::kSummed)
      return AskedSum<Local, Local, 1>(columns_, slot(tile, T::kColumns, T::kColumns - 1), 0, 1).wait();
    else
      return AskedSum<Local, Local, 1>(totals_, static_cast<uint32_t>(tile), 0, 1).wait();
  }
  // Of a column of tiles through a group.
  __device__ Global carried_total(int at) const {
    if constexpr (T::kSummed)
      return AskedSum<Local, Local, 1>(carries_, slot(at, T::kColumns, T::kColumns - 1), 0, 1).wait();
    else
      return AskedSum<Global, Global, 1>(corners_, static_cast<uint32_t>(at), 0, 1).wait();
  }

  const PublishedNumbers<Local> columns_, totals_, carries_;
  const PublishedNumbers<Global> corners_;
};

}  // namespace vantage::gpu::integral
