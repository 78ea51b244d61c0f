// The published rule without a matrix; see nms_kernels.h.
#include "gpu/primitives/nms_device.cuh"
#include "gpu/primitives/nms_kernels.h"

namespace vantage::gpu {
namespace {

using namespace nms;

constexpr int kWarps = 8;

// A warp a box; it stops at the first box that suppresses its own.
__global__ void __launch_bounds__(kWarps * 32)
    map_reduce_boxes(const Detection* boxes, int n, NmsRule rule, uint8_t* flags) {
  const int i = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (i >= n) return;
  const Detection own = load_box(boxes, i);
  bool kept = is_valid(own);
  for (int first = 0; kept && first < n; first += 32) {
    const int j = first + lane;
    kept = !__any_sync(0xffffffffu, j < n && suppresses(own, load_box(boxes, j), rule));
  }
  if (lane == 0) flags[i] = kept ? 1 : 0;
}

}  // namespace

size_t mapreduce_nms_scratch_bytes(int max_boxes) {
  return rounded_up(static_cast<size_t>(max_boxes));
}

Status enqueue_mapreduce_nms(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                             const NmsOutput& output, void* scratch) {
  if (n == 0) return work.set_zero(output.count, sizeof(int32_t));
  auto* flags = static_cast<uint8_t*>(scratch);
  VANTAGE_TRY(launch(work, "map_reduce_boxes", {dim3(blocks_for(n, kWarps)), dim3(kWarps * 32)},
                     map_reduce_boxes, boxes, n, rule, flags));
  return enqueue_compact(work, flags, n, boxes, nullptr, output);
}

}  // namespace vantage::gpu
