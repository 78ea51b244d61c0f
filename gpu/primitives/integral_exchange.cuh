// What the tiles of an integral image tell each other.
//
// Every tile publishes the sums of its rows and columns and of all of it, and adds up those of the tiles to
// its left, above it, and above and to the left. Of many tiles some rows and columns of them make a group;
// the last tiles of a group hand on what has been summed up to there, so that a tile reads at most the others
// of its group and what the group before has handed on.
#pragma once

#include "gpu/primitives/integral_plan.cuh"
#include "gpu/primitives/published_number.cuh"

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
      : plan_(plan),
        shared_(shared),
        place_(place),
        thread_(static_cast<int>(threadIdx.x)),
        lane_(thread_ % 32),
        warp_(thread_ / 32),
        first_(place.image * plan.tiles_x * plan.tiles_y),
        tile_(first_ + place.y * plan.tiles_x + place.x),
        first_above_(place.y / plan.group * plan.group),
        first_left_(place.x / plan.group * plan.group),
        rows_(words(scratch, plan.rows_at), launch),
        columns_(words(scratch, plan.columns_at), launch),
        totals_(words(scratch, plan.totals_at), launch),
        row_carries_(words(scratch, plan.row_carries_at), launch),
        carries_(words(scratch, plan.carries_at), launch),
        corners_(words(scratch, plan.corners_at), launch) {}

  // own_row: lane r has the sum of the warp's r-th row; total: of all its rows; columns: of its columns, over
  // its rows. By the whole block.
  __device__ void publish(Local own_row, Local total, const typename T::Side (&columns)[T::kGroups]) {
    own_row_ = own_row;
    if (lane_ < T::kWarpRows) rows_.publish(slot(tile_, T::kRows, warp_ * T::kWarpRows + lane_), own_row);
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
      columns_.publish(slot(tile_, T::kColumns, thread_), own_column_);
    }
    if constexpr (!T::kSummed) {
      if (warp_ == T::kWarps - 1) {
        const Local sum = warp_sum(lane_ < T::kWarps ? shared_.warp_totals[lane_] : Local(0));
        if (lane_ == 0) totals_.publish(static_cast<size_t>(tile_), sum);
      }
    }
  }

  // Waits for the others' sums, by the whole block.
  __device__ void collect() {
    const int row = lane_ % T::kWarpRows, row_part = lane_ / T::kWarpRows;
    const int column = thread_ % T::kColumns, column_part = thread_ / T::kColumns;
    const uint32_t row_carry = slot(row_group(), T::kRows, warp_ * T::kWarpRows + row);
    AskedSum<Local, Local, most(kRowParts), Choice::kLeftAtOnce> left(
        rows_, slot(tile_ - place_.x + first_left_ + row_part, T::kRows, warp_ * T::kWarpRows + row),
        kRowParts * T::kRows, row_part < kRowParts ? share(place_.x - first_left_, row_part, kRowParts) : 0);
    AskedSum<Local, Local, 1> left_carry(row_carries_, row_carry, 0, first_left_ > 0 && row_part == 0);
    AskedSum<Local, Local, most(kColumnParts), Choice::kAboveAtOnce> above(
        columns_, slot(first_ + (first_above_ + column_part) * plan_.tiles_x + place_.x, T::kColumns, column),
        static_cast<uint32_t>(kColumnParts * plan_.tiles_x * T::kColumns),
        share(place_.y - first_above_, column_part, kColumnParts));
    AskedSum<Local, Local, 1> above_carry(carries_, slot(group_above(), T::kColumns, column), 0,
                                          first_above_ > 0 && column_part == 0);
    left.ask(), left_carry.ask();
    sum_left(left.wait() + left_carry.wait(), row_carry);
    above.ask(), above_carry.ask();
    const Local sum = above.wait() + above_carry.wait();
    shared_.above[column_part][column] = sum;
    const bool hands_on = place_.y % plan_.group == plan_.group - 1;
    if constexpr (kColumnParts == 1)
      if (hands_on)
        carries_.publish(slot(group_above() + plan_.tiles_x, T::kColumns, column), sum + own_column_);
    sum_corner();
    __syncthreads();
    if constexpr (!T::kSummed || kColumnParts > 1)
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
  __device__ static unsigned long long* words(unsigned char* scratch, size_t at) {
    return reinterpret_cast<unsigned long long*>(scratch + at);
  }
  // Wraps round where there is nothing before the first group, which nobody then reads.
  __device__ static uint32_t slot(int tile, int each, int i) {
    return static_cast<uint32_t>(tile) * static_cast<uint32_t>(each) + static_cast<uint32_t>(i);
  }
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
  // Where the group on the left, if any, has handed on this row of tiles; this one hands on to the next
  // place.
  __device__ int row_group() const {
    return (place_.image * plan_.tiles_y + place_.y) * plan_.groups_x + place_.x / plan_.group - 1;
  }
  // The same for the group above and this column of tiles; the next is a row of tiles further.
  __device__ int group_above() const {
    return (place_.image * plan_.groups_y + place_.y / plan_.group - 1) * plan_.tiles_x + place_.x;
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
    if (place_.x % plan_.group == plan_.group - 1 && lane_ < T::kWarpRows)
      row_carries_.publish(row_carry + T::kRows, left_ + own_row_);
#pragma unroll
    for (int distance = 1; distance < T::kWarpRows; distance *= 2) {
      const Local more = __shfl_up_sync(kAllLanes, left_, distance);
      if (row >= distance) left_ += more;
    }
    if (lane_ == T::kWarpRows - 1) shared_.warp_lefts[warp_] = left_;
  }

  // All tiles above and to the left, by warp.
  __device__ void sum_corner() {
    const int tiles = (place_.y - first_above_) * place_.x;
    Global corner = 0;
    for (int i = thread_; i < tiles; i += T::kThreads) {
      const int y = i / place_.x, x = i - y * place_.x;
      corner += total(first_ + (first_above_ + y) * plan_.tiles_x + x);
    }
    if (first_above_ > 0)
      for (int x = thread_; x < place_.x; x += T::kThreads)
        corner += carried_total(group_above() - place_.x + x);
    corner = warp_sum(corner);
    if (lane_ == 0) shared_.corners[warp_] = corner;
  }
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

  // By the last tiles of a group: the columns' sums down to here, where several threads share one, and of all
  // of them together.
  __device__ void hand_on() const {
    const int to = group_above() + plan_.tiles_x;
    if (kColumnParts > 1 && thread_ < T::kColumns) {
      Local sum = own_column_;
#pragma unroll
      for (int part = 0; part < kColumnParts; ++part) sum += shared_.above[part][thread_];
      carries_.publish(slot(to, T::kColumns, thread_), sum);
    }
    if (T::kSummed || warp_ != T::kWarps - 1) return;
    Global sum = 0;
    for (int y = first_above_ + lane_; y <= place_.y; y += 32)
      sum += total(first_ + y * plan_.tiles_x + place_.x);
    if (lane_ == 31 && first_above_ > 0) sum += carried_total(group_above());
    sum = warp_sum(sum);
    if (lane_ == 0) corners_.publish(static_cast<size_t>(to), sum);
  }

  const Plan& plan_;
  Shared& shared_;
  const TilePlace place_;
  const int thread_, lane_, warp_;
  const int first_, tile_;              // of its picture, and this one
  const int first_above_, first_left_;  // the first row and column of tiles of this group
  const PublishedNumbers<Local> rows_, columns_, totals_, row_carries_, carries_;
  const PublishedNumbers<Global> corners_;
  Local own_row_ = 0, own_column_ = 0;
  Local left_ = 0, beside_ = 0;
};

}  // namespace vantage::gpu::integral
