// Exact greedy suppression of any number of boxes through a spatial index; see nms.cuh and
// core/primitives/nms_grid.h.
#include <cub/device/device_radix_sort.cuh>

#include "core/primitives/nms_grid.h"
#include "gpu/primitives/nms.cuh"
#include "gpu/primitives/nms_device.cuh"

namespace vantage::gpu::nms {
namespace {

using vantage::nms::CellRange;
using vantage::nms::Grid;
using vantage::nms::kCellsPerLevel;
using vantage::nms::kCellsPerSide;
using vantage::nms::kLevels;

constexpr int kCells = kLevels * kCellsPerLevel;
constexpr int kThreads = 256;
constexpr int kResolveWarps = 4;

enum Decision : uint8_t { undecided = 0, stays = 1, goes = 2 };

// All start at 0; a launch leaves them so.
struct Counters {
  // Largest (encoded) of -left, -top, right, bottom, side.
  uint32_t bounds[5];
  unsigned ticket;
};

// A box in its cell.
struct Entry {
  float area;
  int32_t rank;
  int32_t class_id;
};

struct Scratch {
  Counters* counters;
  uint32_t *keys, *sorted_keys;
  int32_t *indices, *order;  // order[rank] = index of the box
  int32_t* cell_of_rank;
  int32_t* place_in_cell;
  int32_t *counts, *starts;  // of the cells
  float4* corners;           // of the boxes, cell by cell
  Entry* entries;
  uint8_t* decisions;  // by rank
  uint8_t* flags;      // by index: 1 stays
  void* sort;
  size_t sort_bytes, size_bytes;
};

size_t sort_scratch_bytes(int n) {
  size_t bytes = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, static_cast<const uint32_t*>(nullptr),
                                  static_cast<uint32_t*>(nullptr), static_cast<const int32_t*>(nullptr),
                                  static_cast<int32_t*>(nullptr), n);
  return bytes;
}

Scratch scratch_for(int n, void* memory, size_t sort_bytes) {
  Scratch s{};
  auto* next = static_cast<unsigned char*>(memory);
  const auto take = [&](auto*& pointer, size_t count) {
    using T = std::remove_reference_t<decltype(*pointer)>;
    pointer = reinterpret_cast<T*>(next);
    next += rounded_up(count * sizeof(T));
  };
  const auto boxes = static_cast<size_t>(n);
  take(s.counters, 1);
  take(s.keys, boxes);
  take(s.sorted_keys, boxes);
  take(s.indices, boxes);
  take(s.order, boxes);
  take(s.cell_of_rank, boxes);
  take(s.place_in_cell, boxes);
  take(s.counts, kCells);
  take(s.starts, kCells + 1);
  take(s.corners, boxes);
  take(s.entries, boxes);
  take(s.decisions, boxes);
  take(s.flags, boxes);
  s.sort = next;
  s.sort_bytes = sort_bytes;
  s.size_bytes = static_cast<size_t>(next - static_cast<unsigned char*>(memory)) + rounded_up(sort_bytes);
  return s;
}

// Floats as numbers without sign in the same order; no float is 0, so 0 stands for "none yet".
__device__ uint32_t ordered(float value) {
  const uint32_t bits = __float_as_uint(value);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__device__ float from_ordered(uint32_t code) {
  return __uint_as_float(code & 0x80000000u ? code & 0x7fffffffu : ~code);
}

__device__ Grid grid_of(const Counters& counters, float pixel) {
  if (counters.bounds[4] == 0) return Grid{};  // no valid box
  return Grid::make(-from_ordered(counters.bounds[0]), -from_ordered(counters.bounds[1]),
                    from_ordered(counters.bounds[2]), from_ordered(counters.bounds[3]),
                    from_ordered(counters.bounds[4]), pixel);
}

// Keys to sort by, bounds of all boxes, and empty cells.
__global__ void prepare(const Detection* boxes, int n, Scratch s) {
  __shared__ uint32_t block_bounds[5];
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (threadIdx.x < 5) block_bounds[threadIdx.x] = 0;
  for (int c = thread; c < kCells; c += static_cast<int>(gridDim.x * blockDim.x)) s.counts[c] = 0;
  __syncthreads();
  uint32_t bounds[5] = {0, 0, 0, 0, 0};
  if (thread < n) {
    const Detection d = load_box(boxes, thread);
    const uint32_t key = key_of(d);
    s.keys[thread] = key;
    s.indices[thread] = thread;
    s.decisions[thread] = undecided;
    if (key != kInvalidKey) {
      const Corners c = corners_of(d);
      bounds[0] = ordered(-c.x1);
      bounds[1] = ordered(-c.y1);
      bounds[2] = ordered(c.x2);
      bounds[3] = ordered(c.y2);
      bounds[4] = ordered(vantage::nms::greater(c.x2 - c.x1, c.y2 - c.y1));
    }
  }
  for (int b = 0; b < 5; ++b) {
    uint32_t most = bounds[b];
    for (int distance = 16; distance > 0; distance /= 2)
      most = max(most, __shfl_xor_sync(0xffffffffu, most, distance));
    if (threadIdx.x % 32 == 0) atomicMax(&block_bounds[b], most);
  }
  __syncthreads();
  if (threadIdx.x < 5) atomicMax(&s.counters->bounds[threadIdx.x], block_bounds[threadIdx.x]);
}

// Which cell each box belongs to, and its place in it.
__global__ void count_cells(const Detection* boxes, int n, float pixel, Scratch s) {
  __shared__ Grid grid;
  if (threadIdx.x == 0) grid = grid_of(*s.counters, pixel);
  __syncthreads();
  const int rank = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (rank >= n || s.sorted_keys[rank] == kInvalidKey) return;
  const Corners c = corners_of(load_box(boxes, s.order[rank]));
  const int cell = grid.index_of(c, grid.level_of(c));
  s.cell_of_rank[rank] = cell;
  s.place_in_cell[rank] = atomicAdd(&s.counts[cell], 1);
}

// One block: where each cell begins.
__global__ void __launch_bounds__(1024) start_cells(Scratch s) {
  constexpr int kEach = kCells / 1024;
  __shared__ int warp_sums[32];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  int sum = 0;
  for (int k = 0; k < kEach; ++k) sum += s.counts[thread * kEach + k];
  int inclusive = sum;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, inclusive, distance);
    if (lane >= distance) inclusive += other;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  int before = inclusive - sum;
  for (int w = 0; w < warp; ++w) before += warp_sums[w];
  for (int k = 0; k < kEach; ++k) {
    s.starts[thread * kEach + k] = before;
    before += s.counts[thread * kEach + k];
  }
  if (thread == 1023) s.starts[kCells] = before;
}

__global__ void fill_cells(const Detection* boxes, int n, float pixel, Scratch s) {
  const int rank = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (rank >= n || s.sorted_keys[rank] == kInvalidKey) return;
  const Detection d = load_box(boxes, s.order[rank]);
  const Corners c = corners_of(d);
  const int at = s.starts[s.cell_of_rank[rank]] + s.place_in_cell[rank];
  s.corners[at] = make_float4(c.x1, c.y1, c.x2, c.y2);
  s.entries[at] = {area_of(c, pixel), rank, d.class_id};
}

__device__ Decision read_decision(const uint8_t* from) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u8 %0, [%1];" : "=r"(value) : "l"(from));
  return static_cast<Decision>(value);
}

__device__ void publish_decision(uint8_t* to, Decision decision) {
  asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(to), "r"(static_cast<unsigned>(decision)));
}

struct Own {
  Corners corners;
  float area;
  int rank;
  int32_t class_id;
};

// One look of a warp at a row of cells: `hit` when a suppressor stays, `open` when one is undecided.
__device__ void look_at(const Scratch& s, const NmsRule& rule, const Own& own, int begin, int end, bool& hit,
                        bool& open) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int at = begin + lane; at < end; at += 32) {
    const Entry e = s.entries[at];
    if (e.rank >= own.rank || (rule.per_class && e.class_id != own.class_id)) continue;
    const float4 c = s.corners[at];
    if (!overlaps(rule, own.corners, own.area, {c.x, c.y, c.z, c.w}, e.area)) continue;
    const Decision decision = read_decision(s.decisions + e.rank);
    if (decision == stays) {
      hit = true;
      return;
    }
    open = open || decision == undecided;
  }
}

__device__ Decision look_around(const Scratch& s, const NmsRule& rule, const Grid& grid, const Own& own) {
  bool open = false;
  for (int level = 0; level < kLevels; ++level) {
    const int level_cells = level * kCellsPerLevel;
    if (s.starts[level_cells] == s.starts[level_cells + kCellsPerLevel]) continue;
    const CellRange cells = grid.cells_near(own.corners, level);
    for (int y = cells.y0; y <= cells.y1; ++y) {
      const int row = level_cells + y * kCellsPerSide;
      bool hit = false;
      look_at(s, rule, own, s.starts[row + cells.x0], s.starts[row + cells.x1 + 1], hit, open);
      if (__any_sync(0xffffffffu, hit)) return goes;
    }
  }
  return __any_sync(0xffffffffu, open) ? undecided : stays;
}

// A warp a box, in the order of the scores: a block begins only after all blocks with better boxes have.
__global__ void __launch_bounds__(kResolveWarps * 32)
    resolve(const Detection* boxes, int n, NmsRule rule, Scratch s) {
  __shared__ unsigned first;
  __shared__ Grid grid;
  if (threadIdx.x == 0) {
    first = atomicAdd(&s.counters->ticket, static_cast<unsigned>(kResolveWarps));
    grid = grid_of(*s.counters, rule.pixel);
  }
  __syncthreads();
  const int rank = static_cast<int>(first) + static_cast<int>(threadIdx.x) / 32;
  if (rank >= n) return;
  const int index = s.order[rank];
  Decision decision = goes;
  if (s.sorted_keys[rank] != kInvalidKey) {
    const Detection d = load_box(boxes, index);
    const Corners c = corners_of(d);
    const Own own{c, area_of(c, rule.pixel), rank, d.class_id};
    do {
      decision = look_around(s, rule, grid, own);
    } while (decision == undecided);
  }
  if (threadIdx.x % 32 == 0) {
    publish_decision(s.decisions + rank, decision);
    s.flags[index] = decision == stays ? 1 : 0;
  }
}

}  // namespace

size_t indexed_scratch_bytes(int most_boxes) {
  return scratch_for(most_boxes, nullptr, sort_scratch_bytes(most_boxes)).size_bytes;
}

cudaError_t run_indexed(cudaStream_t stream, const Detection* boxes, int n, const NmsRule& rule,
                        const NmsOutput& output, void* scratch, size_t scratch_bytes) {
  Scratch s = scratch_for(n, scratch, sort_scratch_bytes(n));
  if (s.size_bytes > scratch_bytes) return cudaErrorInvalidValue;
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  prepare<<<blocks, kThreads, 0, stream>>>(boxes, n, s);
  if (const cudaError_t error = cub::DeviceRadixSort::SortPairs(s.sort, s.sort_bytes, s.keys, s.sorted_keys,
                                                                s.indices, s.order, n, 0, 32, stream);
      error != cudaSuccess)
    return error;
  count_cells<<<blocks, kThreads, 0, stream>>>(boxes, n, rule.pixel, s);
  start_cells<<<1, 1024, 0, stream>>>(s);
  fill_cells<<<blocks, kThreads, 0, stream>>>(boxes, n, rule.pixel, s);
  resolve<<<static_cast<unsigned>((n + kResolveWarps - 1) / kResolveWarps), kResolveWarps * 32, 0, stream>>>(
      boxes, n, rule, s);
  if (const cudaError_t error = cudaMemsetAsync(s.counters, 0, sizeof(Counters), stream);
      error != cudaSuccess)
    return error;
  return compact(stream, s.flags, n, boxes, nullptr, output);
}

}  // namespace vantage::gpu::nms
