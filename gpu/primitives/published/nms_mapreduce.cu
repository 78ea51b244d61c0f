#include "gpu/primitives/published/nms_mapreduce.cuh"

#include "gpu/primitives/nms_device.cuh"

namespace vantage::gpu::published {
namespace {

using namespace nms;

// The matrix is n rows of k partitions of `threads` elements.
struct Partition {
  int k, threads;
  size_t row() const { return static_cast<size_t>(k) * static_cast<size_t>(threads); }
};

Partition partition_for(int n, int k) {
  return {k, ((n + k - 1) / k + 31) / 32 * 32};
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

}  // namespace

size_t mapreduce_nms_scratch_bytes(int n, int partitions) {
  const auto boxes = static_cast<size_t>(n);
  return rounded_up(boxes) + rounded_up(boxes * partition_for(n, partitions).row());
}

cudaError_t mapreduce_nms(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                          const NmsOutput& output, void* scratch, int partitions, MapReduceSteps steps) {
  if (n == 0) return cudaMemsetAsync(output.count, 0, sizeof(int32_t), stream);
  if (n > kMapReduceNmsMaxDetections || partitions < mapreduce_nms_min_partitions(n))
    return cudaErrorInvalidValue;
  const Partition partition = partition_for(n, partitions);
  auto* flags = static_cast<uint8_t*>(scratch);
  uint8_t* matrix = flags + rounded_up(static_cast<size_t>(n));
  if (steps != MapReduceSteps::reduce) {
    const size_t bytes = static_cast<size_t>(n) * partition.row();
    if (const cudaError_t error = cudaMemsetAsync(matrix, 1, bytes, stream); error != cudaSuccess)
      return error;
    const dim3 block(32, 8);
    const dim3 grid(static_cast<unsigned>((n + 31) / 32), static_cast<unsigned>((n + 7) / 8));
    map_kernel<<<grid, block, 0, stream>>>(boxes, n, rule, matrix, partition.row());
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  if (steps == MapReduceSteps::map) return cudaSuccess;
  reduce_kernel<<<static_cast<unsigned>(n), static_cast<unsigned>(partition.threads), 0, stream>>>(
      boxes, matrix, partition.row(), partition.k, flags);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  return compact(stream, flags, n, boxes, nullptr, output);
}

}  // namespace vantage::gpu::published
