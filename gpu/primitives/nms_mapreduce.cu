// The published map and reduce kernels, and the same rule without a matrix; see nms.cuh.
#include "gpu/primitives/nms.cuh"
#include "gpu/primitives/nms_device.cuh"

namespace vantage::gpu {
namespace {

using namespace nms;

constexpr int kMostThreads = 1024;
constexpr int kDirectWarps = 8;

// The matrix is n rows of k partitions of `threads` elements.
struct Partition {
  int k, threads;
  size_t row() const { return static_cast<size_t>(k) * static_cast<size_t>(threads); }
};

Partition partition_for(int n, int k) {
  if (k <= 0) k = 32;
  const int least = (n + kMostThreads - 1) / kMostThreads;
  if (k < least) k = least;
  const int threads = ((n + k - 1) / k + 31) / 32 * 32;
  return {k, threads};
}

// Does j make i go? Only a box with a higher score does.
__device__ bool removes(const Detection& own, const Detection& other, const NmsRule& rule) {
  if (!(own.score < other.score) || !is_valid(other)) return false;
  if (rule.per_class && own.class_id != other.class_id) return false;
  const Corners a = corners_of(own), b = corners_of(other);
  return overlaps(rule, a, area_of(a, rule.pixel), b, area_of(b, rule.pixel));
}

// Algorithm 1. The matrix holds 1 at first and is written only where i has the lower score. Neighbouring
// threads take neighbouring j, so that a warp writes side by side.
__global__ void map_kernel(const Detection* boxes, int n, NmsRule rule, uint8_t* matrix, size_t row) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= n || j >= n) return;
  const Detection own = load_box(boxes, i), other = load_box(boxes, j);
  if (own.score < other.score)
    matrix[static_cast<size_t>(i) * row + static_cast<size_t>(j)] = removes(own, other, rule) ? 0 : 1;
}

// Algorithm 2: a block a row.
__global__ void reduce_kernel(const Detection* boxes, const uint8_t* matrix, size_t row, int k,
                              uint8_t* flags) {
  const int i = static_cast<int>(blockIdx.x);
  size_t at = static_cast<size_t>(i) * row + threadIdx.x;
  int stays = 1;
  for (int step = 0; step < k; ++step, at += blockDim.x) stays = __syncthreads_and(stays && matrix[at]);
  if (threadIdx.x == 0) flags[i] = static_cast<uint8_t>(stays && is_valid(load_box(boxes, i)));
}

// The same rule, a warp a box, without a matrix; it stops at the first box that makes its own go.
__global__ void __launch_bounds__(kDirectWarps * 32)
    map_reduce_directly(const Detection* boxes, int n, NmsRule rule, uint8_t* flags) {
  const int i = static_cast<int>(blockIdx.x) * kDirectWarps + static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (i >= n) return;
  const Detection own = load_box(boxes, i);
  bool stays = is_valid(own);
  for (int first = 0; stays && first < n; first += 32) {
    const int j = first + lane;
    stays = !__any_sync(0xffffffffu, j < n && removes(own, load_box(boxes, j), rule));
  }
  if (lane == 0) flags[i] = stays ? 1 : 0;
}

}  // namespace

size_t mapreduce_nms_scratch_bytes(int most_boxes, int partitions) {
  const size_t flags = rounded_up(static_cast<size_t>(most_boxes));
  if (partitions < 0) return flags;
  return flags + rounded_up(static_cast<size_t>(most_boxes) * partition_for(most_boxes, partitions).row());
}

cudaError_t mapreduce_nms(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                          const NmsOutput& output, void* scratch, int partitions) {
  if (n == 0) return cudaMemsetAsync(output.count, 0, sizeof(int32_t), stream);
  auto* flags = static_cast<uint8_t*>(scratch);
  if (partitions < 0) {
    map_reduce_directly<<<static_cast<unsigned>((n + kDirectWarps - 1) / kDirectWarps), kDirectWarps * 32, 0,
                          stream>>>(boxes, n, rule, flags);
    return compact(stream, flags, n, boxes, nullptr, output);
  }
  if (n > kMapReduceLimit) return cudaErrorInvalidValue;
  const Partition partition = partition_for(n, partitions);
  uint8_t* matrix = flags + rounded_up(static_cast<size_t>(n));
  const size_t bytes = static_cast<size_t>(n) * partition.row();
  if (const cudaError_t error = cudaMemsetAsync(matrix, 1, bytes, stream); error != cudaSuccess) return error;
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>((n + 31) / 32), static_cast<unsigned>((n + 7) / 8));
  map_kernel<<<grid, block, 0, stream>>>(boxes, n, rule, matrix, partition.row());
  reduce_kernel<<<static_cast<unsigned>(n), static_cast<unsigned>(partition.threads), 0, stream>>>(
      boxes, matrix, partition.row(), partition.k, flags);
  return compact(stream, flags, n, boxes, nullptr, output);
}

}  // namespace vantage::gpu
