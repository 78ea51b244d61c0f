// One camera's votes for a column of voxels, in registers. Places and votes are those of
// core/carving/sample.h, compiled without fused multiply-add but where it is asked for, so that the positions
// are the CPU's; what differs is how they are made:
//
// - what does not depend on z is computed once per column;
// - where voxels are projected, both divisions by the depth share its reciprocal. Quotient and remainder are
//   refined twice with fused multiply-adds, the compiler's own sequence for a correctly rounded division,
//   without its test for quotients near the ends of the float range, which no point seen by a camera has;
// - the two pixels of a row are weighted and added by one instruction;
// - the four pixels of a sample come in one word (pixel_quads.cuh).
#pragma once

#include "core/carving/carving.h"
#include "core/carving/sample.h"
#include "gpu/carving/pixel_quads.cuh"

namespace vantage::gpu {

constexpr int kColumn = kBlockSide;  // voxels along z in a thread

struct CarvingView {
  PinholeCamera<float> camera;
  ImageView<const uint8_t> indicator;  // without data: the camera sees nothing
  QuadPlane quads;
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

// A pixel coordinate + kPlaceOrigin_px, as bits: those of a position, and of its origin above them, which
// samples need not take away.
struct PlacedBits {
  uint32_t x, y;
};
__device__ inline uint32_t pixel_of(uint32_t placed) {
  static_assert(kPlaceBits == 8);
  return __byte_perm(placed, 0, 0x4421);
}

// bilinear() of the pixels around a position whose support lies in the picture.
__device__ inline int32_t sample_at(const CarvingView& view, const PlacedBits& at) {
  const uint32_t quad = view.quads.data[pixel_of(at.y) * view.quads.stride + pixel_of(at.x)];
  const uint32_t across = at.x % kPlaceSteps, down = at.y % kPlaceSteps;
  const uint32_t weights = across * 0xffffu + kPlaceSteps;  // kPlaceSteps - across, and across above it
  const uint32_t top = __dp2a_lo(weights, quad, 0u), bottom = __dp2a_hi(weights, quad, 0u);
  return static_cast<int32_t>(top * kPlaceSteps + down * (bottom - top));
}

struct VoxelColumn {
  float x_m, y_m;
  const float* z_m;
};

// sums[k] += the vote for voxel k of the column. With kPartial, byte k of `seeing` counts the cameras that
// see it; without, the caller knows that the camera sees the whole column.
template <bool kPartial>
__device__ inline void add_vote(const CarvingView& view, float placed_x, float placed_y, bool in_front, int k,
                                int32_t (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  if (kPartial) {
    if (!(in_front & support_inside(view.indicator.width, view.indicator.height, place_of(placed_x),
                                    place_of(placed_y))))
      return;
    seeing[k / 4] += 1u << (8 * (k % 4));
  }
  sums[k] += sample_at(view, {__float_as_uint(placed_x), __float_as_uint(placed_y)});
}

// Votes by projecting every voxel.
template <bool kPartial, LensModel kLens>
__device__ inline void add_projected_votes(const CarvingView& view, const VoxelColumn& column,
                                           int32_t (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
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
    distort_through<kLens>(c, q.x, q.y, &x, &y);
    const bool in_front = (zc > 1e-6f) & (q.x * q.x + q.y * q.y <= c.max_radius2);
    add_vote<kPartial>(view, c.fx_px * x + c.cx_px + kPlaceOrigin_px, c.fy_px * y + c.cy_px + kPlaceOrigin_px,
                       in_front, k, sums, seeing);
  }
}

// kAnyLens: not all cameras have polynomial lenses. The lens is the same for all threads, and is told apart
// outside the loop; a kernel for polynomial ones alone takes fewer registers.
template <bool kPartial, bool kAnyLens>
__device__ inline void add_projected_votes(const CarvingView& view, const VoxelColumn& column,
                                           int32_t (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  if (!kAnyLens || view.camera.lens == LensModel::polynomial)
    add_projected_votes<kPartial, LensModel::polynomial>(view, column, sums, seeing);
  else if (view.camera.lens == LensModel::fisheye)
    add_projected_votes<kPartial, LensModel::fisheye>(view, column, sums, seeing);
  else
    add_projected_votes<kPartial, LensModel::rational>(view, column, sums, seeing);
}

template <bool kAnyLens>
__device__ inline void add_votes(const CarvingView& view, bool sees_all, const VoxelColumn& column,
                                 int32_t (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  // The same for all threads of a warp.
  if (sees_all)
    add_projected_votes<false, kAnyLens>(view, column, sums, seeing);
  else
    add_projected_votes<true, kAnyLens>(view, column, sums, seeing);
}

// A block's terms as they are read: those of x, then those of y.
constexpr int kPositionWords = sizeof(BlockPositions) / sizeof(float4);
static_assert(sizeof(BlockPositions) == kPositionWords * sizeof(float4));

struct PixelColumn {
  ColumnPositions x, y;
};

// (x, y): the column's place in the block.
__device__ inline PixelColumn load_column(const float4* terms, float x, float y) {
  float t[2 * BlockPositions::kTerms];
#pragma unroll
  for (int i = 0; i < kPositionWords; ++i) {
    const float4 four = terms[i];
    t[4 * i] = four.x, t[4 * i + 1] = four.y, t[4 * i + 2] = four.z, t[4 * i + 3] = four.w;
  }
  return {column_positions(t, x, y), column_positions(t + BlockPositions::kTerms, x, y)};
}

// Votes by the polynomials of the voxels' block.
template <bool kPartial>
__device__ inline void add_smooth_votes(const CarvingView& view, const PixelColumn& column,
                                        int32_t (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
#pragma unroll
  for (int k = 0; k < kColumn; ++k) {
    const float z = offset_in_block(k);
    add_vote<kPartial>(view, position_at(column.x, z), position_at(column.y, z), true, k, sums, seeing);
  }
}
__device__ inline void add_smooth_votes(const CarvingView& view, bool sees_all, const PixelColumn& column,
                                        int32_t (&sums)[kColumn], uint32_t (&seeing)[kColumn / 4]) {
  if (sees_all)
    add_smooth_votes<false>(view, column, sums, seeing);
  else
    add_smooth_votes<true>(view, column, sums, seeing);
}

}  // namespace vantage::gpu
