#include "gpu/primitives/published/integral.h"

#include <type_traits>

#include "gpu/primitives/integral_source.cuh"
#include "gpu/primitives/warp_scan.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu::published {
namespace {

using namespace integral;

// The kernels know the inclusive form only: an exclusive image is that of the input moved down and right by
// one, with zeros in the first row and column. `shift`: by how much.
int shift_of(const IntegralRequest& request) {
  return request.kind == IntegralKind::exclusive ? 1 : 0;
}

constexpr int kCached = 32;  // elements a thread keeps in registers: a warp holds a 32 x 32 matrix

// 1024 threads a block, 512 where a sum takes two registers.
template <typename Sum>
constexpr int kWarps = sizeof(Sum) == 8 ? 16 : 32;

// Matrices in shared memory at a time; the warps take turns (the source's S = 32 / sizeof(T)).
template <typename Sum>
constexpr int kTransposedAtOnce = 32 / static_cast<int>(sizeof(Sum));

// Block-register-local transpose: thread `lane` gives column `lane` and gets row `lane`. The rows of shared
// memory are 33 wide, so both ways are free of bank conflicts.
template <typename Sum>
__device__ void transpose(Sum (&data)[kCached], Sum (*shared)[32][33], int warp, int lane) {
  constexpr int kAtOnce = kTransposedAtOnce<Sum>;
  for (int first = 0; first < kWarps<Sum>; first += kAtOnce) {
    if (warp >= first && warp < first + kAtOnce) {
      Sum(*matrix)[33] = shared[warp - first];
#pragma unroll
      for (int j = 0; j < kCached; ++j) matrix[j][lane] = data[j];
      __syncwarp();
#pragma unroll
      for (int j = 0; j < kCached; ++j) data[j] = matrix[lane][j];
    }
    __syncthreads();
  }
}

// Adds to every element what the warps before and the steps before have summed; `carry` is the sum of all
// steps so far.
template <typename Sum>
__device__ void add_warps_before(Sum (&data)[kCached], Sum (*sums)[32], Sum& carry, int warp, int lane) {
  sums[warp][lane] = data[kCached - 1];
  __syncthreads();
  Sum before = carry;
  for (int w = 0; w < kWarps<Sum>; ++w) {
    if (w == warp) {
#pragma unroll
      for (int j = 0; j < kCached; ++j) data[j] += before;
    }
    before += sums[w][lane];
  }
  carry = before;
  __syncthreads();
}

// Rows summed and the result transposed: a block takes 32 rows from left to right. With kSerial the matrix is
// transposed first and each thread adds up a row; without, the lanes scan and the sums are transposed.
template <typename In, typename Out, typename Sum, bool kSerial, typename Scan>
__global__ void __launch_bounds__(kWarps<Sum> * 32)
    scan_rows_transposed(Source<In> in, int shift, Target<Out> out, int width, int height) {
  __shared__ Sum matrices[kTransposedAtOnce<Sum>][32][33];
  __shared__ Sum sums[kWarps<Sum>][32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int y0 = static_cast<int>(blockIdx.x) * 32, image = static_cast<int>(blockIdx.z);
  Sum carry = 0;
  for (int x0 = 0; x0 < width; x0 += kWarps<Sum> * 32) {
    const int x = x0 + warp * 32;
    Sum data[kCached];
#pragma unroll
    for (int j = 0; j < kCached; ++j)
      data[j] = static_cast<Sum>(in.element(in.row_or_null(image, y0 + j - shift), x + lane - shift));
    if constexpr (!kSerial) {
#pragma unroll
      for (int j = 0; j < kCached; ++j) data[j] = Scan::scan(data[j], lane);
    }
    transpose(data, matrices, warp, lane);
    if constexpr (kSerial) {
#pragma unroll
      for (int j = 1; j < kCached; ++j) data[j] += data[j - 1];
    }
    add_warps_before(data, sums, carry, warp, lane);
    if (y0 + lane < height) {
#pragma unroll
      for (int j = 0; j < kCached; ++j)
        if (x + j < width) out.row(image, x + j)[y0 + lane] = static_cast<Out>(data[j]);
    }
  }
}

// A warp a row, 1024 elements a step.
template <typename In, typename Out, typename Sum, typename Scan>
__global__ void __launch_bounds__(kWarps<Sum> * 32)
    scan_rows(Source<In> in, int shift, Target<Out> out, int width, int height) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int y = static_cast<int>(blockIdx.x) * kWarps<Sum> + warp, image = static_cast<int>(blockIdx.z);
  if (y >= height) return;
  const In* from = in.row_or_null(image, y - shift);
  Out* to = out.row(image, y);
  Sum carry = 0;
  for (int x0 = 0; x0 < width; x0 += 32 * kCached) {
    Sum data[kCached];
#pragma unroll
    for (int j = 0; j < kCached; ++j)
      data[j] = static_cast<Sum>(in.element(from, x0 + j * 32 + lane - shift));
#pragma unroll
    for (int j = 0; j < kCached; ++j) {
      const int x = x0 + j * 32 + lane;
      const Sum sum = Scan::scan(data[j], lane) + carry;
      carry = __shfl_sync(0xffffffffu, sum, 31);
      if (x < width) to[x] = static_cast<Out>(sum);
    }
  }
}

// 32 columns a block, every thread adds up 32 elements downwards; in place.
template <typename In, typename Out, typename Sum>
__global__ void __launch_bounds__(kWarps<Sum> * 32) scan_columns(Target<In> in, Target<Out> out) {
  __shared__ Sum sums[kWarps<Sum>][32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int x = static_cast<int>(blockIdx.x) * 32 + lane, image = static_cast<int>(blockIdx.z);
  Sum carry = 0;
  for (int y0 = 0; y0 < out.height; y0 += kWarps<Sum> * kCached) {
    const int y = y0 + warp * kCached;
    Sum data[kCached];
#pragma unroll
    for (int j = 0; j < kCached; ++j)
      data[j] = x < out.width && y + j < out.height ? static_cast<Sum>(in.row(image, y + j)[x]) : Sum(0);
#pragma unroll
    for (int j = 1; j < kCached; ++j) data[j] += data[j - 1];
    add_warps_before(data, sums, carry, warp, lane);
#pragma unroll
    for (int j = 0; j < kCached; ++j)
      if (x < out.width && y + j < out.height) out.row(image, y + j)[x] = static_cast<Out>(data[j]);
  }
}

// u8 -> f32 goes through exact integers: row sums fit 32 bits.
template <typename In, typename Out>
struct Stages {
  using Middle = std::conditional_t<std::is_same_v<In, uint8_t> && std::is_same_v<Out, float>, uint32_t, Out>;
  using FinalSum = std::conditional_t<std::is_same_v<In, uint8_t> && std::is_same_v<Out, float>, Wide, Out>;
};

size_t transposed_stride(const IntegralRequest& request) {
  const size_t size = integral_type_size_bytes(request.out_type);
  return (static_cast<size_t>(request.out.first.height) * size + 255) / 256 * 256;
}

template <typename In, typename Out, bool kSerial, typename Scan>
Status enqueue_transposed(Work& work, const IntegralRequest& request, void* scratch, unsigned passes) {
  using Middle = typename Stages<In, Out>::Middle;
  using FinalSum = typename Stages<In, Out>::FinalSum;
  const int width = request.out.first.width, height = request.out.first.height;
  const size_t stride = transposed_stride(request), distance = stride * static_cast<size_t>(width);
  auto* middle = static_cast<unsigned char*>(scratch);
  const auto blocks = [&](int rows) {
    return dim3(blocks_for(rows, 32), 1, static_cast<unsigned>(request.count));
  };
  if (passes & 1)
    VANTAGE_TRY(launch(work, "scan_rows_transposed", {blocks(height), dim3(kWarps<Middle> * 32)},
                       scan_rows_transposed<In, Middle, Middle, kSerial, Scan>, source_of<In>(request),
                       shift_of(request), Target<Middle>{middle, stride, distance, height, width}, width,
                       height));
  if (passes & 2)
    VANTAGE_TRY(launch(work, "scan_rows_transposed", {blocks(width), dim3(kWarps<FinalSum> * 32)},
                       scan_rows_transposed<Middle, Out, FinalSum, kSerial, Scan>,
                       Source<Middle>{middle, stride, distance, height, width}, 0, target_of<Out>(request),
                       height, width));
  return {};
}

template <typename In, typename Out, typename Scan>
Status enqueue_row_column(Work& work, const IntegralRequest& request, unsigned passes) {
  using Middle = typename Stages<In, Out>::Middle;
  using FinalSum = typename Stages<In, Out>::FinalSum;
  const int width = request.out.first.width, height = request.out.first.height;
  const auto images = static_cast<unsigned>(request.count);
  const Target<Middle> middle = target_of<Middle>(request);
  if (passes & 1)
    VANTAGE_TRY(launch(work, "scan_rows",
                       {dim3(blocks_for(height, kWarps<Middle>), 1, images), dim3(kWarps<Middle> * 32)},
                       scan_rows<In, Middle, Middle, Scan>, source_of<In>(request), shift_of(request), middle,
                       width, height));
  if (passes & 2)
    VANTAGE_TRY(launch(work, "scan_columns",
                       {dim3(blocks_for(width, 32), 1, images), dim3(kWarps<FinalSum> * 32)},
                       scan_columns<Middle, Out, FinalSum>, middle, target_of<Out>(request)));
  return {};
}

template <typename In, typename Out, typename Scan>
Status enqueue_scan(Work& work, const IntegralRequest& request, IntegralAlgorithm algorithm, void* scratch,
                    unsigned passes) {
  if (algorithm == IntegralAlgorithm::scan_row_brlt)
    return enqueue_transposed<In, Out, false, Scan>(work, request, scratch, passes);
  if (algorithm == IntegralAlgorithm::brlt_scan_row)  // it scans serially
    return enqueue_transposed<In, Out, true, KoggeStone>(work, request, scratch, passes);
  return enqueue_row_column<In, Out, Scan>(work, request, passes);
}

}  // namespace

size_t integral_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm) {
  if (algorithm == IntegralAlgorithm::scan_row_column) return 0;
  return transposed_stride(request) * static_cast<size_t>(request.out.first.width) *
         static_cast<size_t>(request.count);
}

Status enqueue_integral_image(Work& work, const IntegralRequest& request, IntegralAlgorithm algorithm,
                              WarpScan scan, void* scratch, unsigned passes) {
  if (is_empty(request)) return {};
  return with_types(request, [&]<typename In, typename Out>() {
    if (scan == WarpScan::kogge_stone)
      return enqueue_scan<In, Out, KoggeStone>(work, request, algorithm, scratch, passes);
    return enqueue_scan<In, Out, LadnerFischer>(work, request, algorithm, scratch, passes);
  });
}

}  // namespace vantage::gpu::published
