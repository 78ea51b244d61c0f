// The published rule without a matrix; see nms.cuh.
#include "gpu/primitives/nms.cuh"
#include "gpu/primitives/nms_device.cuh"

namespace vantage::gpu {
namespace {

using namespace nms;

constexpr int kWarps = 8;

// A warp a box; it stops at the first box that makes its own go.
__global__ void __launch_bounds__(kWarps * 32)
    map_reduce_directly(const Detection* boxes, int n, NmsRule rule, uint8_t* flags) {
  const int i = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
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

size_t mapreduce_nms_scratch_bytes(int most_boxes) {
  return rounded_up(static_cast<size_t>(most_boxes));
}

cudaError_t mapreduce_nms(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                          const NmsOutput& output, void* scratch) {
  if (n == 0) return cudaMemsetAsync(output.count, 0, sizeof(int32_t), stream);
  auto* flags = static_cast<uint8_t*>(scratch);
  map_reduce_directly<<<static_cast<unsigned>((n + kWarps - 1) / kWarps), kWarps * 32, 0, stream>>>(
      boxes, n, rule, flags);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  return compact(stream, flags, n, boxes, nullptr, output);
}

}  // namespace vantage::gpu
