// Exact greedy suppression of any number of boxes through a spatial index, in one launch; see nms_kernels.h
// and core/primitives/nms_grid.h.
#include <cooperative_groups.h>

#include <algorithm>

#include "core/primitives/nms_grid.h"
#include "gpu/primitives/nms_device.cuh"
#include "gpu/primitives/nms_kernels.h"

namespace vantage::gpu::nms {
namespace {

using vantage::nms::CellRange;
using vantage::nms::Grid;
using vantage::nms::kCellsPerLevel;
using vantage::nms::kCellsPerSide;
using vantage::nms::kLevels;

constexpr int kCells = kLevels * kCellsPerLevel;
constexpr int kRows = kLevels * kCellsPerSide;  // of cells
constexpr int kStartsPerRow = kCellsPerSide + 1;
constexpr int kWarps = 16, kThreads = 32 * kWarps;
constexpr int kBlocksPerMultiprocessor = 2;  // fewer, larger blocks meet sooner
constexpr int kMaxBlocks = 4096;
constexpr int kMaxBoxes = 1 << 16;
constexpr int kSuppressors = 32;  // remembered of a box: one a lane
constexpr unsigned kAllLanes = 0xffffffffu;

enum Decision : uint8_t { undecided = 0, kept = 1, suppressed = 2 };
enum Suppressor : int32_t { no_suppressor = -1, too_many_suppressors = -2 };

// All start at 0; a launch leaves them so.
struct Counters {
  uint32_t bounds[5];  // largest (encoded) of -left, -top, right, bottom, side
  uint32_t levels;     // bit l: level l has boxes
  int filled;          // positions given out in `entries`
};

// A box in its cell: two reads of 16 bytes.
struct alignas(16) Entry {
  Corners corners;
  float area;
  uint32_t key;
  int32_t index, class_id;
};

struct Scratch {
  Counters* counters;
  int32_t *counts, *starts;             // of the cells; starts [row of cells][column], with the row's end
  int32_t *cell_of_box, *place_of_box;  // in its cell
  Entry* entries;                       // cell by cell; rows of cells lie in any order
  uint8_t* decisions;
  int32_t* suppressors;   // [box * kSuppressors]: boxes that were undecided when it looked around
  int32_t* block_counts;  // kept boxes of each thread block's share
  size_t size_bytes;
};

Scratch scratch_for(int n, void* memory) {
  Scratch s{};
  auto* next = static_cast<unsigned char*>(memory);
  const auto take = [&](auto*& pointer, size_t count) {
    using T = std::remove_reference_t<decltype(*pointer)>;
    pointer = reinterpret_cast<T*>(next);
    next += rounded_up(count * sizeof(T));
  };
  const auto boxes = static_cast<size_t>(n);
  take(s.counters, 1);
  take(s.counts, kCells);
  take(s.starts, size_t{kRows} * kStartsPerRow);
  take(s.cell_of_box, boxes);
  take(s.place_of_box, boxes);
  take(s.entries, boxes);
  take(s.decisions, boxes);
  take(s.suppressors, boxes * kSuppressors);
  take(s.block_counts, kMaxBlocks);
  s.size_bytes = static_cast<size_t>(next - static_cast<unsigned char*>(memory));
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

struct Share {
  int thread, threads;  // of the whole launch
  __device__ Share()
      : thread(static_cast<int>(blockIdx.x * kThreads + threadIdx.x)),
        threads(static_cast<int>(gridDim.x * kThreads)) {}
};

// Bounds of all boxes, and everything empty.
__device__ void find_bounds(const Detection* boxes, int n, const Scratch& s) {
  __shared__ uint32_t block_bounds[5];
  if (threadIdx.x < 5) block_bounds[threadIdx.x] = 0;
  __syncthreads();
  const Share share;
  for (int c = share.thread; c < kCells; c += share.threads) s.counts[c] = 0;
  uint32_t bounds[5] = {0, 0, 0, 0, 0};
  for (int i = share.thread; i < n; i += share.threads) {
    s.decisions[i] = undecided;
    const Detection d = load_box(boxes, i);
    if (!is_valid(d)) continue;
    const Corners c = corners_of(d);
    const float values[5] = {-c.x1, -c.y1, c.x2, c.y2, vantage::nms::greater(c.x2 - c.x1, c.y2 - c.y1)};
#pragma unroll
    for (int b = 0; b < 5; ++b) bounds[b] = max(bounds[b], ordered(values[b]));
  }
#pragma unroll
  for (int b = 0; b < 5; ++b) {
    uint32_t greatest = bounds[b];
    for (int distance = 16; distance > 0; distance /= 2)
      greatest = max(greatest, __shfl_xor_sync(kAllLanes, greatest, distance));
    if (threadIdx.x % 32 == 0) atomicMax(&block_bounds[b], greatest);
  }
  __syncthreads();
  if (threadIdx.x < 5 && block_bounds[threadIdx.x] != 0)
    atomicMax(&s.counters->bounds[threadIdx.x], block_bounds[threadIdx.x]);
}

// Which cell each box belongs to, and its position in it.
__device__ void count_cells(const Detection* boxes, int n, const Grid& grid, const Scratch& s) {
  const Share share;
  uint32_t levels = 0;
  for (int i = share.thread; i < n; i += share.threads) {
    const Detection d = load_box(boxes, i);
    int cell = -1;
    if (is_valid(d)) {
      const Corners c = corners_of(d);
      const int level = grid.level_of(c);
      cell = grid.index_of(c, level);
      levels |= 1u << level;
      s.place_of_box[i] = atomicAdd(&s.counts[cell], 1);
    }
    s.cell_of_box[i] = cell;
  }
  for (int distance = 16; distance > 0; distance /= 2) levels |= __shfl_xor_sync(kAllLanes, levels, distance);
  if (threadIdx.x % 32 == 0 && levels != 0) atomicOr(&s.counters->levels, levels);
}

// The beginning of each cell; one warp for a row of cells, which are contiguous.
__device__ void start_cells(const Scratch& s) {
  static_assert(kCellsPerSide == 64);
  const Share share;
  const int lane = share.thread % 32;
  for (int row = share.thread / 32; row < kRows; row += share.threads / 32) {
    const int2 own = __ldcg(reinterpret_cast<const int2*>(s.counts + row * kCellsPerSide) + lane);
    int sum = own.x + own.y;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(kAllLanes, sum, distance);
      if (lane >= distance) sum += other;
    }
    int first = 0;
    if (lane == 31 && sum > 0) first = atomicAdd(&s.counters->filled, sum);
    first = __shfl_sync(kAllLanes, first, 31);
    int32_t* starts = s.starts + row * kStartsPerRow;
    starts[2 * lane] = first + sum - own.x - own.y;
    starts[2 * lane + 1] = first + sum - own.y;
    if (lane == 31) starts[kCellsPerSide] = first + sum;
  }
}

__device__ void fill_cells(const Detection* boxes, int n, float pixel, const Scratch& s) {
  const Share share;
  for (int i = share.thread; i < n; i += share.threads) {
    const int cell = s.cell_of_box[i];
    if (cell < 0) continue;
    const Detection d = load_box(boxes, i);
    const Corners c = corners_of(d);
    const int row = cell / kCellsPerSide, column = cell % kCellsPerSide;
    s.entries[__ldcg(s.starts + row * kStartsPerRow + column) + s.place_of_box[i]] = {
        c, area_of(c, pixel), key_of(d), i, d.class_id};
  }
}

__device__ Decision read_decision(const uint8_t* from) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u8 %0, [%1];" : "=r"(value) : "l"(from));
  return static_cast<Decision>(value);
}

__device__ void publish_decision(uint8_t* to, Decision decision) {
  asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(to), "r"(static_cast<unsigned>(decision)));
}

// A warp's search of the index.
struct Looker {
  const Scratch& s;
  const NmsRule& rule;
  const Grid& grid;
  uint32_t levels;
  int lane;
};

// The cells of up to 32 rows near a box, one row a lane.
struct NearRows {
  int begin = 0, end_of_all = 0;  // the lane's first entry; entries of the rows up to the lane's
  int length = 0;
  int rows = 0;  // near the box, of all levels
};

__device__ NearRows rows_near(const Looker& look, const Corners& box, int first_row) {
  NearRows near;
  const int wanted = first_row + look.lane;
#pragma unroll
  for (int level = 0; level < kLevels; ++level) {
    if ((look.levels >> level & 1) == 0) continue;
    const CellRange cells = look.grid.cells_near(box, level);
    const int rows = cells.y1 - cells.y0 + 1, y = cells.y0 + wanted - near.rows;
    if (wanted >= near.rows && wanted < near.rows + rows) {
      const int32_t* starts = look.s.starts + (level * kCellsPerSide + y) * kStartsPerRow;
      near.begin = __ldcg(starts + cells.x0);
      near.length = __ldcg(starts + cells.x1 + 1) - near.begin;
    }
    near.rows += rows;
  }
  near.end_of_all = near.length;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(kAllLanes, near.end_of_all, distance);
    if (look.lane >= distance) near.end_of_all += other;
  }
  return near;
}

// The place of the i-th entry of all these rows.
__device__ int entry_at(const NearRows& near, int i) {
  int row = 0;
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    if (__shfl_sync(kAllLanes, near.end_of_all, row + step - 1) <= i) row += step;
  const int before = __shfl_sync(kAllLanes, near.end_of_all - near.length, row);
  return __shfl_sync(kAllLanes, near.begin, row) + i - before;
}

__device__ Entry load_entry(const Entry* from) {
  const auto* words = reinterpret_cast<const float4*>(from);
  const float4 c = __ldcg(words), rest = __ldcg(words + 1);
  return {
      {c.x, c.y, c.z, c.w}, rest.x, __float_as_uint(rest.y), __float_as_int(rest.z), __float_as_int(rest.w)};
}

// Tests the box against all boxes near it and remembers those that may still suppress it.
__device__ Decision look_around(const Looker& look, const Entry& own) {
  int32_t* suppressors = look.s.suppressors + static_cast<size_t>(own.index) * kSuppressors;
  int found = 0;
  NearRows near;
  for (int first_row = 0; first_row == 0 || first_row < near.rows; first_row += 32) {
    near = rows_near(look, own.corners, first_row);
    const int all = __shfl_sync(kAllLanes, near.end_of_all, 31);
    for (int first = 0; first < all; first += 32) {
      const int i = first + look.lane, at = entry_at(near, i < all ? i : all - 1);
      const Entry other = load_entry(look.s.entries + at);
      const bool before = other.key < own.key || (other.key == own.key && other.index < own.index);
      const bool suppresses = i < all && before && (!look.rule.per_class || other.class_id == own.class_id) &&
                              overlaps(look.rule, own.corners, own.area, other.corners, other.area);
      const Decision decision = suppresses ? read_decision(look.s.decisions + other.index) : suppressed;
      if (__any_sync(kAllLanes, decision == kept)) return suppressed;
      const unsigned open = __ballot_sync(kAllLanes, decision == undecided);
      const int place = found + __popc(open & ((1u << look.lane) - 1));
      if (decision == undecided && place < kSuppressors) suppressors[place] = other.index;
      found += __popc(open);
    }
  }
  if (found == 0) return kept;
  __syncwarp();
  if (found > kSuppressors && look.lane == 0) suppressors[0] = too_many_suppressors;
  if (look.lane >= found) suppressors[look.lane] = no_suppressor;
  __syncwarp();
  return undecided;
}

// Looks at what it remembers only.
__device__ Decision look_again(const Looker& look, const Entry& own) {
  const int32_t suppressor = look.s.suppressors[static_cast<size_t>(own.index) * kSuppressors + look.lane];
  if (__shfl_sync(kAllLanes, suppressor, 0) == too_many_suppressors) return look_around(look, own);
  const Decision decision = suppressor >= 0 ? read_decision(look.s.decisions + suppressor) : suppressed;
  if (__any_sync(kAllLanes, decision == kept)) return suppressed;
  return __any_sync(kAllLanes, decision == undecided) ? undecided : kept;
}

__device__ Entry own_entry(const Detection* boxes, int i, float pixel) {
  const Detection d = load_box(boxes, i);
  const Corners c = corners_of(d);
  return {c, area_of(c, pixel), key_of(d), i, d.class_id};
}

// Bits of the thread block's share of the boxes. `decided` has words of their own for each warp, which takes
// every kWarps-th box.
struct ShareBits {
  uint32_t decided[kWarps][kMaxBoxes / kWarps / 32], kept[kMaxBoxes / 32];
};

// A warp a box, the next one when it must wait: all thread blocks run at the same time, and the best of the
// undecided boxes never waits, so there is always one to decide.
__device__ void resolve(const Detection* boxes, const Looker& look, int begin, int end, ShareBits& bits) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  bool first_time = true, open = true;
  while (open) {
    open = false;
    for (int i = begin + warp, turn = 0; i < end; i += kWarps, ++turn) {
      uint32_t& decided = bits.decided[warp][turn / 32];
      if (!first_time && (decided >> (turn % 32) & 1u) != 0) continue;
      const Entry own = own_entry(boxes, i, look.rule.pixel);
      Decision decision = suppressed;
      if (own.key != kInvalidKey) decision = first_time ? look_around(look, own) : look_again(look, own);
      if (decision == undecided) {
        open = true;
        continue;
      }
      __syncwarp();
      if (look.lane == 0) {
        publish_decision(look.s.decisions + i, decision);
        decided |= 1u << (turn % 32);
        if (decision == kept) atomicOr(&bits.kept[(i - begin) / 32], 1u << ((i - begin) % 32));
      }
      __syncwarp();
    }
    first_time = false;
  }
}

// The thread block's part of the list, behind those of the blocks before it.
__device__ void write_part(const Detection* boxes, const Scratch& s, int begin, int end,
                           const ShareBits& bits, const NmsOutput& output) {
  __shared__ int before;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) before = 0;
  __syncthreads();
  int sum = 0;
  for (int b = thread; b < static_cast<int>(blockIdx.x); b += kThreads) sum += __ldcg(s.block_counts + b);
  if (sum != 0) atomicAdd(&before, sum);
  __syncthreads();
  for (int i = begin + thread; i < end; i += kThreads) {
    const int place = i - begin;
    const uint32_t word = bits.kept[place / 32], bit = 1u << (place % 32);
    if ((word & bit) == 0) continue;
    int position = before + __popc(word & (bit - 1));
    for (int w = 0; w < place / 32; ++w) position += __popc(bits.kept[w]);
    output.kept[position] = i;
    if (output.scores != nullptr) output.scores[position] = boxes[i].score;
  }
  if (thread == 0 && blockIdx.x == gridDim.x - 1)
    *output.count = before + __ldcg(s.block_counts + blockIdx.x);
}

__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor)
    greedy_indexed(const Detection* boxes, int n, NmsRule rule, NmsOutput output, Scratch s) {
  __shared__ ShareBits bits;
  __shared__ Grid grid;
  __shared__ int kept_count;
  const cooperative_groups::grid_group all = cooperative_groups::this_grid();
  find_bounds(boxes, n, s);
  all.sync();
  if (threadIdx.x == 0) {
    grid = grid_of(*s.counters, rule.pixel);
    kept_count = 0;
  }
  const int each = (n + static_cast<int>(gridDim.x) - 1) / static_cast<int>(gridDim.x);
  const int begin = min(n, static_cast<int>(blockIdx.x) * each), end = min(n, begin + each),
            words = (each + 31) / 32;
  for (int w = static_cast<int>(threadIdx.x); w < words; w += kThreads) {
    bits.kept[w] = 0;
    for (int warp = 0; warp < kWarps && w < kMaxBoxes / kWarps / 32; ++warp) bits.decided[warp][w] = 0;
  }
  __syncthreads();
  count_cells(boxes, n, grid, s);
  all.sync();
  start_cells(s);
  all.sync();
  fill_cells(boxes, n, rule.pixel, s);
  all.sync();
  const Looker look{s, rule, grid, __ldcg(&s.counters->levels), static_cast<int>(threadIdx.x) % 32};
  resolve(boxes, look, begin, end, bits);
  __syncthreads();
  for (int w = static_cast<int>(threadIdx.x); w < words; w += kThreads)
    atomicAdd(&kept_count, __popc(bits.kept[w]));
  __syncthreads();
  if (threadIdx.x == 0) s.block_counts[blockIdx.x] = kept_count;
  all.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) *s.counters = {};
  write_part(boxes, s, begin, end, bits, output);
}

Result<int> max_blocks_at_once(Context& context) {
  int each = 0;
  VANTAGE_TRY(context.check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, greedy_indexed, kThreads, 0),
                            "count the thread blocks of greedy_indexed"));
  return std::min(context.limits().multiprocessors * each, kMaxBlocks);
}

}  // namespace

size_t indexed_scratch_bytes(int max_boxes) {
  return scratch_for(max_boxes, nullptr).size_bytes;
}

Status enqueue_indexed(Work& work, const Detection* boxes, int n, const NmsRule& rule,
                       const NmsOutput& output, void* scratch, size_t scratch_bytes) {
  const Scratch s = scratch_for(n, scratch);
  if (s.size_bytes > scratch_bytes || n > kMaxBoxes)
    return fail(ErrorKind::invalid_argument, "more boxes than there is memory for",
                "non-maximum suppression");
  VANTAGE_ASSIGN(const int at_once, max_blocks_at_once(work.context()));
  if (at_once == 0)
    return fail(ErrorKind::unsupported, "the GPU cannot run greedy_indexed", "non-maximum suppression");
  const int blocks = std::min((n + kWarps - 1) / kWarps, at_once);
  const LaunchGrid grid{dim3(static_cast<unsigned>(blocks)), dim3(kThreads), Order::cooperative};
  return launch(work, "greedy_indexed", grid, greedy_indexed, boxes, n, rule, output, s);
}

}  // namespace vantage::gpu::nms
