#include "gpu/primitives/nms_device.cuh"
#include "gpu/primitives/nms_kernels.h"

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

// The published rule without a matrix; see nms_kernels.h.

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

// Soft-NMS in one block; see nms_kernels.h. Each step takes the best box and lowers the others' scores, so
// the steps cannot overlap; within a step a thread has every 1024th box.

namespace {

using namespace nms;

constexpr int kSoftThreads = 1024;
constexpr int kNone = 0x7fffffff;

struct Best {
  float score;
  int index;
};

__device__ bool is_better(const Best& a, const Best& b) {
  if (a.index == kNone || b.index == kNone) return b.index == kNone && a.index != kNone;
  return a.score > b.score || (a.score == b.score && a.index < b.index);
}

__device__ Best best_of_warp(Best best) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const Best other{__shfl_xor_sync(0xffffffffu, best.score, distance),
                     __shfl_xor_sync(0xffffffffu, best.index, distance)};
    if (is_better(other, best)) best = other;
  }
  return best;
}

// Every thread gets the best of the block.
__device__ Best best_of_block(Best best, Best* of_warps) {
  best = best_of_warp(best);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = best;
  __syncthreads();
  best = best_of_warp(of_warps[threadIdx.x % 32]);
  __syncthreads();
  return best;
}

__device__ float weight(const SoftNms& options, float overlap) {
  if (!options.gaussian) return overlap > options.rule.threshold ? 1.0f - overlap : 1.0f;
  return overlap > 0 ? expf(-(overlap * overlap) / options.sigma) : 1.0f;
}

// flags: 0 live, 1 taken, 2 out. A live box below min_score can never come back and is put out.
__global__ void __launch_bounds__(kSoftThreads)
    lower_scores(const Detection* boxes, int n, SoftNms options, float* scores, uint8_t* flags) {
  __shared__ Best of_warps[kSoftThreads / 32];
  Best best{0, kNone};
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kSoftThreads) {
    const Detection d = load_box(boxes, i);
    scores[i] = d.score;
    flags[i] = is_valid(d) && d.score >= options.min_score ? 0 : 2;
    if (flags[i] == 0 && is_better({d.score, i}, best)) best = {d.score, i};
  }
  for (;;) {
    const Best chosen = best_of_block(best, of_warps);
    if (chosen.index == kNone) break;
    const Detection other = load_box(boxes, chosen.index);
    const Corners corners = corners_of(other);
    const float area = area_of(corners, options.rule.pixel);
    best = {0, kNone};
    for (int i = static_cast<int>(threadIdx.x); i < n; i += kSoftThreads) {
      if (i == chosen.index) flags[i] = 1;
      if (flags[i] != 0) continue;
      const Detection d = load_box(boxes, i);
      if (!options.rule.per_class || d.class_id == other.class_id) {
        const Corners own = corners_of(d);
        scores[i] *= weight(options, vantage::nms::overlap_ratio(
                                         options.rule, own, area_of(own, options.rule.pixel), corners, area));
        if (!(scores[i] >= options.min_score)) flags[i] = 2;
      }
      if (flags[i] == 0 && is_better({scores[i], i}, best)) best = {scores[i], i};
    }
  }
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kSoftThreads) flags[i] = flags[i] == 1 ? 1 : 0;
}

}  // namespace

size_t soft_nms_scratch_bytes(int max_boxes) {
  const auto n = static_cast<size_t>(max_boxes);
  return rounded_up(n * sizeof(float)) + rounded_up(n);
}

Status enqueue_soft_nms(Work& work, const Detection* boxes, int n, const SoftNms& options,
                        const NmsOutput& output, void* scratch) {
  if (n == 0) return work.set_zero(output.count, sizeof(int32_t));
  auto* scores = static_cast<float*>(scratch);
  uint8_t* flags = static_cast<uint8_t*>(scratch) + rounded_up(static_cast<size_t>(n) * sizeof(float));
  VANTAGE_TRY(launch(work, "lower_scores", {dim3(1), dim3(kSoftThreads)}, lower_scores, boxes, n, options,
                     scores, flags));
  return enqueue_compact(work, flags, n, boxes, scores, output);
}

}  // namespace vantage::gpu
