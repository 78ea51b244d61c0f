// The 2x2 pixels from every pixel on in one word: top left in the lowest byte, top right, bottom left, bottom
// right. A sample then is one read instead of four. It takes 5 bytes a pixel, read and written, so it pays
// only where there are more samples than pixels. Rows of width words without gaps.
#pragma once

#include "gpu/carving/scene.cuh"

namespace vantage::gpu {

struct SquarePlanes {
  ImageView<const uint8_t> indicator;
  uint32_t* squares;
};
template <int Cameras>
struct SquaresOf {
  SquarePlanes of_camera[Cameras];
};

// Four pixels from x on in a word; 0 for those beyond the width.
__device__ inline uint32_t pixels_from(const uint8_t* row, int x, int width) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    if (x + i < width) word |= static_cast<uint32_t>(__ldg(row + x + i)) << (8 * i);
  return word;
}

// One thread four pixels of a row (y) of one camera (z). Rows begin at whole words.
template <int Cameras>
__global__ void __launch_bounds__(kCarvingThreads)
    make_squares(const __grid_constant__ SquaresOf<Cameras> planes) {
  let_next_come();  // find_ranges reads what this kernel reads and not what it writes
  const SquarePlanes& plane = planes.of_camera[blockIdx.z];
  const int width = plane.indicator.width, height = plane.indicator.height;
  const int x = 4 * static_cast<int>(blockIdx.x * kCarvingThreads + threadIdx.x),
            y = static_cast<int>(blockIdx.y);
  // A support lies in the picture: its last row and column begin none.
  if (!plane.indicator.data || x >= width || y + 1 >= height) return;
  uint32_t next[2][2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const uint8_t* row = plane.indicator.row(y + r);
    if (x + 8 <= width) {
      next[r][0] = __ldg(reinterpret_cast<const uint32_t*>(row + x));
      next[r][1] = __ldg(reinterpret_cast<const uint32_t*>(row + x + 4));
    } else {
      next[r][0] = pixels_from(row, x, width);
      next[r][1] = pixels_from(row, x + 4, width);
    }
  }
  uint32_t* to = plane.squares + static_cast<size_t>(y) * width + x;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint32_t above = __funnelshift_r(next[0][0], next[0][1], 8 * i) & 0xffffu,
                   below = __funnelshift_r(next[1][0], next[1][1], 8 * i) << 16;
    if (x + i < width) to[i] = above | below;
  }
}

}  // namespace vantage::gpu
