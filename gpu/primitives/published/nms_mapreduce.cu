#include "gpu/primitives/published/nms_mapreduce.h"

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
__global__ void map_pairs(const Detection* boxes, int n, NmsRule rule, uint8_t* matrix, size_t row) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= n || j >= n) return;
  const Detection own = load_box(boxes, i), other = load_box(boxes, j);
  if (own.score < other.score)
    matrix[static_cast<size_t>(i) * row + static_cast<size_t>(j)] = suppresses(own, other, rule) ? 0 : 1;
}

// Algorithm 2: a block a row.
__global__ void reduce_rows(const Detection* boxes, const uint8_t* matrix, size_t row, int k,
                            uint8_t* flags) {
  const int i = static_cast<int>(blockIdx.x);
  size_t at = static_cast<size_t>(i) * row + threadIdx.x;
  int kept = 1;
  for (int step = 0; step < k; ++step, at += blockDim.x) kept = __syncthreads_and(kept && matrix[at]);
  if (threadIdx.x == 0) flags[i] = static_cast<uint8_t>(kept && is_valid(load_box(boxes, i)));
}

}  // namespace

size_t mapreduce_nms_scratch_bytes(int n, int partitions) {
  const auto boxes = static_cast<size_t>(n);
  return rounded_up(boxes) + rounded_up(boxes * partition_for(n, partitions).row());
}

Status enqueue_mapreduce_nms(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                             const NmsOutput& output, void* scratch, int partitions, MapReduceSteps steps) {
  if (n == 0) return work.set_zero(output.count, sizeof(int32_t));
  const Partition partition = partition_for(n, partitions);
  auto* flags = static_cast<uint8_t*>(scratch);
  uint8_t* matrix = flags + rounded_up(static_cast<size_t>(n));
  if (steps != MapReduceSteps::reduce) {
    VANTAGE_TRY(work.fill(matrix, 1, static_cast<size_t>(n) * partition.row()));
    const dim3 threads(32, 8);
    const LaunchGrid grid{dim3(blocks_for(n, threads.x), blocks_for(n, threads.y)), threads};
    VANTAGE_TRY(launch(work, "map_pairs", grid, map_pairs, boxes, n, rule, matrix, partition.row()));
  }
  if (steps == MapReduceSteps::map) return {};
  const LaunchGrid grid{dim3(static_cast<unsigned>(n)), dim3(static_cast<unsigned>(partition.threads))};
  VANTAGE_TRY(
      launch(work, "reduce_rows", grid, reduce_rows, boxes, matrix, partition.row(), partition.k, flags));
  return enqueue_compact(work, flags, n, boxes, nullptr, output);
}

}  // namespace vantage::gpu::published
