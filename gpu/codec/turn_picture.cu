#include "gpu/codec/turn_picture.h"

namespace vantage::gpu {
namespace {

constexpr unsigned kThreadsX = 32, kThreadsY = 8;

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
  const dim3 blocks((static_cast<unsigned>(width) + kThreadsX - 1) / kThreadsX,
                    (static_cast<unsigned>(to.height) + kThreadsY - 1) / kThreadsY);
  return launch(work, name, {blocks, dim3(kThreadsX, kThreadsY)}, turn_plane<Sample>, walk,
                reinterpret_cast<const Sample*>(from.data), reinterpret_cast<Sample*>(to.data), width,
                to.height, static_cast<ptrdiff_t>(to.stride_bytes) / kBytes);
}

}  // namespace

Status enqueue_turn(Work& work, PictureTurn turn, const Picture& stored, Picture& upright) {
  VANTAGE_TRY(enqueue_plane<uint8_t>(work, "turn_luma", turn, stored.plane(0), upright.writable_plane(0)));
  return enqueue_plane<uint16_t>(work, "turn_chroma", turn, stored.plane(1), upright.writable_plane(1));
}

}  // namespace vantage::gpu
