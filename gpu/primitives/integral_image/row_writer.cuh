// Writes a thread's sums to the rows of an integral image.
#pragma once

#include "gpu/primitives/integral_image/tile.cuh"

namespace vantage::gpu::integral {

// Sums below 2^40 are rounded once: both halves are exact, and an f32 multiply-add rounds at its end.
template <typename Out, typename Global>
__device__ Out rounded_to(Global sum) {
  if constexpr (std::is_same_v<Out, float> && sizeof(Global) == 8)
    return __fmaf_rn(static_cast<float>(static_cast<uint32_t>(sum >> 16)), 65536.0f,
                     static_cast<float>(static_cast<uint16_t>(sum)));
  else
    return static_cast<Out>(sum);
}

// Takes a thread's sums of its warp's output rows, one row after the other.
template <typename T, typename Out>
class RowWriter {
 public:
  using Packs = typename T::OutPack[T::kGroups];

  __device__ RowWriter(const Target<Out>& out, bool whole_packs, const WarpPlace& at)
      : out_(out),
        row_(out.row(at.image, at.y0) + at.x<T>(0)),
        columns_(out.width - at.x<T>(0)),
        rows_(out.height - at.y0),
        whole_packs_(whole_packs),
        whole_(whole_packs && at.x0 + T::kColumns <= out.width && rows_ >= T::kWarpRows) {}

  __device__ void write(const Packs& packs, Out /*left*/) {
    if (whole_) {
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) store(g, packs[g]);
    } else if (rows_ > 0) {
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) store_inside(g, packs[g]);
    }
    --rows_;
    row_ = out_.next(row_);
  }
  // In the row that write() takes next: the element right of the thread's last column.
  __device__ void write_beyond(Out sum) const {
    if (rows_ > 0) row_[(T::kGroups - 1) * T::kGroupColumns + T::kVector] = sum;
  }

 private:
  __device__ void store(int group, const typename T::OutPack& pack) const {
    __stcs(reinterpret_cast<float4*>(row_ + group * T::kGroupColumns),
           *reinterpret_cast<const float4*>(&pack));
  }
  __device__ void store_inside(int group, const typename T::OutPack& pack) const {
    const int columns = columns_ - group * T::kGroupColumns;
    if (whole_packs_ && columns >= T::kVector) {
      store(group, pack);
      return;
    }
#pragma unroll
    for (int k = 0; k < T::kVector; ++k)
      if (k < columns) row_[group * T::kGroupColumns + k] = pack.v[k];
  }

  const Target<Out>& out_;
  Out* row_;
  const int columns_;  // from the thread's first one on
  int rows_;
  const bool whole_packs_, whole_;
};

// The same where the output is exclusive: the sums up to a column and row lie before the next ones, so those
// of a row go into the row below, moved right by one. The first row is 0, and where the output is one larger
// than the input and the last tile has no room for the last column, it stands beyond it.
template <typename T, typename Out>
class ExclusiveRowWriter {
 public:
  using Packs = typename T::OutPack[T::kGroups];

  __device__ ExclusiveRowWriter(const Target<Out>& out, bool whole_packs, const WarpPlace& at, int in_width)
      : rows_(out, whole_packs, {at.image, at.x0, at.y0 + 1, at.lane}),
        lane_(at.lane),
        has_beyond_(at.lane == 31 && at.x0 + T::kColumns == in_width && in_width < out.width) {
    if (at.y0 > 0) return;
    RowWriter<T, Out> first(out, whole_packs, at);
    if (has_beyond_) first.write_beyond(Out(0));
    first.write(Packs{}, Out(0));
  }

  // left: the sum left of the tile.
  __device__ void write(const Packs& packs, Out left) {
    if (has_beyond_) rows_.write_beyond(packs[T::kGroups - 1].v[T::kVector - 1]);
    Packs moved;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      const Out previous = __shfl_sync(kAllLanes, packs[g].v[T::kVector - 1], (lane_ + 31) % 32);
      moved[g].v[0] = lane_ == 0 ? left : previous;
#pragma unroll
      for (int k = 1; k < T::kVector; ++k) moved[g].v[k] = packs[g].v[k - 1];
      left = previous;  // lane 0 has that of lane 31
    }
    rows_.write(moved, left);
  }

 private:
  RowWriter<T, Out> rows_;
  const int lane_;
  const bool has_beyond_;
};

}  // namespace vantage::gpu::integral
