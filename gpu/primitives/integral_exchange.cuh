// What the tiles of an integral image tell each other.
//
// Every tile publishes the sums of its rows and columns and of all of it, and adds up those of the tiles to
// its left and above it (here), and above and to the left (integral_corner.cuh). Of many tiles some rows and
// columns of them make a group; the last tiles of a group hand on what has been summed up to there, so that a
// tile reads at most the others of its group and what the group before has handed on.
#pragma once

#include "gpu/primitives/integral_corner.cuh"

namespace vantage::gpu::integral {

// Choice: the tile, and how many numbers of tiles to the left and above a thread asks for at once. To ask for
// both before waiting for either takes registers that the tile needs more.
template <typename Choice>
class Exchange {
 public:
  using T = typename Choice::TileType;
  using Local = typename T::Local;
  using Global = typename T::Global;
  static constexpr int kColumnParts =
      T::kThreads / T::kColumns;                       // threads that share the tiles above a column
  static constexpr int kRowParts = 32 / T::kWarpRows;  // and those left of a row
  static_assert(T::kThreads % T::kColumns == 0);
  struct Shared {
    alignas(16) Local below[T::kWarps][T::kColumns];  // each warp's sums of its rows; then of the warps above
    alignas(16) Local above[kColumnParts][T::kColumns];
    Local warp_totals[T::kWarps], warp_lefts[T::kWarps];
    Global corners[T::kWarps];
  };

  __device__ Exchange(const Plan& plan, unsigned char* scratch, Shared& shared, const TilePlace& place,
                      uint32_t launch)
      : shared_(shared),
        tile_(plan, place),
        thread_(static_cast<int>(threadIdx.x)),
        lane_(thread_ % 32),
        warp_(thread_ / 32),
        rows_(words(scratch, plan.rows_at), launch),
        columns_(words(scratch, plan.columns_at), launch),
        row_carries_(words(scratch, plan.row_carries_at), launch),
        carries_(words(scratch, plan.carries_at), launch),
        corner_(plan, scratch, launch) {}

  // own_row: lane r has the sum of the warp's r-th row; total: of all its rows; columns: of its columns, over
  // its rows. By the whole block.
  __device__ void publish(Local own_row, Local total, const typename T::Side (&columns)[T::kGroups]) {
    own_row_ = own_row;
    if (lane_ < T::kWarpRows)
      rows_.publish(slot(tile_.number, T::kRows, warp_ * T::kWarpRows + lane_), own_row);
    if constexpr (!T::kSummed)
      if (lane_ == 0) shared_.warp_totals[warp_] = total;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
      *reinterpret_cast<typename T::Side*>(&shared_.below[warp_][in_tile(g)]) = columns[g];
    __syncthreads();
    if (thread_ < T::kColumns) {
#pragma unroll
      for (int w = 0; w < T::kWarps; ++w) {
        const Local more = shared_.below[w][thread_];
        shared_.below[w][thread_] = own_column_;
        own_column_ += more;
      }
      columns_.publish(slot(tile_.number, T::kColumns, thread_), own_column_);
    }
    if constexpr (!T::kSummed) {
      if (warp_ == T::kWarps - 1) {
        const Local sum = warp_sum(lane_ < T::kWarps ? shared_.warp_totals[lane_] : Local(0));
        if (lane_ == 0) corner_.publish(tile_, sum);
      }
    }
  }

  // Waits for the others' sums, by the whole block.
  __device__ void collect() {
    const int row = lane_ % T::kWarpRows, row_part = lane_ / T::kWarpRows;
    const int column = thread_ % T::kColumns, column_part = thread_ / T::kColumns;
    const uint32_t row_carry = slot(tile_.row_group(), T::kRows, warp_ * T::kWarpRows + row);
    AskedSum<Local, Local, most(kRowParts), Choice::kLeftAtOnce> left(
        rows_,
        slot(tile_.number - tile_.place.x + tile_.first_left + row_part, T::kRows,
             warp_ * T::kWarpRows + row),
        kRowParts * T::kRows,
        row_part < kRowParts ? share(tile_.place.x - tile_.first_left, row_part, kRowParts) : 0);
    AskedSum<Local, Local, 1> left_carry(row_carries_, row_carry, 0, tile_.first_left > 0 && row_part == 0);
    AskedSum<Local, Local, most(kColumnParts), Choice::kAboveAtOnce> above(
        columns_,
        slot(tile_.first + (tile_.first_above + column_part) * tile_.tiles_x() + tile_.place.x, T::kColumns,
             column),
        static_cast<uint32_t>(kColumnParts * tile_.tiles_x() * T::kColumns),
        share(tile_.place.y - tile_.first_above, column_part, kColumnParts));
    AskedSum<Local, Local, 1> above_carry(carries_, slot(tile_.group_above(), T::kColumns, column), 0,
                                          tile_.first_above > 0 && column_part == 0);
    left.ask(), left_carry.ask();
    sum_left(left.wait() + left_carry.wait(), row_carry);
    above.ask(), above_carry.ask();
    const Local sum = above.wait() + above_carry.wait();
    shared_.above[column_part][column] = sum;
    const bool hands_on = tile_.ends_rows();
    if constexpr (kColumnParts == 1)
      if (hands_on) carries_.publish(slot(tile_.group_below(), T::kColumns, column), sum + own_column_);
    const Global corner = warp_sum(corner_.of_thread(tile_, thread_));
    if (lane_ == 0) shared_.corners[warp_] = corner;
    __syncthreads();
    if (hands_on) hand_on();
    beside_ = left_ + warp_sum(lane_ < warp_ ? shared_.warp_lefts[lane_] : Local(0));
  }

  // After collect(): everything left of the tile in its rows down to the warp's r-th.
  __device__ Local beside(int r) const {
    return __shfl_sync(kAllLanes, beside_, r);
  }
  // All tiles above and to the left.
  __device__ Global corner() const {
    return warp_sum(lane_ < T::kWarps ? shared_.corners[lane_] : Global(0));
  }
  // Of the thread's columns, over everything above the warp's rows.
  __device__ void gather_above(Global (&above)[T::kGroups][T::kVector]) const {
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      auto sum = *reinterpret_cast<const typename T::Side*>(&shared_.below[warp_][in_tile(g)]);
#pragma unroll
      for (int part = 0; part < kColumnParts; ++part) {
        const auto more = *reinterpret_cast<const typename T::Side*>(&shared_.above[part][in_tile(g)]);
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) sum.v[k] += more.v[k];
      }
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) above[g][k] = static_cast<Global>(sum.v[k]);
    }
  }

 private:
  // The most numbers of tiles that one of so many threads adds up.
  __host__ __device__ static constexpr int most(int parts) {
    constexpr int kTiles =
        (Choice::kMostUngrouped > Choice::kGroup ? Choice::kMostUngrouped : Choice::kGroup) - 1;
    return (kTiles + parts - 1) / parts;
  }
  // How many of `count` things the `part`-th of `parts` threads takes, one after the other in turn.
  __device__ static int share(int count, int part, int parts) {
    return (count - part + parts - 1) / parts;
  }
  __device__ int in_tile(int group) const {
    return group * T::kGroupColumns + lane_ * T::kVector;
  }
  // From the parts of what is left of single rows to all rows of the warp down to each lane's.
  __device__ void sum_left(Local part, uint32_t row_carry) {
    const int row = lane_ % T::kWarpRows;
    if constexpr (32 % T::kWarpRows == 0) {
      left_ = part;
#pragma unroll
      for (int distance = T::kWarpRows; distance < 32; distance *= 2)
        left_ += __shfl_xor_sync(kAllLanes, left_, distance);
    } else {
      left_ = 0;
#pragma unroll
      for (int p = 0; p < kRowParts; ++p) left_ += __shfl_sync(kAllLanes, part, row + p * T::kWarpRows);
    }
    if (tile_.ends_columns() && lane_ < T::kWarpRows)
      row_carries_.publish(row_carry + T::kRows, left_ + own_row_);
#pragma unroll
    for (int distance = 1; distance < T::kWarpRows; distance *= 2) {
      const Local more = __shfl_up_sync(kAllLanes, left_, distance);
      if (row >= distance) left_ += more;
    }
    if (lane_ == T::kWarpRows - 1) shared_.warp_lefts[warp_] = left_;
  }

  // By the last tiles of a group: the columns' sums down to here, where several threads share one, and of all
  // of them together.
  __device__ void hand_on() const {
    if (kColumnParts > 1 && thread_ < T::kColumns) {
      Local sum = own_column_;
#pragma unroll
      for (int part = 0; part < kColumnParts; ++part) sum += shared_.above[part][thread_];
      carries_.publish(slot(tile_.group_below(), T::kColumns, thread_), sum);
    }
    if constexpr (!T::kSummed)
      if (warp_ == T::kWarps - 1) corner_.hand_on(tile_, lane_);
  }

  Shared& shared_;
  const GroupedTile tile_;
  const int thread_, lane_, warp_;
  const PublishedNumbers<Local> rows_, columns_, row_carries_, carries_;
  const CornerSum<T> corner_;
  Local own_row_ = 0, own_column_ = 0;
  Local left_ = 0, beside_ = 0;
};

}  // namespace vantage::gpu::integral
