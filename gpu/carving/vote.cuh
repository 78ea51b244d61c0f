// One camera's votes for a column of voxels, in registers. Operations and their order are those of
// core/carving/sample.h and core/geometry/projection.h, compiled without fused multiply-add, so that the bits
// are the CPU's; what differs is how they are made:
//
// - what does not depend on z is computed once per column;
// - both divisions by the depth share its reciprocal. Quotient and remainder are refined twice with fused
//   multiply-adds, the compiler's own sequence for a correctly rounded division, without its test for
//   quotients near the ends of the float range, which no point seen by a camera has;
// - terms of the lens model that are 0 in a camera are left out: adding them changes no bit;
// - a coordinate is cut to its whole part by adding 2^23, rounding down: in full rate, where a conversion is
// not;
// - pixels become floats by being put into the mantissa of 2^23;
// - where most voxels are looked at, the four pixels of a sample come in one word (squares.cuh).
#pragma once

#include "core/carving/carving.h"
#include "core/carving/sample.h"

namespace vantage::gpu {

constexpr int kColumn = 8;  // voxels along z in a thread
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
  const float above = (square.top_left - kMantissa) + fraction_x * (square.top_right - square.top_left);
  const float below =
      (square.bottom_left - kMantissa) + fraction_x * (square.bottom_right - square.bottom_left);
  return above + fraction_y * (below - above);
}

// distort() of core/geometry/projection.h. Without kFullLens: k2, k3, p1 and p2 are 0.
template <bool kFullLens>
__device__ inline Quotients distorted(const PinholeCamera<float>& c, float x, float y) {
  Quotients out;
  if (kFullLens) {
    distort(c, x, y, &out.x, &out.y);
  } else {
    const float radial = 1.0f + (x * x + y * y) * c.k1;
    out = {x * radial, y * radial};
  }
  return out;
}

// sums[k] += the vote for the voxel at z_m[k]. With kPartial, byte k of `seeing` counts the cameras that see
// it; without, the caller knows that the camera sees the whole column.
template <bool kPartial, bool kFullLens, typename Pixels>
__device__ inline void add_votes(const CarvingView& view, float x_m, float y_m, const float (&z_m)[kColumn],
                                 float (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  const PinholeCamera<float>& c = view.camera;
  const float* r = c.rotation_cam_from_world;
  const float* t = c.translation_cam_from_world_m;
  const float x_of_column = r[0] * x_m + r[1] * y_m, y_of_column = r[3] * x_m + r[4] * y_m,
              z_of_column = r[6] * x_m + r[7] * y_m;
#pragma unroll
  for (int k = 0; k < kColumn; ++k) {
    const float xc = x_of_column + r[2] * z_m[k] + t[0], yc = y_of_column + r[5] * z_m[k] + t[1],
                zc = z_of_column + r[8] * z_m[k] + t[2];
    const Quotients q = divided(xc, yc, zc);
    const Quotients seen_at = distorted<kFullLens>(c, q.x, q.y);
    const float x = c.fx_px * seen_at.x + c.cx_px, y = c.fy_px * seen_at.y + c.cy_px;
    if (kPartial) {
      const bool in_front = (zc > 1e-6f) & (q.x * q.x + q.y * q.y <= c.max_radius2);
      if (!(in_front & support_inside(view.indicator.width, view.indicator.height, x, y))) continue;
      seeing[k / 4] += 1u << (8 * (k % 4));
    }
    sums[k] += sample_at<Pixels>(view, x, y);
  }
}

__device__ inline bool has_full_lens(const PinholeCamera<float>& c) {
  return c.k2 != 0.0f || c.k3 != 0.0f || c.p1 != 0.0f || c.p2 != 0.0f;
}

template <typename Pixels>
__device__ inline void add_votes(const CarvingView& view, bool sees_all, float x_m, float y_m,
                                 const float (&z_m)[kColumn], float (&sums)[kColumn],
                                 uint32_t (&seeing)[kColumn / 4]) {
  // The same for all threads of a warp.
  if (!sees_all)
    add_votes<true, true, Pixels>(view, x_m, y_m, z_m, sums, seeing);
  else if (has_full_lens(view.camera))
    add_votes<false, true, Pixels>(view, x_m, y_m, z_m, sums, seeing);
  else
    add_votes<false, false, Pixels>(view, x_m, y_m, z_m, sums, seeing);
}

}  // namespace vantage::gpu
