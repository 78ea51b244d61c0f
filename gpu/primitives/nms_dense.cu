// Exact greedy suppression of up to 2048 boxes in one launch; see nms_kernels.h.
#include "gpu/primitives/nms_device.cuh"
#include "gpu/primitives/nms_kernels.h"

namespace vantage::gpu::nms {
namespace {

constexpr int kWordsPerLane = kDenseNmsLimit / 32 / 32;
constexpr int kMaxWarps = 16;

// Low half: decided boxes of a word of 32; high half: those that are kept.
using Decisions = unsigned long long;

struct Scratch {
  Decisions decisions[kDenseNmsLimit / 32];
  unsigned finished_blocks;
};

struct BoxesInShared {
  float4* corners;
  float* area;
  uint32_t* key;
  int32_t* class_id;

  __device__ BoxesInShared(unsigned char* memory, int n)
      : corners(reinterpret_cast<float4*>(memory)),
        area(reinterpret_cast<float*>(corners + n)),
        key(reinterpret_cast<uint32_t*>(area + n)),
        class_id(reinterpret_cast<int32_t*>(key + n)) {}
  static constexpr size_t kBytesEach = sizeof(float4) + sizeof(float) + sizeof(uint32_t) + sizeof(int32_t);

  __device__ void load(const Detection* boxes, int n, float pixel) const {
    constexpr int kAtOnce = 5;  // reads in flight
    const int threads = static_cast<int>(blockDim.x);
    for (int first = static_cast<int>(threadIdx.x); first < n; first += kAtOnce * threads) {
      Detection d[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) d[k] = load_box(boxes, min(first + k * threads, n - 1));
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int i = first + k * threads;
        if (i >= n) break;
        const Corners c = corners_of(d[k]);
        corners[i] = make_float4(c.x1, c.y1, c.x2, c.y2);
        area[i] = area_of(c, pixel);
        key[i] = key_of(d[k]);
        class_id[i] = d[k].class_id;
      }
    }
  }
};

__device__ Decisions read_decisions(const Decisions* from) {
  Decisions value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from));
  return value;
}

__device__ void decide(Scratch* scratch, int i, bool kept) {
  const Decisions bit = 1ull << (i % 32);
  atomicAdd(&scratch->decisions[i / 32], bit | (kept ? bit << 32 : 0));
}

// Which boxes come before the warp's boxes and overlap them: bit l of word w is box 32 w + l; lane l has the
// words l, l + 32, ...
template <int kBoxes>
__device__ void find_suppressors(const BoxesInShared& all, int n, const NmsRule& rule, int first,
                                 uint32_t (&masks)[kBoxes][kWordsPerLane]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Corners own[kBoxes];
  float area[kBoxes];
  uint32_t key[kBoxes];
  int32_t class_id[kBoxes];
#pragma unroll
  for (int b = 0; b < kBoxes; ++b) {
    const int i = min(first + b, n - 1);
    const float4 c = all.corners[i];
    own[b] = Corners{c.x, c.y, c.z, c.w};
    area[b] = all.area[i];
    key[b] = all.key[i];
    class_id[b] = all.class_id[i];
  }
#pragma unroll
  for (int q = 0; q < kWordsPerLane; ++q) {
#pragma unroll
    for (int b = 0; b < kBoxes; ++b) masks[b][q] = 0;
    const int words = min(32, (n + 31) / 32 - q * 32);
#pragma unroll 4
    for (int w = 0; w < words; ++w) {
      const int j = (q * 32 + w) * 32 + lane;
      const int from = min(j, n - 1);
      const float4 c = all.corners[from];
      const Corners other{c.x, c.y, c.z, c.w};
      const float other_area = all.area[from];
      const uint32_t other_key = all.key[from];
      const int32_t other_class = all.class_id[from];
#pragma unroll
      for (int b = 0; b < kBoxes; ++b) {
        const bool before = other_key < key[b] || (other_key == key[b] && j < first + b);
        const bool hit = j < n && before && (!rule.per_class || other_class == class_id[b]) &&
                         overlaps(rule, own[b], area[b], other, other_area);
        const uint32_t word = __ballot_sync(0xffffffffu, hit);
        if (lane == w) masks[b][q] = word;
      }
    }
  }
}

// Waits until each of the warp's boxes is decided. All blocks run at the same time, and the first box of
// those undecided never waits.
template <int kBoxes>
__device__ void wait_for_decisions(Scratch* scratch, const BoxesInShared& all, int n, int first,
                                   const uint32_t (&masks)[kBoxes][kWordsPerLane]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned open = 0;
#pragma unroll
  for (int b = 0; b < kBoxes; ++b) {
    if (first + b >= n) continue;
    if (all.key[first + b] != kInvalidKey) {
      open |= 1u << b;
    } else if (lane == 0) {
      decide(scratch, first + b, false);
    }
  }
  while (open != 0) {
    Decisions decisions[kWordsPerLane];
#pragma unroll
    for (int q = 0; q < kWordsPerLane; ++q) {
      uint32_t wanted = 0;
#pragma unroll
      for (int b = 0; b < kBoxes; ++b) wanted |= masks[b][q];
      decisions[q] = wanted != 0 ? read_decisions(&scratch->decisions[q * 32 + lane]) : 0;
    }
#pragma unroll
    for (int b = 0; b < kBoxes; ++b) {
      if (!(open >> b & 1)) continue;
      uint32_t kept = 0, undecided = 0;
#pragma unroll
      for (int q = 0; q < kWordsPerLane; ++q) {
        kept |= masks[b][q] & static_cast<uint32_t>(decisions[q] >> 32);
        undecided |= masks[b][q] & ~static_cast<uint32_t>(decisions[q]);
      }
      const bool suppressed = __any_sync(0xffffffffu, kept != 0);
      if (!suppressed && __any_sync(0xffffffffu, undecided != 0)) continue;
      if (lane == 0) decide(scratch, first + b, !suppressed);
      open &= ~(1u << b);
    }
  }
}

// The last block: the list in ascending order, and the scratch as it was.
__device__ void write_list(Scratch* scratch, const Detection* boxes, int n, const NmsOutput& output) {
  __shared__ uint32_t kept[kDenseNmsLimit / 32];
  __shared__ int before[kDenseNmsLimit / 32];
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int words = (n + 31) / 32;
  for (int w = thread; w < words; w += threads) {
    kept[w] = static_cast<uint32_t>(read_decisions(&scratch->decisions[w]) >> 32);
    scratch->decisions[w] = 0;
  }
  if (thread == 0) scratch->finished_blocks = 0;
  __syncthreads();
  if (thread < 32) {
    int counts[kWordsPerLane], sum = 0;
    for (int q = 0; q < kWordsPerLane; ++q) {
      const int w = thread * kWordsPerLane + q;
      counts[q] = w < words ? __popc(kept[w]) : 0;
      sum += counts[q];
    }
    int inclusive = sum;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(0xffffffffu, inclusive, distance);
      if (thread >= distance) inclusive += other;
    }
    int position = inclusive - sum;
    for (int q = 0; q < kWordsPerLane; ++q) {
      const int w = thread * kWordsPerLane + q;
      if (w < words) before[w] = position;
      position += counts[q];
    }
    if (thread == 31) *output.count = inclusive;
  }
  __syncthreads();
  for (int i = thread; i < n; i += threads) {
    const uint32_t word = kept[i / 32], bit = 1u << (i % 32);
    if (!(word & bit)) continue;
    const int position = before[i / 32] + __popc(word & (bit - 1));
    output.kept[position] = i;
    if (output.scores != nullptr) output.scores[position] = boxes[i].score;
  }
}

template <int kBoxes>
__global__ void __launch_bounds__(kMaxWarps * 32)
    greedy_dense(const Detection* boxes, int n, NmsRule rule, NmsOutput output, Scratch* scratch) {
  extern __shared__ __align__(16) unsigned char memory[];
  const BoxesInShared all(memory, n);
  all.load(boxes, n, rule.pixel);
  __syncthreads();
  const int warps = static_cast<int>(blockDim.x) / 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int first = (static_cast<int>(blockIdx.x) * warps + warp) * kBoxes;
  if (first < n) {
    uint32_t masks[kBoxes][kWordsPerLane];
    find_suppressors<kBoxes>(all, n, rule, first, masks);
    wait_for_decisions<kBoxes>(scratch, all, n, first, masks);
  }
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&scratch->finished_blocks, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    write_list(scratch, boxes, n, output);
  }
}

struct Shape {
  int blocks, warps, boxes_per_warp;
};

Shape shape_for(int n, int multiprocessors) {
  // Eight warps a block and a box a warp fill the device up to 1056 boxes; then two boxes share each read.
  if (n <= 8 * multiprocessors) return {(n + 7) / 8, 8, 1};
  const int per_block = (n + multiprocessors - 1) / multiprocessors;
  const int warps = (per_block + 1) / 2 < kMaxWarps ? (per_block + 1) / 2 : kMaxWarps;
  return {(n + 2 * warps - 1) / (2 * warps), warps, 2};
}

template <int kBoxes>
Status enqueue(Work& work, const Shape& shape, const Detection* boxes, int n, const NmsRule& rule,
               const NmsOutput& output, void* scratch) {
  VANTAGE_TRY(allow_shared_memory(work.context(), greedy_dense<kBoxes>,
                                  size_t{kDenseNmsLimit} * BoxesInShared::kBytesEach));
  const LaunchGrid grid{dim3(static_cast<unsigned>(shape.blocks)),
                        dim3(static_cast<unsigned>(shape.warps * 32)), Order::cooperative,
                        static_cast<unsigned>(static_cast<size_t>(n) * BoxesInShared::kBytesEach)};
  return launch(work, "greedy_dense", grid, greedy_dense<kBoxes>, boxes, n, rule, output,
                static_cast<Scratch*>(scratch));
}

}  // namespace

bool dense_fits(const DeviceLimits& limits, int n) {
  // write_list() keeps 1 KB of its own.
  const size_t shared = size_t{kDenseNmsLimit} * BoxesInShared::kBytesEach + 2048;
  return n <= kDenseNmsLimit && limits.cooperative && limits.multiprocessors > 0 &&
         shared <= static_cast<size_t>(limits.shared_bytes) &&
         shape_for(n, limits.multiprocessors).blocks <= limits.multiprocessors;
}

size_t dense_scratch_bytes() {
  return rounded_up(sizeof(Scratch));
}

Status enqueue_dense(Work& work, const Detection* boxes, int n, const NmsRule& rule, const NmsOutput& output,
                     void* scratch) {
  const Shape shape = shape_for(n, work.context().limits().multiprocessors);
  return shape.boxes_per_warp == 1 ? enqueue<1>(work, shape, boxes, n, rule, output, scratch)
                                   : enqueue<2>(work, shape, boxes, n, rule, output, scratch);
}

}  // namespace vantage::gpu::nms
