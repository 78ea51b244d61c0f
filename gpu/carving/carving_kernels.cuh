// The kernels of the CUDA carver. The hierarchy is that of core/carving/block_votes.h and block_table.h:
//
//   find_ranges    smallest and largest indicator of the pictures' tiles
//   decide_groups  which blocks are empty, full, or have to be looked at voxel by voxel
//   carve_blocks   the voxels of those
//   find_shell, write_ids
//
// Occupancy is held in words of 32 voxels along x; a group of blocks is one word wide, a block one byte.
#pragma once

#include <cub/block/block_scan.cuh>

#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/carving/range_pyramid.h"
#include "gpu/carving/vote.cuh"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

constexpr int kCarvingThreads = 256;
constexpr int kBlocksPerGroup = kGroupSide * kGroupSide * kGroupSide;
static_assert(kBlockSide == 8 && kGroupSide == 4 && kColumn == kBlockSide);

// Where things lie. A row along x starts on a new word, and bits beyond nx are 0. A grid has fewer than 2^31
// voxels, so words and IDs fit 32 bits.
struct CarvingGrid {
  uint32_t nx, ny, nz;
  uint32_t words_per_row;
  uint32_t words;  // words_per_row * ny * nz
  BlockGrid blocks, groups;

  __device__ uint32_t row_of(uint32_t word) const { return word / words_per_row; }
  __device__ uint32_t row_at(uint32_t y, uint32_t z) const { return y + ny * z; }
};

struct BlockIndex {
  int x, y, z;
};
__device__ inline BlockIndex index_in(const BlockGrid& grid, int index) {
  return {index % grid.nx, index / grid.nx % grid.ny, index / (grid.nx * grid.ny)};
}

// A camera's pyramid of ranges. Its top level is the one of kTopTile pixels: one thread block makes it.
struct TileView {
  PyramidLayout layout;
  uint16_t* tiles = nullptr;
};
constexpr int kPyramidLevels = 6;
constexpr int kTopTiles = 1 << (kPyramidLevels - 1);  // first-level tiles a side
constexpr int kTopTile_px = kTopTiles << PyramidLayout::kFirstShift;

constexpr uint16_t kNoRange = 0x00ff;  // low 255, high 0: nothing there, neutral when ranges are joined
__device__ inline uint16_t packed(IndicatorRange range) {
  return static_cast<uint16_t>(range.low | range.high << 8);
}
__device__ inline IndicatorRange unpacked(uint16_t range) {
  return {static_cast<uint8_t>(range & 255), static_cast<uint8_t>(range >> 8)};
}
__device__ inline bool is_range(IndicatorRange range) {
  return range.low <= range.high;
}
__device__ inline uint16_t joined(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(min(a & 255, b & 255) | max(a >> 8, b >> 8) << 8);
}

// The range of the 4x4 pixels from (x, y); rows begin at whole words.
__device__ inline uint16_t tile_range(const ImageView<const uint8_t>& image, int x, int y) {
  if (x >= image.width || y >= image.height) return kNoRange;
  const int columns = min(4, image.width - x), rows = min(4, image.height - y);
  int low = 255, high = 0;
  for (int row = 0; row < rows; ++row) {
    const uint8_t* pixels = image.row(y + row) + x;
    // What lies behind a row is nobody's, not even to be read.
    uint32_t word = 0;
    if (columns == 4) word = __ldg(reinterpret_cast<const uint32_t*>(pixels));
    for (int column = 0; column < columns; ++column) {
      const int pixel = columns == 4 ? static_cast<int>(word >> (8 * column) & 255u) : __ldg(pixels + column);
      low = min(low, pixel);
      high = max(high, pixel);
    }
  }
  return static_cast<uint16_t>(low | high << 8);
}

// What is added up over a frame.
struct CarvingCounters {
  VolumeCounts counts;
  uint32_t undecided;  // blocks
  uint32_t finished;   // thread blocks of find_shell
};

// One thread block makes kTopTiles x kTopTiles tiles of one camera (z) and what lies above them. The first
// one also sets the counters to 0.
__global__ void __launch_bounds__(kCarvingThreads)
    find_ranges(const __grid_constant__ CarvingViews views, const TileView* __restrict__ tile_views,
                CarvingCounters* counters) {
  __shared__ uint16_t tiles[kTopTiles][kTopTiles];
  if (blockIdx.x + blockIdx.y + blockIdx.z == 0 && threadIdx.x == 0) *counters = {};
  const ImageView<const uint8_t> image = views.view[blockIdx.z].indicator;
  const TileView& tile_view = tile_views[blockIdx.z];
  const int tile_x0 = static_cast<int>(blockIdx.x) * kTopTiles,
            tile_y0 = static_cast<int>(blockIdx.y) * kTopTiles;
  if (!image.data || tile_x0 >= tile_view.layout.level[0].width ||
      tile_y0 >= tile_view.layout.level[0].height)
    return;
  for (int level = 0; level < tile_view.layout.levels; ++level) {
    const PyramidLayout::Level place = tile_view.layout.level[level];
    const int side = kTopTiles >> level;
    // Read by all before it is overwritten by any: a thread has at most kMost tiles of a level.
    constexpr int kMost = kTopTiles * kTopTiles / kCarvingThreads;
    uint16_t mine[kMost];
    for (int i = 0; i < kMost; ++i) {
      const int at = static_cast<int>(threadIdx.x) + i * kCarvingThreads, x = at % side, y = at / side;
      mine[i] = kNoRange;
      if (y >= side) continue;
      if (level == 0)
        mine[i] = tile_range(image, (tile_x0 + x) << PyramidLayout::kFirstShift,
                             (tile_y0 + y) << PyramidLayout::kFirstShift);
      else
        mine[i] = joined(joined(tiles[2 * y][2 * x], tiles[2 * y][2 * x + 1]),
                         joined(tiles[2 * y + 1][2 * x], tiles[2 * y + 1][2 * x + 1]));
    }
    __syncthreads();
    for (int i = 0; i < kMost; ++i) {
      const int at = static_cast<int>(threadIdx.x) + i * kCarvingThreads, x = at % side, y = at / side;
      if (y >= side) continue;
      tiles[y][x] = mine[i];
      const int to_x = (tile_x0 >> level) + x, to_y = (tile_y0 >> level) + y;
      if (to_x < place.width && to_y < place.height)
        tile_view.tiles[place.offset + to_y * place.width + to_x] = mine[i];
    }
    __syncthreads();
  }
}

// What decide_groups and carve_blocks share.
struct CarvingScene {
  CarvingGrid grid;
  int cameras;
  bool skip;           // whether decided blocks are left out
  float lowest_limit;  // of all rules
  uint64_t present;    // bit c: camera c has an indicator in this frame
  VoteRule rules[kMostCarvingCameras + 1];
  const TileView* tiles;
  const BlockView *group_views, *block_views;  // [block * cameras + camera]
  const float *x_m, *y_m, *z_m;                // voxel centres, padded to whole blocks
  ImageView<float> confidence;                 // without data: not kept
  uint32_t* occupied;
  // Undecided blocks in no order, and the ranges of their cameras: [entry * cameras + camera].
  uint32_t* undecided;
  uint16_t* undecided_ranges;
  CarvingCounters* counters;
};

__device__ inline uint16_t range_of(const CarvingScene& scene, const BlockView* views, int camera) {
  if ((scene.present >> camera & 1) == 0 || !views[camera].sees_any()) return kNoRange;
  return packed(range_in(scene.tiles[camera].layout, scene.tiles[camera].tiles, views[camera]));
}

struct BlockAnswer {
  BlockState state;  // undecided also where the confidence has to be computed
  float confidence;
};
__device__ inline BlockAnswer answer_for(const CarvingScene& scene, const BlockView* views,
                                         const uint16_t* ranges) {
  BlockVotes votes;
  for (int c = 0; c < scene.cameras; ++c) {
    const IndicatorRange range = unpacked(ranges[c]);
    if (is_range(range)) votes.add(range, views[c].sees_all());
  }
  BlockState state = block_state(votes, scene.rules, scene.cameras);
  if (!scene.skip || (scene.confidence.data && !votes.constant())) state = BlockState::undecided;
  return {state, static_cast<float>(votes.low) / scene.rules[votes.whole].full};
}

constexpr int kGroupThreads = 128;

// One thread block a group. Writes all its words: 0 where undecided.
__global__ void __launch_bounds__(kGroupThreads) decide_groups(const __grid_constant__ CarvingScene scene) {
  __shared__ uint16_t group_ranges[kMostCarvingCameras];
  __shared__ uint16_t ranges[kBlocksPerGroup * kMostCarvingCameras];
  __shared__ BlockAnswer answers[kBlocksPerGroup];
  __shared__ BlockAnswer group_answer;
  const CarvingGrid& grid = scene.grid;
  const int cameras = scene.cameras, thread = static_cast<int>(threadIdx.x);
  const int group = static_cast<int>(blockIdx.x);
  const BlockIndex at = index_in(grid.groups, group);
  const BlockView* group_views = scene.group_views + static_cast<size_t>(group) * cameras;
  const auto block_at = [&](int i) {  // -1 beyond the grid's end
    const int x = at.x * kGroupSide + i % kGroupSide, y = at.y * kGroupSide + i / kGroupSide % kGroupSide,
              z = at.z * kGroupSide + i / (kGroupSide * kGroupSide);
    return x < grid.blocks.nx && y < grid.blocks.ny && z < grid.blocks.nz ? grid.blocks.index(x, y, z) : -1;
  };
  for (int c = thread; c < cameras; c += kGroupThreads) group_ranges[c] = range_of(scene, group_views, c);
  __syncthreads();
  if (thread == 0) group_answer = answer_for(scene, group_views, group_ranges);
  __syncthreads();
  if (group_answer.state != BlockState::undecided) {
    if (thread < kBlocksPerGroup) answers[thread] = group_answer;
  } else {
    for (int i = thread; i < kBlocksPerGroup * cameras; i += kGroupThreads) {
      const int block = block_at(i / cameras), c = i % cameras;
      if (block < 0) continue;
      const IndicatorRange around = unpacked(group_ranges[c]);
      const BlockView* views = scene.block_views + static_cast<size_t>(block) * cameras;
      ranges[i] = is_range(around) && around.constant() && views[c].sees_any() ? group_ranges[c]
                                                                               : range_of(scene, views, c);
    }
    __syncthreads();
    const int block = thread < kBlocksPerGroup ? block_at(thread) : -1;
    if (thread < kBlocksPerGroup) answers[thread] = {BlockState::empty, 0.0f};
    if (block >= 0) {
      const BlockView* views = scene.block_views + static_cast<size_t>(block) * cameras;
      answers[thread] = answer_for(scene, views, ranges + thread * cameras);
      if (answers[thread].state == BlockState::undecided) {
        const uint32_t entry = atomicAdd(&scene.counters->undecided, 1u);
        scene.undecided[entry] = static_cast<uint32_t>(block);
        for (int c = 0; c < cameras; ++c)
          scene.undecided_ranges[static_cast<size_t>(entry) * cameras + c] = ranges[thread * cameras + c];
      }
    }
  }
  __syncthreads();
  constexpr int kSide = kGroupSide * kBlockSide;  // voxels
  const uint32_t tail = grid.nx - at.x * kSide >= 32 ? ~0u : (1u << (grid.nx - at.x * kSide)) - 1;
  for (int row = thread; row < kSide * kSide; row += kGroupThreads) {
    const uint32_t y = at.y * kSide + row % kSide, z = at.z * kSide + row / kSide;
    if (y >= grid.ny || z >= grid.nz) continue;
    const int first = kGroupSide * (row % kSide / kBlockSide + kGroupSide * (row / kSide / kBlockSide));
    uint32_t word = 0;
    for (int i = 0; i < kGroupSide; ++i)
      if (answers[first + i].state == BlockState::full) word |= 0xffu << (8 * i);
    scene.occupied[grid.row_at(y, z) * grid.words_per_row + at.x] = word & tail;
  }
  if (!scene.confidence.data) return;
  for (int i = thread; i < kSide * kSide * kSide; i += kGroupThreads) {
    const uint32_t x = at.x * kSide + i % kSide, y = at.y * kSide + i / kSide % kSide,
                   z = at.z * kSide + i / (kSide * kSide);
    const BlockAnswer& answer =
        answers[i % kSide / kBlockSide + kGroupSide * (i / kSide % kSide / kBlockSide +
                                                       kGroupSide * (i / (kSide * kSide) / kBlockSide))];
    if (x < grid.nx && y < grid.ny && z < grid.nz && answer.state != BlockState::undecided)
      scene.confidence.row(static_cast<int>(grid.row_at(y, z)))[x] = answer.confidence;
  }
}

// One warp half a block: 8 x 4 columns of 8 voxels; warps take one after the other.
__global__ void __launch_bounds__(kCarvingThreads)
    carve_blocks(const __grid_constant__ CarvingScene scene, const __grid_constant__ CarvingViews views) {
  const CarvingGrid& grid = scene.grid;
  const int cameras = scene.cameras, lane = static_cast<int>(threadIdx.x % 32);
  const uint32_t items = 2 * __ldg(&scene.counters->undecided);
  const uint32_t warps = gridDim.x * (kCarvingThreads / 32);
  uint32_t item = blockIdx.x * (kCarvingThreads / 32) + threadIdx.x / 32;
  const float slack = vote_slack(1, cameras);
  auto* bytes = reinterpret_cast<uint8_t*>(scene.occupied);
  for (; item < items; item += warps) {
    const uint32_t entry = item / 2;
    const uint32_t block = __ldg(scene.undecided + entry);
    const BlockIndex at = index_in(grid.blocks, static_cast<int>(block));
    const uint32_t x = at.x * kBlockSide + lane % kBlockSide,
                   y = at.y * kBlockSide + 4 * (item % 2) + lane / kBlockSide, z0 = at.z * kBlockSide;
    const float x_m = __ldg(scene.x_m + x), y_m = __ldg(scene.y_m + y);
    float z_m[kColumn];
#pragma unroll
    for (int k = 0; k < kColumn; ++k) z_m[k] = __ldg(scene.z_m + z0 + k);
    const uint16_t* ranges = scene.undecided_ranges + static_cast<size_t>(entry) * cameras;
    const BlockView* block_views = scene.block_views + static_cast<size_t>(block) * cameras;
    float rest = 0.0f;  // the most that the cameras to come can add
    for (int c = 0; c < cameras; ++c) rest += static_cast<float>(__ldg(ranges + c) >> 8);
    float sums[kColumn] = {};
    uint32_t seeing[kColumn / 4] = {};
    uint32_t whole = 0;
    bool alive = true;
    for (int c = 0; c < cameras && alive; ++c) {
      const IndicatorRange range = unpacked(__ldg(ranges + c));
      if (!is_range(range)) continue;
      rest -= static_cast<float>(range.high);
      const bool sees_all = block_views[c].sees_all();
      whole += sees_all;
      if (sees_all && range.constant() && scene.skip) {
#pragma unroll
        for (int k = 0; k < kColumn; ++k) sums[k] += static_cast<float>(range.high);
      } else {
        add_votes(views.view[c], sees_all, x_m, y_m, z_m, sums, seeing);
      }
      if (scene.confidence.data || !scene.skip) continue;
      float largest = sums[0];
#pragma unroll
      for (int k = 1; k < kColumn; ++k) largest = fmaxf(largest, sums[k]);
      alive = __any_sync(0xffffffffu, largest + rest + slack >= scene.lowest_limit);
    }
    if (!alive) continue;  // decide_groups wrote zeros
#pragma unroll
    for (int k = 0; k < kColumn; ++k) {
      const VoteRule rule = scene.rules[whole + (seeing[k / 4] >> (8 * (k % 4)) & 255u)];
      const bool exists = x < grid.nx && y < grid.ny && z0 + k < grid.nz;
      const uint32_t bits = __ballot_sync(0xffffffffu, exists && sums[k] >= rule.limit);
      const uint32_t row_y = at.y * kBlockSide + 4 * (item % 2) + lane;
      if (lane < 4 && row_y < grid.ny && z0 + k < grid.nz)
        bytes[size_t{4} * grid.row_at(row_y, z0 + k) * grid.words_per_row + at.x] =
            static_cast<uint8_t>(bits >> (8 * lane));
      if (scene.confidence.data && exists)
        scene.confidence.row(static_cast<int>(grid.row_at(y, z0 + k)))[x] = sums[k] / rule.full;
    }
  }
}

// Exclusive sums of counts[0 .. count) into starts, by one thread block.
__device__ inline void scan_counts(const uint32_t* counts, uint32_t count, uint32_t* starts) {
  using Scan = cub::BlockScan<uint32_t, kCarvingThreads>;
  __shared__ typename Scan::TempStorage storage;
  uint32_t before = 0;
  for (uint32_t first = 0; first < count; first += kCarvingThreads) {
    const uint32_t i = first + threadIdx.x;
    uint32_t sum = 0, total = 0;
    // Written by other thread blocks: past the read-only cache.
    Scan(storage).ExclusiveSum(i < count ? __ldcg(counts + i) : 0u, sum, total);
    if (i < count) starts[i] = before + sum;
    before += total;
    __syncthreads();
  }
}

// One thread a word. Sums of each thread block go to block_counts (shell) and the counters (shell, occupied);
// the thread block that comes last turns block_counts into block_starts, their exclusive sums.
__global__ void __launch_bounds__(kCarvingThreads)
    find_shell(const CarvingGrid grid, const uint32_t* __restrict__ occupied, uint32_t* __restrict__ shell,
               uint32_t* block_counts, uint32_t* block_starts, CarvingCounters* counters) {
  const uint32_t word = blockIdx.x * kCarvingThreads + threadIdx.x;
  uint32_t found = 0, filled = 0;
  if (word < grid.words) {
    const uint32_t row = grid.row_of(word), column = word - row * grid.words_per_row;
    const uint32_t y = row % grid.ny, z = row / grid.ny;
    const uint32_t here = __ldg(occupied + word);
    uint32_t shell_bits = 0;
    if (here != 0) {
      const auto neighbour = [&](bool inside, uint32_t at) { return inside ? __ldg(occupied + at) : 0u; };
      const uint32_t plane = grid.words_per_row * grid.ny;
      const uint32_t previous = neighbour(column > 0, word - 1);
      const uint32_t next = neighbour(column + 1 < grid.words_per_row, word + 1);
      const uint32_t inner = (here << 1 | previous >> 31) & (here >> 1 | next << 31) &
                             neighbour(y > 0, word - grid.words_per_row) &
                             neighbour(y + 1 < grid.ny, word + grid.words_per_row) &
                             neighbour(z > 0, word - plane) & neighbour(z + 1 < grid.nz, word + plane);
      shell_bits = here & ~inner;
    }
    shell[word] = shell_bits;
    found = static_cast<uint32_t>(__popc(shell_bits));
    filled = static_cast<uint32_t>(__popc(here));
  }
  // Both sums at once: a thread block holds at most 256 * 32 = 2^13 voxels.
  const uint32_t sums = block_sum<kCarvingThreads>(found << 16 | filled);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    block_counts[blockIdx.x] = sums >> 16;
    if (sums != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&counters->counts.shell),
                static_cast<unsigned long long>(sums >> 16));
      atomicAdd(reinterpret_cast<unsigned long long*>(&counters->counts.occupied),
                static_cast<unsigned long long>(sums & 0xffffu));
    }
    __threadfence();
    last = atomicAdd(&counters->finished, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) scan_counts(block_counts, gridDim.x, block_starts);
}

// One thread a word; blocks and their counts and starts are those of find_shell().
__global__ void __launch_bounds__(kCarvingThreads)
    write_ids(const CarvingGrid grid, const uint32_t* __restrict__ shell,
              const uint32_t* __restrict__ block_counts, const uint32_t* __restrict__ block_starts,
              uint32_t* __restrict__ ids) {
  using Scan = cub::BlockScan<uint32_t, kCarvingThreads>;
  __shared__ typename Scan::TempStorage storage;
  if (__ldg(block_counts + blockIdx.x) == 0) return;
  const uint32_t word = blockIdx.x * kCarvingThreads + threadIdx.x;
  uint32_t bits = word < grid.words ? __ldg(shell + word) : 0;
  uint32_t before = 0;
  Scan(storage).ExclusiveSum(static_cast<uint32_t>(__popc(bits)), before);
  if (bits == 0) return;
  uint32_t at = __ldg(block_starts + blockIdx.x) + before;
  const uint32_t row = grid.row_of(word);
  const uint32_t first_id = row * grid.nx + (word - row * grid.words_per_row) * 32;
  while (bits != 0) {
    ids[at++] = first_id + static_cast<uint32_t>(__ffs(static_cast<int>(bits)) - 1);
    bits &= bits - 1;
  }
}

}  // namespace vantage::gpu
