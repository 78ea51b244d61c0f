#include "gpu/heads/heads_kernels.h"

namespace vantage::gpu::heads {
namespace {

constexpr int kThreads = 256;
constexpr int kBatchBlocks = 4;  // of next_batch on a multiprocessor
constexpr int kAcceptBlocks = 64;

dim3 pixel_blocks(int width, int height) {
  return {blocks_for(width, 64), blocks_for(height, 4)};
}
LaunchGrid grid_of(int blocks) {
  return {dim3(static_cast<unsigned>(blocks)), dim3(kThreads)};
}

__global__ void __launch_bounds__(kThreads)
    halve(const Source from, uint8_t* const to, const int64_t to_stride, const int width, const int height) {
  const int x = static_cast<int>(blockIdx.x * 64 + threadIdx.x % 64);
  const int y = static_cast<int>(blockIdx.y * 4 + threadIdx.x / 64);
  if (x >= width || y >= height) return;
  const uint8_t *upper = from.data + int64_t{2} * y * from.stride + 2 * x, *lower = upper + from.stride;
  to[y * to_stride + x] = static_cast<uint8_t>((upper[0] + upper[1] + lower[0] + lower[1] + 2) >> 2);
}

__global__ void __launch_bounds__(kThreads)
    turn_upright(const Source from, const HeadTurn turn, uint8_t* const to, const int64_t to_stride) {
  const int x = static_cast<int>(blockIdx.x * 64 + threadIdx.x % 64);
  const int y = static_cast<int>(blockIdx.y * 4 + threadIdx.x / 64);
  if (x >= turn.width || y >= turn.height) return;
  to[y * to_stride + x] = vantage::heads::turned_pixel(turn, from.data, from.stride, x, y);
}

constexpr int kApron = 18;  // three blocks of 6, and one column to spare
constexpr int kPatchWidth = kCodeTileWidth + kApron, kPatchHeight = kCodeTileHeight + kApron;

struct Patch {
  uint8_t pixels[kPatchHeight][kPatchWidth];
  uint16_t sums[3][kPatchHeight][kPatchWidth];  // of blocks of 2, 4, 6
};

// sums of `parts` x `parts` blocks of 2; rows and columns whose sum would leave the patch are left out.
__device__ void combine(Patch& patch, int parts, int to) {
  const int reach = 2 * parts;
  for (int i = static_cast<int>(threadIdx.x); i < kPatchHeight * kPatchWidth; i += kThreads) {
    const int y = i / kPatchWidth, x = i % kPatchWidth;
    if (y + reach > kPatchHeight || x + reach > kPatchWidth) continue;
    int sum = 0;
    for (int r = 0; r < parts; ++r)
      for (int c = 0; c < parts; ++c) sum += patch.sums[0][y + 2 * r][x + 2 * c];
    patch.sums[to][y][x] = static_cast<uint16_t>(sum);
  }
}

template <int kBlock, class Rows>
__device__ uint8_t code_at(const Rows& sums, int x, int y) {
  const int middle = sums[y + kBlock][x + kBlock];
  unsigned code = 0;
  code |= sums[y][x] >= middle ? 1u : 0u;
  code |= sums[y][x + kBlock] >= middle ? 2u : 0u;
  code |= sums[y][x + 2 * kBlock] >= middle ? 4u : 0u;
  code |= sums[y + kBlock][x + 2 * kBlock] >= middle ? 8u : 0u;
  code |= sums[y + 2 * kBlock][x + 2 * kBlock] >= middle ? 16u : 0u;
  code |= sums[y + 2 * kBlock][x + kBlock] >= middle ? 32u : 0u;
  code |= sums[y + 2 * kBlock][x] >= middle ? 64u : 0u;
  code |= sums[y + kBlock][x] >= middle ? 128u : 0u;
  return static_cast<uint8_t>(code);
}

__global__ void __launch_bounds__(kThreads) write_codes(const DevicePlan plan, const Source picture) {
  __shared__ Patch patch;
  const DeviceTile tile = plan.code_tiles[blockIdx.x];
  const DeviceLevel level = plan.levels[tile.level];
  const uint8_t* const octave = level.octave ? level.octave : picture.data;
  const int64_t stride = level.octave ? level.octave_stride : picture.stride;
  for (int i = static_cast<int>(threadIdx.x); i < kPatchHeight * kPatchWidth; i += kThreads) {
    const int y = i / kPatchWidth, x = i % kPatchWidth;
    patch.pixels[y][x] = vantage::heads::level_pixel(octave, stride, level.octave_width, level.octave_height,
                                                     level.step, tile.x + x, tile.y + y);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kPatchHeight * kPatchWidth; i += kThreads) {
    const int y = i / kPatchWidth, x = i % kPatchWidth;
    if (y + 2 > kPatchHeight || x + 2 > kPatchWidth) continue;
    patch.sums[0][y][x] = static_cast<uint16_t>(patch.pixels[y][x] + patch.pixels[y][x + 1] +
                                                patch.pixels[y + 1][x] + patch.pixels[y + 1][x + 1]);
  }
  __syncthreads();
  combine(patch, 2, 1);
  combine(patch, 3, 2);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kCodeTileHeight * kCodeTileWidth; i += kThreads) {
    const int y = i / kCodeTileWidth, x = i % kCodeTileWidth;
    if (tile.x + x >= level.width || tile.y + y >= level.height) continue;
    uint8_t* const out =
        plan.codes + level.offset + static_cast<size_t>(tile.y + y) * level.stride + tile.x + x;
    out[0] = code_at<1>(patch.pixels, x, y);
    out[plan.plane_bytes] = code_at<2>(patch.sums[0], x, y);
    out[size_t{2} * plan.plane_bytes] = code_at<4>(patch.sums[1], x, y);
    out[size_t{3} * plan.plane_bytes] = code_at<6>(patch.sums[2], x, y);
  }
}

// Every lane of the warp comes here.
__device__ void append(bool alive, uint32_t key, int32_t score, const WindowList& out) {
  const unsigned all = __ballot_sync(0xffffffffu, alive);
  if (all == 0) return;
  const int lane = static_cast<int>(threadIdx.x) % 32, leader = __ffs(static_cast<int>(all)) - 1;
  uint32_t first = 0;
  if (lane == leader) first = atomicAdd(out.count, static_cast<uint32_t>(__popc(all)));
  first = __shfl_sync(0xffffffffu, first, leader);
  if (alive) out.entries[first + static_cast<uint32_t>(__popc(all & ((1u << lane) - 1)))] = {key, score};
}

// Weak classifiers and their tables where the threads reach them quickly.
template <int kRoom>
struct Asked {
  DeviceWeak weak[kRoom];
  int8_t tables[kRoom * 256];
  __device__ void load(const DevicePlan& plan, int first, int count) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) weak[i] = plan.weak[first + i];
    const auto* from = reinterpret_cast<const uint32_t*>(plan.tables + size_t{256} * first);
    auto* to = reinterpret_cast<uint32_t*>(tables);
    for (int i = static_cast<int>(threadIdx.x); i < count * 64; i += kThreads) to[i] = from[i];
    __syncthreads();
  }
};

__device__ bool ask(const DeviceWeak& weak, const int8_t* table, const uint8_t* window, uint32_t plane_bytes,
                    uint32_t stride, int32_t* score) {
  *score += table[window[size_t{weak.block} * plane_bytes + weak.y * stride + weak.x]];
  return *score >= weak.reject_below;
}

__global__ void __launch_bounds__(kThreads)
    first_batch(const DevicePlan plan, const int weak_count, const WindowList out) {
  __shared__ __align__(16) Asked<kFirstBatch> asked;
  asked.load(plan, 0, weak_count);
  const DeviceTile tile = plan.window_tiles[blockIdx.x];
  const DeviceLevel level = plan.levels[tile.level];
  for (int i = static_cast<int>(threadIdx.x); i < kHeadTileWidth * kHeadTileHeight; i += kThreads) {
    const int x = tile.x + i % kHeadTileWidth, y = tile.y + i / kHeadTileWidth;
    bool alive = x + kHeadWindow <= level.width && y + kHeadWindow <= level.height &&
                 ((x | y) & (level.window_step - 1)) == 0;
    int32_t score = 0;
    const uint8_t* const window = plan.codes + level.offset + static_cast<size_t>(y) * level.stride + x;
    for (int t = 0; alive && t < weak_count; ++t)
      alive = ask(asked.weak[t], asked.tables + 256 * t, window, plan.plane_bytes, level.stride, &score);
    append(alive, vantage::heads::key_of(tile.level, x, y), score, out);
  }
}

__global__ void __launch_bounds__(kThreads) next_batch(const DevicePlan plan, const int first, const int end,
                                                       const WindowList in, const WindowList out) {
  __shared__ __align__(16) Asked<kMaxTablesInShared> asked;
  const int together = min(end - first, kMaxTablesInShared);
  asked.load(plan, first, together);
  const uint32_t count = *in.count, step = gridDim.x * kThreads;
  // Whole warps stay together: append() needs them.
  for (uint32_t i = blockIdx.x * kThreads + threadIdx.x; i - threadIdx.x % 32 < count; i += step) {
    const WindowEntry entry = i < count ? in.entries[i] : WindowEntry{0, 0};
    bool alive = i < count;
    int32_t score = entry.score;
    const DeviceLevel& level = plan.levels[entry.key >> 26];
    const uint32_t stride = level.stride;
    const uint8_t* const window = plan.codes + level.offset +
                                  static_cast<size_t>(entry.key >> 13 & 0x1fff) * stride +
                                  (entry.key & 0x1fff);
    for (int t = 0; alive && t < together; ++t)
      alive = ask(asked.weak[t], asked.tables + 256 * t, window, plan.plane_bytes, stride, &score);
    for (int t = first + together; alive && t < end; ++t)
      alive = ask(plan.weak[t], plan.tables + size_t{256} * t, window, plan.plane_bytes, stride, &score);
    append(alive, entry.key, score, out);
  }
}

__global__ void __launch_bounds__(kThreads)
    accept_windows(const WindowList in, const int32_t accept_from, const int room, const WindowList kept) {
  const uint32_t count = *in.count, step = gridDim.x * kThreads;
  for (uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += step) {
    const WindowEntry entry = in.entries[i];
    if (entry.score < accept_from) continue;
    const uint32_t at = atomicAdd(kept.count, 1u);
    if (at < static_cast<uint32_t>(room)) kept.entries[at] = entry;
  }
}

// A window's place is the number of smaller keys.
__global__ void __launch_bounds__(kThreads)
    order_windows(const WindowList kept, const int room, WindowEntry* const ordered) {
  __shared__ uint32_t keys[kThreads];
  const int count = static_cast<int>(min(*kept.count, static_cast<uint32_t>(room)));
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const WindowEntry own = i < count ? kept.entries[i] : WindowEntry{0xffffffffu, 0};
  int place = 0;
  for (int begin = 0; begin < count; begin += kThreads) {
    const int j = begin + static_cast<int>(threadIdx.x);
    __syncthreads();
    keys[threadIdx.x] = j < count ? kept.entries[j].key : 0xffffffffu;
    __syncthreads();
    for (int k = 0; k < kThreads; ++k) place += keys[k] < own.key ? 1 : 0;
  }
  if (i < count) ordered[place] = own;
}

__global__ void __launch_bounds__(kThreads)
    list_boxes(const DevicePlan plan, const WindowEntry* const ordered, const uint32_t* const found,
               const BoxRule rule, Detection* const boxes, const int room) {
  __shared__ Detection others[kThreads];
  __shared__ int32_t excess[kThreads];
  const int count = static_cast<int>(min(*found, static_cast<uint32_t>(room)));
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const auto box_of = [&](const WindowEntry& entry) {
    return vantage::heads::detection_of(entry.key, plan.levels[entry.key >> 26].scale);
  };
  Detection own{};
  if (i < count) own = box_of(ordered[i]);
  int32_t sum = 0;
  for (int begin = 0; begin < count; begin += kThreads) {
    const int j = begin + static_cast<int>(threadIdx.x);
    __syncthreads();
    if (j < count) {
      const WindowEntry entry = ordered[j];
      others[threadIdx.x] = box_of(entry);
      excess[threadIdx.x] =
          vantage::heads::excess_of(entry.score, rule.accept_from, plan.levels[entry.key >> 26].window_step);
    }
    __syncthreads();
    const int here = min(count - begin, kThreads);
    for (int k = 0; k < here; ++k)
      if (vantage::heads::windows_overlap(own, others[k])) sum += excess[k];
  }
  if (i >= room) return;
  own.score = i < count ? vantage::heads::final_score(sum, rule.score_unit) : __int_as_float(0x7fc00000);
  boxes[i] = own;
}

}  // namespace

Status enqueue_turn(Work& work, Source from, const HeadTurn& turn, uint8_t* to, int64_t to_stride) {
  const LaunchGrid grid{pixel_blocks(turn.width, turn.height), dim3(kThreads)};
  return launch(work, "turn_upright", grid, turn_upright, from, turn, to, to_stride);
}

Status enqueue_halve(Work& work, Source from, uint8_t* to, int64_t to_stride, int width, int height) {
  const LaunchGrid grid{pixel_blocks(width, height), dim3(kThreads)};
  return launch(work, "halve", grid, halve, from, to, to_stride, width, height);
}

Status enqueue_codes(Work& work, const DevicePlan& plan, Source picture, int tiles) {
  return launch(work, "write_codes", grid_of(tiles), write_codes, plan, picture);
}

Status enqueue_first_batch(Work& work, const DevicePlan& plan, int tiles, int weak_count, WindowList out) {
  return launch(work, "first_batch", grid_of(tiles), first_batch, plan, weak_count, out);
}

Status enqueue_next_batch(Work& work, const DevicePlan& plan, int first, int end, WindowList in,
                          WindowList out) {
  const LaunchGrid grid = grid_of(kBatchBlocks * work.context().limits().multiprocessors);
  return launch(work, "next_batch", grid, next_batch, plan, first, end, in, out);
}

Status enqueue_accept(Work& work, WindowList in, int32_t accept_from, int room, WindowList kept) {
  return launch(work, "accept_windows", grid_of(kAcceptBlocks), accept_windows, in, accept_from, room, kept);
}

Status enqueue_boxes(Work& work, const DevicePlan& plan, WindowList in, const BoxRule& rule, Detection* boxes,
                     int room, WindowList kept, WindowEntry* ordered) {
  VANTAGE_TRY(enqueue_accept(work, in, rule.accept_from, room, kept));
  const LaunchGrid grid = grid_of(room / kThreads);
  VANTAGE_TRY(launch(work, "order_windows", grid, order_windows, kept, room, ordered));
  return launch(work, "list_boxes", grid, list_boxes, plan, ordered, kept.count, rule, boxes, room);
}

}  // namespace vantage::gpu::heads
