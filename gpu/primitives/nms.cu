#include "gpu/primitives/nms_kernels.h"

#include "gpu/primitives/nms_device.cuh"

namespace vantage::gpu {
namespace {

constexpr int kCompactThreads = 1024;

// One block: each thread counts a run of flags, then writes its kept ones behind those of the threads before.
__global__ void __launch_bounds__(kCompactThreads)
    compact_flags(const uint8_t* flags, int n, const Detection* boxes, const float* scores,
                  NmsOutput output) {
  __shared__ int warp_sums[32];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int each = (n + kCompactThreads - 1) / kCompactThreads;
  const int begin = min(thread * each, n), end = min(begin + each, n);
  int count = 0;
  for (int i = begin; i < end; ++i) count += flags[i];
  int inclusive = count;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, inclusive, distance);
    if (lane >= distance) inclusive += other;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  int position = inclusive - count;
  for (int w = 0; w < warp; ++w) position += warp_sums[w];
  for (int i = begin; i < end; ++i) {
    if (flags[i] == 0) continue;
    output.kept[position] = i;
    if (output.scores != nullptr) output.scores[position] = scores != nullptr ? scores[i] : boxes[i].score;
    ++position;
  }
  if (thread == kCompactThreads - 1) *output.count = position;
}

}  // namespace

Status nms::enqueue_compact(Work& work, const uint8_t* flags, int n, const Detection* boxes,
                            const float* scores, const NmsOutput& output) {
  return launch(work, "compact_flags", {dim3(1), dim3(kCompactThreads)}, compact_flags, flags, n, boxes,
                scores, output);
}

size_t greedy_nms_scratch_bytes(int max_boxes) {
  // The two variants do not share memory: each finds its own as it left it.
  return nms::dense_scratch_bytes() + nms::indexed_scratch_bytes(max_boxes);
}

Status enqueue_greedy_nms(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                          const NmsOutput& output, void* scratch, size_t scratch_bytes,
                          GreedyVariant variant) {
  if (n == 0) return work.set_zero(output.count, sizeof(int32_t));
  const bool dense = variant != GreedyVariant::indexed && nms::dense_fits(work.context().limits(), n);
  if (dense) return nms::enqueue_dense(work, boxes, n, rule, output, scratch);
  if (variant == GreedyVariant::dense)
    return fail(ErrorKind::unsupported, "so many boxes do not fit into the GPU's shared memory",
                "non-maximum suppression");
  const size_t skipped = nms::dense_scratch_bytes();
  return nms::enqueue_indexed(work, boxes, n, rule, output, static_cast<unsigned char*>(scratch) + skipped,
                              scratch_bytes - skipped);
}

}  // namespace vantage::gpu
