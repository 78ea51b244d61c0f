#include "gpu/primitives/nms.cuh"

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

namespace nms {

cudaError_t compact(cudaStream_t stream, const uint8_t* flags, int n, const Detection* boxes,
                    const float* scores, const NmsOutput& output) {
  compact_flags<<<1, kCompactThreads, 0, stream>>>(flags, n, boxes, scores, output);
  return cudaGetLastError();
}

}  // namespace nms

size_t greedy_nms_scratch_bytes(int most_boxes) {
  // The two variants do not share memory: each finds its own as it left it.
  return nms::dense_scratch_bytes(most_boxes) + nms::indexed_scratch_bytes(most_boxes);
}

cudaError_t nms_prepare_scratch(cudaStream_t stream, void* scratch, size_t bytes) {
  return bytes == 0 ? cudaSuccess : cudaMemsetAsync(scratch, 0, bytes, stream);
}

cudaError_t greedy_nms(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                       const NmsOutput& output, void* scratch, size_t scratch_bytes, GreedyVariant variant) {
  if (n == 0) return cudaMemsetAsync(output.count, 0, sizeof(int32_t), stream);
  const bool dense = variant != GreedyVariant::indexed && nms::dense_fits(n);
  if (variant == GreedyVariant::dense && !dense) return cudaErrorNotSupported;
  if (dense) return nms::run_dense(stream, boxes, n, rule, output, scratch);
  const size_t skipped = nms::dense_scratch_bytes(n);
  return nms::run_indexed(stream, boxes, n, rule, output, static_cast<unsigned char*>(scratch) + skipped,
                          scratch_bytes - skipped);
}

}  // namespace vantage::gpu
