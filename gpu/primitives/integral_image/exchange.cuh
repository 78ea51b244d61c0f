// The exchange of sums between the tiles of an integral image: every tile publishes the sums of its rows, of
// its columns and of all of it, and adds up those of the tiles to its left and above it (here), and above and
// to the left (corner.cuh). Groups of tiles: see resources/docs/algorithms/integral-image.md.
#pragma once

#include "gpu/primitives/integral_image/corner.cuh"
#include "gpu/primitives/integral_image/tile_lookback.cuh"

namespace vantage::gpu::integral {

// Shape: see shapes.cuh.
template <typename Shape>
class Exchange {
 public:
  using T = typename Shape::TileType;
  using Local = typename T::Local;
  using Global = typename T::Global;
  static constexpr int kWarpColumns = T::kColumns / T::kWarps;  // whose sums over a tile a warp adds up
  static constexpr int kSlices = 32 / kWarpColumns;
  static_assert(T::kColumns % T::kWarps == 0 && kWarpColumns <= 32 && T::kWarps % kSlices == 0);
  struct Shared {
    alignas(16) Local below[T::kWarps][T::kColumns];  // each warp's sums of its rows; then of the warps above
    alignas(16) Local above[T::kColumns];             // first the tile's own sums
    alignas(16) Local left_parts[T::kWarps][32 * T::kPackSums];
    alignas(16) Local above_parts[T::kWarps][32 * T::kPackSums];
    Local own_rows[T::kRows];
    Local warp_totals[T::kWarps], warp_lefts[T::kWarps];
    Global corners[T::kWarps];
  };

  __device__ Exchange(const Plan& plan, unsigned char* scratch, Shared& shared, const GroupedTile& tile)
      : shared_(shared),
        tile_(tile),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32),
        rows_(words(scratch, plan.rows_at), tile.launch),
        columns_(words(scratch, plan.columns_at), tile.launch),
        row_carries_(words(scratch, plan.row_carries_at), tile.launch),
        carries_(words(scratch, plan.carries_at), tile.launch),
        corner_(plan, scratch, tile.launch) {}

  // own_row: lane r has the sum of the warp's r-th row; total: of all its rows; columns: of its columns, over
  // its rows. By the whole block.
  __device__ void publish(Local own_row, Local total, const typename T::SumPack (&columns)[T::kGroups]) {
    if (lane_ < T::kWarpRows) shared_.own_rows[warp_ * T::kWarpRows + lane_] = own_row;
    publish_sums(rows_, slot(tile_.number, T::kRows, warp_ * T::kWarpRows), own_row, T::kWarpRows);
    if constexpr (!T::kSummed)
      if (lane_ == 0) shared_.warp_totals[warp_] = total;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
      *reinterpret_cast<typename T::SumPack*>(&shared_.below[warp_][in_tile(g)]) = columns[g];
    __syncthreads();
    const Local own_column = sum_columns();
    if (lane_ < kWarpColumns) shared_.above[warp_ * kWarpColumns + lane_] = own_column;
    publish_sums(columns_, slot(tile_.number, T::kColumns, warp_ * kWarpColumns), own_column, kWarpColumns);
    if constexpr (!T::kSummed) {
      if (warp_ == T::kWarps - 1) {
        const Local sum = warp_sum(lane_ < T::kWarps ? shared_.warp_totals[lane_] : Local(0));
        if (lane_ == 0) corner_.publish(tile_, sum);
      }
    }
  }

  // Waits for the others' sums, by the whole block.
  __device__ void collect() {
    const int thread = warp_ * 32 + lane_;
    const uint32_t row_carry = slot(tile_.row_group, T::kRows, warp_ * T::kWarpRows + lane_);
    const uint32_t carry = slot(tile_.group_above, T::kColumns, warp_ * kWarpColumns + lane_);
    auto left = left_lookback();
    auto above = above_lookback();
    auto left_carry =
        polled_carry<Shape>(row_carries_, row_carry, tile_.first_left > 0 && lane_ < T::kWarpRows);
    auto above_carry = polled_carry<Shape>(carries_, carry, tile_.first_above > 0 && lane_ < kWarpColumns);
    auto total = corner_.first_total(tile_, thread);
    auto carried = corner_.first_carried(tile_, thread);
    do left.poll(), above.poll(), left_carry.poll(), above_carry.poll(), total.poll(), carried.poll();
    while (!(left.ready() && above.ready() && left_carry.ready() && above_carry.ready() && total.ready() &&
             carried.ready()));
    left.add(), above.add();
    while (left.more() || above.more()) {
      do left.poll(), above.poll();
      while (!(left.ready() && above.ready()));
      left.add(), above.add();
    }
    above.put(shared_.above_parts[warp_], lane_), left.put(shared_.left_parts[warp_], lane_);
    __syncwarp();
    sum_above(above.total(shared_.above_parts[warp_], lane_) + above_carry.value(), carry);
    sum_left(left.total(shared_.left_parts[warp_], lane_) + left_carry.value(), row_carry);
    const Global corner = warp_sum(static_cast<Global>(total.value()) + static_cast<Global>(carried.value()) +
                                   corner_.further(tile_, thread));
    if (lane_ == 0) shared_.corners[warp_] = corner;
    __syncthreads();
    if constexpr (!T::kSummed)
      if (kGrouped<Shape> && tile_.ends_rows && warp_ == T::kWarps - 1) corner_.hand_on(tile_, lane_);
    beside_ = warp_sum(lane_ < T::kWarps ? shared_.corners[lane_] : Global(0)) +
              static_cast<Global>(left_ + warp_sum(lane_ < warp_ ? shared_.warp_lefts[lane_] : Local(0)));
  }

  // After collect(): everything left of the tile down to the warp's r-th row.
  __device__ Global beside(int r) const { return __shfl_sync(kAllLanes, beside_, r); }
  // The sums of the thread's columns over everything above the warp's rows.
  __device__ void gather_above(Local (&above)[T::kGroups][T::kVector]) const {
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      const auto below = *reinterpret_cast<const typename T::SumPack*>(&shared_.below[warp_][in_tile(g)]);
      const auto more = *reinterpret_cast<const typename T::SumPack*>(&shared_.above[in_tile(g)]);
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) above[g][k] = below.v[k] + more.v[k];
    }
  }

 private:
  __device__ auto left_lookback() const {
    return TileLookback<T, T::kWarpRows, kMaxBefore<Shape>, Shape::kLeftPacks>(
        rows_, slot(tile_.number - tile_.place.x + tile_.first_left, T::kRows, warp_ * T::kWarpRows),
        T::kRows, tile_.place.x - tile_.first_left, lane_);
  }
  __device__ auto above_lookback() const {
    return TileLookback<T, kWarpColumns, kMaxBefore<Shape>, Shape::kAbovePacks>(
        columns_,
        slot(tile_.first + tile_.first_above * tile_.tiles_x + tile_.place.x, T::kColumns,
             warp_ * kWarpColumns),
        static_cast<uint32_t>(tile_.tiles_x * T::kColumns), tile_.place.y - tile_.first_above, lane_);
  }
  __device__ int in_tile(int group) const { return group * T::kGroupColumns + lane_ * T::kVector; }
  // Lane i's goes to first + i; of bytes two are in one word.
  __device__ void publish_sums(const PublishedNumbers<typename T::Published>& numbers, uint32_t first,
                               Local value, int count) const {
    const auto i = static_cast<uint32_t>(lane_);
    if constexpr (T::kPaired) {
      const uint32_t next = __shfl_down_sync(kAllLanes, value, 1);
      if (lane_ < count && i % 2 == 0) numbers.publish((first + i) / 2, value | next << 16);
    } else {
      if (lane_ < count) numbers.publish(first + i, value);
    }
  }
  // Turns each warp's sums of the columns into those of the warps above it. A lane adds up a slice of the
  // warps in one column.
  __device__ Local sum_columns() const {
    constexpr int kWarps = T::kWarps / kSlices;
    const int column = warp_ * kWarpColumns + lane_ % kWarpColumns, slice = lane_ / kWarpColumns;
    Local values[kWarps], sum = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      values[w] = shared_.below[slice * kWarps + w][column];
      sum += values[w];
    }
    Local before = 0, all = 0;
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
      if (s == slice) before = all;
      all += __shfl_sync(kAllLanes, sum, s * kWarpColumns + lane_ % kWarpColumns);
    }
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      shared_.below[slice * kWarps + w][column] = before;
      before += values[w];
    }
    return all;
  }
  // Lane i has what is above the i-th of the warp's columns.
  __device__ void sum_above(Local above, uint32_t carry) const {
    if (lane_ >= kWarpColumns) return;
    Local& sum = shared_.above[warp_ * kWarpColumns + lane_];
    if (kGrouped<Shape> && tile_.ends_rows)
      carries_.publish(carry + static_cast<uint32_t>(tile_.tiles_x * T::kColumns), above + sum);
    sum = above;
  }
  // Sums what is left of single rows over all rows of the warp down to each lane's.
  __device__ void sum_left(Local left, uint32_t row_carry) {
    left_ = left;
    if (kGrouped<Shape> && tile_.ends_columns && lane_ < T::kWarpRows)
      row_carries_.publish(row_carry + T::kRows, left_ + shared_.own_rows[warp_ * T::kWarpRows + lane_]);
#pragma unroll
    for (int distance = 1; distance < T::kWarpRows; distance *= 2) {
      const Local more = __shfl_up_sync(kAllLanes, left_, distance);
      if (lane_ >= distance) left_ += more;
    }
    if (lane_ == T::kWarpRows - 1) shared_.warp_lefts[warp_] = left_;
  }

  Shared& shared_;
  const GroupedTile& tile_;
  const int lane_, warp_;
  const PublishedNumbers<typename T::Published> rows_, columns_;
  const PublishedNumbers<Local> row_carries_, carries_;
  const CornerSum<Shape> corner_;
  Local left_ = 0;
  Global beside_ = 0;
};

}  // namespace vantage::gpu::integral
