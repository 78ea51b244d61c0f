// One camera's votes for a column of voxels, in registers. Operations and their order are those of
// core/carving/sample.h, compiled without fused multiply-add but where it is asked for, so that the bits are
// the CPU's; what differs is how they are made:
//
// - what does not depend on z is computed once per column;
// - where voxels are projected, both divisions by the depth share its reciprocal. Quotient and remainder are
//   refined twice with fused multiply-adds, the compiler's own sequence for a correctly rounded division,
//   without its test for quotients near the ends of the float range, which no point seen by a camera has;
// - a coordinate is cut to its whole part by adding 2^23, rounding down: in full rate, where a conversion is
//   not;
// - pixels become floats by being put into the mantissa of 2^23;
// - where most voxels are looked at, the four pixels of a sample come in one word (squares.cuh).
#pragma once

#include "core/carving/carving.h"
#include "core/carving/sample.h"

namespace vantage::gpu {

constexpr int kColumn = kBlockSide;  // voxels along z in a thread
constexpr float kMantissa = 8388608.0f;
constexpr uint32_t kMantissaBits = 0x4b000000u;

struct CarvingView {
  PinholeCamera<float> camera;
  ImageView<const uint8_t> indicator;  // without data: the camera sees nothing
  const uint32_t* squares;             // see squares.cuh; not always made
};

// A kernel's parameter.
template <int Cameras>
struct CarvingViews {
  CarvingView view[Cameras];
};

struct Quotients {
  float x, y;
};

__device__ inline float refined(float dividend, float divisor, float reciprocal) {
  float quotient = dividend * reciprocal;
  quotient = __fmaf_rn(__fmaf_rn(-divisor, quotient, dividend), reciprocal, quotient);
  return __fmaf_rn(__fmaf_rn(-divisor, quotient, dividend), reciprocal, quotient);
}

__device__ inline Quotients divided(float x, float y, float z) {
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(z));
  reciprocal = __fmaf_rn(reciprocal, __fmaf_rn(-z, reciprocal, 1.0f), reciprocal);
  return {refined(x, z, reciprocal), refined(y, z, reciprocal)};
}

// The 2x2 pixels from (column, row), each + 2^23.
struct Square {
  float top_left, top_right, bottom_left, bottom_right;
};

// How a sample reads its four pixels. `x` and `y` are the bits of column + 2^23 and row + 2^23.
struct FromPixels {
  __device__ static Square read(const CarvingView& view, uint32_t x, uint32_t y) {
    const auto stride = static_cast<uint32_t>(view.indicator.stride_bytes);
    const uint8_t* top = view.indicator.data + ((y & 0x7fffffu) * stride + (x & 0x7fffffu));
    const uint8_t* bottom = top + stride;
    return {level_of(__ldg(top)), level_of(__ldg(top + 1)), level_of(__ldg(bottom)),
            level_of(__ldg(bottom + 1))};
  }
  __device__ static float level_of(uint8_t pixel) { return __uint_as_float(kMantissaBits | pixel); }
};
struct FromSquares {
  __device__ static Square read(const CarvingView& view, uint32_t x, uint32_t y) {
    const auto width = static_cast<uint32_t>(view.indicator.width);
    const uint32_t index = y * width + (x - kMantissaBits * (width + 1));  // modulo 2^32
    const uint32_t word = __ldg(view.squares + index);
    return {level_of<0>(word), level_of<1>(word), level_of<2>(word), level_of<3>(word)};
  }
  template <int Byte>
  __device__ static float level_of(uint32_t word) {
    return __uint_as_float(__byte_perm(word, kMantissaBits, 0x7440 | Byte));
  }
};

// bilinear() of the pixels around (x, y), whose support lies in the picture.
template <typename Pixels>
__device__ inline float sample_at(const CarvingView& view, float x, float y) {
  const float whole_x = __fadd_rd(x, kMantissa), whole_y = __fadd_rd(y, kMantissa);
  const Square square = Pixels::read(view, __float_as_uint(whole_x), __float_as_uint(whole_y));
  const float fraction_x = x - (whole_x - kMantissa), fraction_y = y - (whole_y - kMantissa);
  // Differences lose the 2^23.
  const float above = fused(fraction_x, square.top_right - square.top_left, square.top_left - kMantissa);
  const float below =
      fused(fraction_x, square.bottom_right - square.bottom_left, square.bottom_left - kMantissa);
  return fused(fraction_y, below - above, above);
}

struct VoxelColumn {
  float x_m, y_m;
  const float* z_m;
};

// sums[k] += the vote for voxel k of the column. With kPartial, byte k of `seeing` counts the cameras that
// see it; without, the caller knows that the camera sees the whole column.
template <bool kPartial, typename Pixels>
__device__ inline void add_vote(const CarvingView& view, float x, float y, bool in_front, int k,
                                float (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  if (kPartial) {
    if (!(in_front & support_inside(view.indicator.width, view.indicator.height, x, y))) return;
    seeing[k / 4] += 1u << (8 * (k % 4));
  }
  sums[k] += sample_at<Pixels>(view, x, y);
}

// By projecting every voxel.
template <bool kPartial, typename Pixels>
__device__ inline void add_projected_votes(const CarvingView& view, const VoxelColumn& column,
                                           float (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  const PinholeCamera<float>& c = view.camera;
  const float* r = c.rotation_cam_from_world;
  const float* t = c.translation_cam_from_world_m;
  const float x_of_column = r[0] * column.x_m + r[1] * column.y_m,
              y_of_column = r[3] * column.x_m + r[4] * column.y_m,
              z_of_column = r[6] * column.x_m + r[7] * column.y_m;
#pragma unroll
  for (int k = 0; k < kColumn; ++k) {
    const float z_m = __ldg(column.z_m + k);
    const float xc = x_of_column + r[2] * z_m + t[0], yc = y_of_column + r[5] * z_m + t[1],
                zc = z_of_column + r[8] * z_m + t[2];
    const Quotients q = divided(xc, yc, zc);
    float x, y;
    distort(c, q.x, q.y, &x, &y);
    const bool in_front = (zc > 1e-6f) & (q.x * q.x + q.y * q.y <= c.max_radius2);
    add_vote<kPartial, Pixels>(view, c.fx_px * x + c.cx_px, c.fy_px * y + c.cy_px, in_front, k, sums, seeing);
  }
}

template <typename Pixels>
__device__ inline void add_votes(const CarvingView& view, bool sees_all, const VoxelColumn& column,
                                 float (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  // The same for all threads of a warp.
  if (sees_all)
    add_projected_votes<false, Pixels>(view, column, sums, seeing);
  else
    add_projected_votes<true, Pixels>(view, column, sums, seeing);
}

// A block's terms as they are read: those of x, then those of y.
constexpr int kPositionWords = sizeof(BlockPositions) / sizeof(float4);
static_assert(sizeof(BlockPositions) == kPositionWords * sizeof(float4));

__device__ inline ColumnPositions load_column(const float4* terms, float x, float y) {
  float t[BlockPositions::kTerms];
#pragma unroll
  for (int i = 0; i < BlockPositions::kTerms / 4; ++i) {
    const float4 four = __ldg(terms + i);
    t[4 * i] = four.x, t[4 * i + 1] = four.y, t[4 * i + 2] = four.z, t[4 * i + 3] = four.w;
  }
  return column_positions(t, x, y);
}

// By the polynomials of the voxels' block; x and y are the column's place in it.
template <bool kPartial, typename Pixels>
__device__ inline void add_smooth_votes(const CarvingView& view, const ColumnPositions& x,
                                        const ColumnPositions& y, float (&sums)[kColumn],
                                        uint32_t (&seeing)[kColumn / 4]) {
#pragma unroll
  for (int k = 0; k < kColumn; ++k)
    add_vote<kPartial, Pixels>(view, position_at(x, offset_in_block(k)), position_at(y, offset_in_block(k)),
                               true, k, sums, seeing);
}
template <typename Pixels>
__device__ inline void add_smooth_votes(const CarvingView& view, bool sees_all, const float4* terms, float x,
                                        float y, float (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  const ColumnPositions along_x = load_column(terms, x, y),
                        along_y = load_column(terms + kPositionWords / 2, x, y);
  if (sees_all)
    add_smooth_votes<false, Pixels>(view, along_x, along_y, sums, seeing);
  else
    add_smooth_votes<true, Pixels>(view, along_x, along_y, sums, seeing);
}

}  // namespace vantage::gpu
