#include "gpu/codec/picture_kernels.h"

#include "core/video/working_colors.h"

namespace vantage::gpu {
namespace {

constexpr unsigned kThreadsX = 32, kThreadsY = 8;

dim3 blocks_for(int width, int height) {
  return {(static_cast<unsigned>(width) + kThreadsX - 1) / kThreadsX,
          (static_cast<unsigned>(height) + kThreadsY - 1) / kThreadsY};
}

__device__ int32_t share_at(const ColorArithmetic& arithmetic, const ImageView<const uint8_t>& chroma, int x,
                            int y) {
  const uint8_t* pair = chroma.row(y) + 2 * x;
  return chroma_in_luma(arithmetic, pair[0], pair[1]);
}

__global__ void convert_luma(ColorArithmetic arithmetic, ImageView<const uint8_t> luma,
                             ImageView<const uint8_t> chroma, ImageView<uint8_t> to) {
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (x >= to.width || y >= to.height) return;
  int32_t shares = 0;
  if (arithmetic.luma_cb != 0 || arithmetic.luma_cr != 0) {
    const int beside = next_chroma(x, chroma.width / 2), above = next_chroma(y, chroma.height);
    shares = 9 * share_at(arithmetic, chroma, x / 2, y / 2) +
             3 * share_at(arithmetic, chroma, beside, y / 2) +
             3 * share_at(arithmetic, chroma, x / 2, above) + share_at(arithmetic, chroma, beside, above);
  }
  to.row(y)[x] = converted_luma(arithmetic, luma.row(y)[x], shares);
}

__global__ void convert_chroma(ColorArithmetic arithmetic, ImageView<const uint8_t> chroma,
                               ImageView<uint8_t> to) {
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (2 * x >= to.width || y >= to.height) return;
  const uint8_t* pair = chroma.row(y) + 2 * x;
  to.row(y)[2 * x] = converted_chroma(arithmetic.cb_cb, arithmetic.cb_cr, pair[0], pair[1]);
  to.row(y)[2 * x + 1] = converted_chroma(arithmetic.cr_cb, arithmetic.cr_cr, pair[0], pair[1]);
}

}  // namespace

Status enqueue_convert_colors(Work& work, const Picture& from, Picture& to) {
  const ColorArithmetic arithmetic = color_arithmetic(from.format());
  const ImageView<uint8_t> luma = to.writable_plane(0), chroma = to.writable_plane(1);
  const dim3 threads(kThreadsX, kThreadsY);
  VANTAGE_TRY(launch(work, "convert_luma", {blocks_for(luma.width, luma.height), threads}, convert_luma,
                     arithmetic, from.plane(0), from.plane(1), luma));
  return launch(work, "convert_chroma", {blocks_for(chroma.width / 2, chroma.height), threads},
                convert_chroma, arithmetic, from.plane(1), chroma);
}

namespace {

__global__ void narrow_samples(const uint8_t* from, size_t from_stride_bytes, ImageView<uint8_t> to) {
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (x >= to.width || y >= to.height) return;
  const auto* row = reinterpret_cast<const uint16_t*>(from + static_cast<size_t>(y) * from_stride_bytes);
  const int sample = row[x] >> 6;
  to.row(y)[x] = static_cast<uint8_t>(min(255, (sample + 2) >> 2));
}

}  // namespace

Status enqueue_narrow(Work& work, const uint8_t* from, size_t from_stride_bytes,
                      const ImageView<uint8_t>& to) {
  return launch(work, "narrow_samples", {blocks_for(to.width, to.height), dim3(kThreadsX, kThreadsY)},
                narrow_samples, from, from_stride_bytes, to);
}

namespace {

// A sample is a byte of luma or a pair of chroma; widths and the walk count samples.
template <typename Sample>
__global__ void turn_plane(TurnedWalk walk, const Sample* from, Sample* to, int width, int height,
                           ptrdiff_t to_row) {
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (x >= width || y >= height) return;
  to[y * to_row + x] = from[walk.start + x * walk.right + y * walk.down];
}

template <typename Sample>
Status enqueue_plane(Work& work, const char* name, PictureTurn turn, const ImageView<const uint8_t>& from,
                     const ImageView<uint8_t>& to) {
  constexpr auto kBytes = static_cast<ptrdiff_t>(sizeof(Sample));
  const int width = to.width / static_cast<int>(kBytes);
  const TurnedWalk walk =
      turned_walk(turn, width, to.height, static_cast<ptrdiff_t>(from.stride_bytes) / kBytes);
  return launch(work, name, {blocks_for(width, to.height), dim3(kThreadsX, kThreadsY)}, turn_plane<Sample>,
                walk, reinterpret_cast<const Sample*>(from.data), reinterpret_cast<Sample*>(to.data), width,
                to.height, static_cast<ptrdiff_t>(to.stride_bytes) / kBytes);
}

}  // namespace

Status enqueue_turn(Work& work, PictureTurn turn, const Picture& stored, Picture& upright) {
  VANTAGE_TRY(enqueue_plane<uint8_t>(work, "turn_luma", turn, stored.plane(0), upright.writable_plane(0)));
  return enqueue_plane<uint16_t>(work, "turn_chroma", turn, stored.plane(1), upright.writable_plane(1));
}

}  // namespace vantage::gpu
