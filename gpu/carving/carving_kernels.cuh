// The kernels of the CUDA carver. The hierarchy is that of core/carving/block_votes.h and block_table.h:
//
//   find_ranges    smallest and largest indicator of the pictures' tiles
//   decide_blocks  which blocks are empty, full, or have to be looked at voxel by voxel
//   carve_blocks   the voxels of those
//   find_shell, write_ids
//
// What takes time here is waiting for memory, one read after the other, not moving bytes: so every thread has
// all its reads under way at once, and there is no level of groups above the blocks, as the CPU has it, whose
// answer blocks would have to wait for. Occupancy is held in words of 32 voxels along x: four blocks.
#pragma once

#include <cub/block/block_scan.cuh>

#include "core/carving/block_table.h"
#include "core/carving/carving.h"
#include "core/carving/range_pyramid.h"
#include "gpu/carving/vote.cuh"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

constexpr int kCarvingThreads = 256;
constexpr int kBlocksPerWord = 4;
constexpr int kBlockParts = 2 * kBlockSide / kColumn;  // 8 x 4 columns each
static_assert(kBlockSide == 8 && kBlockSide % kColumn == 0);

// Where things lie. A row along x starts on a new word, and bits beyond nx are 0. A grid has fewer than 2^31
// voxels, so words and IDs fit 32 bits.
struct CarvingGrid {
  uint32_t nx, ny, nz;
  uint32_t words_per_row;
  uint32_t words;  // words_per_row * ny * nz
  BlockGrid blocks;

  __device__ uint32_t row_of(uint32_t word) const { return word / words_per_row; }
  __device__ uint32_t row_at(uint32_t y, uint32_t z) const { return y + ny * z; }
};

struct BlockIndex {
  int x, y, z;
};
__device__ inline BlockIndex index_in(const BlockGrid& grid, int index) {
  return {index % grid.nx, index / grid.nx % grid.ny, index / (grid.nx * grid.ny)};
}

// A camera's pyramid of ranges, as PyramidLayout lays it out. Its top level is the one of kTopTile pixels:
// one thread block makes it.
constexpr int kPyramidLevels = 6;
struct TileLevels {
  uint16_t* tiles = nullptr;
  int levels = 0;
  struct Level {
    int offset = 0;
    uint16_t width = 0, height = 0;  // in tiles
  } level[kPyramidLevels];
};
// A kernel's parameter.
struct TilePyramids {
  TileLevels of_camera[kMostCarvingCameras];
};
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

// The ranges of four tiles side by side. Rows begin at multiples of 16 bytes.
__device__ inline void tile_ranges(const ImageView<const uint8_t>& image, int x, int y,
                                   uint16_t (&ranges)[4]) {
  if (x + 16 > image.width || y + 4 > image.height) {
    for (int i = 0; i < 4; ++i) ranges[i] = tile_range(image, x + 4 * i, y);
    return;
  }
  uint4 rows[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) rows[r] = __ldg(reinterpret_cast<const uint4*>(image.row(y + r) + x));
  const auto of_words = [](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t low = __vminu4(__vminu4(a, b), __vminu4(c, d)),
                   high = __vmaxu4(__vmaxu4(a, b), __vmaxu4(c, d));
    const uint32_t low2 = __vminu4(low, low >> 16), high2 = __vmaxu4(high, high >> 16);
    return static_cast<uint16_t>(min(low2 & 255u, low2 >> 8 & 255u) | max(high2 & 255u, high2 >> 8 & 255u)
                                                                          << 8);
  };
  ranges[0] = of_words(rows[0].x, rows[1].x, rows[2].x, rows[3].x);
  ranges[1] = of_words(rows[0].y, rows[1].y, rows[2].y, rows[3].y);
  ranges[2] = of_words(rows[0].z, rows[1].z, rows[2].z, rows[3].z);
  ranges[3] = of_words(rows[0].w, rows[1].w, rows[2].w, rows[3].w);
}

// What is added up over a frame.
struct CarvingCounters {
  unsigned long long voxels;  // in the shell << 32 | occupied: a grid has fewer than 2^31
  uint32_t undecided;         // blocks
};

// One thread block makes kTopTiles x kTopTiles tiles of one camera (z) and what lies above them. The first
// one also sets the counters to 0.
__global__ void __launch_bounds__(kCarvingThreads)
    find_ranges(const __grid_constant__ CarvingViews views, const __grid_constant__ TilePyramids pyramids,
                CarvingCounters* counters) {
  static_assert(4 * kCarvingThreads == kTopTiles * kTopTiles);
  __shared__ uint16_t tiles[2][kTopTiles][kTopTiles];
  if (blockIdx.x + blockIdx.y + blockIdx.z == 0 && threadIdx.x == 0) *counters = {};
  const ImageView<const uint8_t> image = views.view[blockIdx.z].indicator;
  const TileLevels& pyramid = pyramids.of_camera[blockIdx.z];
  const int tile_x0 = static_cast<int>(blockIdx.x) * kTopTiles,
            tile_y0 = static_cast<int>(blockIdx.y) * kTopTiles, thread = static_cast<int>(threadIdx.x);
  if (!image.data || tile_x0 >= pyramid.level[0].width || tile_y0 >= pyramid.level[0].height) return;
  const auto put = [&](int level, int x, int y, uint16_t range) {
    tiles[level % 2][y][x] = range;
    const TileLevels::Level place = pyramid.level[level];
    const int to_x = (tile_x0 >> level) + x, to_y = (tile_y0 >> level) + y;
    if (to_x < place.width && to_y < place.height)
      pyramid.tiles[place.offset + to_y * place.width + to_x] = range;
  };
  const int x = thread % (kTopTiles / 4) * 4, y = thread / (kTopTiles / 4);
  uint16_t mine[4];
  tile_ranges(image, (tile_x0 + x) << PyramidLayout::kFirstShift, (tile_y0 + y) << PyramidLayout::kFirstShift,
              mine);
#pragma unroll
  for (int i = 0; i < 4; ++i) put(0, x + i, y, mine[i]);
  for (int level = 1; level < pyramid.levels; ++level) {
    __syncthreads();
    const int side = kTopTiles >> level, at_x = thread % side, at_y = thread / side;
    const auto& below = tiles[(level - 1) % 2];
    if (at_y < side)
      put(level, at_x, at_y,
          joined(joined(below[2 * at_y][2 * at_x], below[2 * at_y][2 * at_x + 1]),
                 joined(below[2 * at_y + 1][2 * at_x], below[2 * at_y + 1][2 * at_x + 1])));
  }
}

// What decide_blocks and carve_blocks share.
struct CarvingScene {
  CarvingGrid grid;
  int cameras;
  bool skip;           // whether decided blocks are left out
  float lowest_limit;  // of all rules
  uint64_t present;    // bit c: camera c has an indicator in this frame
  VoteRule rules[kMostCarvingCameras + 1];
  const BlockView* block_views;  // [block * cameras + camera]
  const float *x_m, *y_m, *z_m;  // voxel centres, padded to whole blocks
  ImageView<float> confidence;   // without data: not kept
  uint32_t* occupied;
  uint32_t* undecided;     // blocks in no order
  uint16_t* block_ranges;  // [block * cameras + camera]
  CarvingCounters* counters;
};

__device__ inline BlockView load_view(const BlockView* from) {
  static_assert(sizeof(BlockView) == sizeof(uint2));
  const uint2 words = __ldg(reinterpret_cast<const uint2*>(from));
  return {static_cast<uint16_t>(words.x), static_cast<uint16_t>(words.x >> 16),
          static_cast<uint16_t>(words.y), static_cast<uint16_t>(words.y >> 16)};
}

// As range_in() of range_pyramid.h. The tiles are read three by three, the last one several times rather than
// one after the other.
__device__ inline uint16_t range_of(const TileLevels& pyramid, const BlockView& box) {
  const int right = box.right(), bottom = box.y1;
  const int size = max(right - box.x0, bottom - box.y0) + 1;
  int at = 0;
  while (at + 1 < pyramid.levels && size > (8 << (at + PyramidLayout::kFirstShift))) ++at;
  const int shift = at + PyramidLayout::kFirstShift;
  const TileLevels::Level level = pyramid.level[at];
  const int x1 = right >> shift, y1 = bottom >> shift;
  uint16_t range = kNoRange;
  for (int y0 = box.y0 >> shift; y0 <= y1; y0 += 3)
    for (int x0 = box.x0 >> shift; x0 <= x1; x0 += 3) {
      uint16_t tile[9];
#pragma unroll
      for (int i = 0; i < 9; ++i)
        tile[i] =
            __ldg(pyramid.tiles + level.offset + min(y0 + i / 3, y1) * level.width + min(x0 + i % 3, x1));
#pragma unroll
      for (int i = 0; i < 9; ++i) range = joined(range, tile[i]);
    }
  return range;
}

struct BlockAnswer {
  BlockState state;  // undecided also where the confidence has to be computed
  float confidence;
};

constexpr int kDecideThreads = 128;
constexpr int kLanesPerBlock = 4;  // threads that share the cameras of a block
constexpr int kLanesPerWord = kLanesPerBlock * kBlocksPerWord;

// Added up over the lanes of a block; all of them get the result.
__device__ inline int sum_of_lanes(int value) {
#pragma unroll
  for (int distance = 1; distance < kLanesPerBlock; distance *= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

// The votes of the lane's cameras; keeps the ranges as well.
__device__ inline BlockVotes votes_of_lane(const CarvingScene& scene, const TilePyramids& pyramids,
                                           uint32_t block, int lane) {
  const size_t first = static_cast<size_t>(block) * static_cast<size_t>(scene.cameras);
  BlockVotes votes;
  for (int c = lane; c < scene.cameras; c += kLanesPerBlock) {
    const BlockView view = load_view(scene.block_views + first + c);
    uint16_t range = kNoRange;
    if ((scene.present >> c & 1) != 0 && view.sees_any()) range = range_of(pyramids.of_camera[c], view);
    scene.block_ranges[first + c] = range;
    if (is_range(unpacked(range))) votes.add(unpacked(range), view.sees_all());
  }
  return votes;
}

// To be called by whole warps.
__device__ inline BlockAnswer decide(const CarvingScene& scene, const TilePyramids& pyramids, bool exists,
                                     uint32_t block, int lane) {
  BlockVotes votes;
  if (exists) votes = votes_of_lane(scene, pyramids, block, lane);
  for (int* sum : {&votes.whole, &votes.partial, &votes.low, &votes.high, &votes.partial_low,
                   &votes.partial_high, &votes.varied})
    *sum = sum_of_lanes(*sum);
  if (!exists) return {BlockState::empty, 0.0f};
  BlockState state = block_state(votes, scene.rules, scene.cameras);
  if (!scene.skip || (scene.confidence.data && !votes.constant())) state = BlockState::undecided;
  return {state, static_cast<float>(votes.low) / scene.rules[votes.whole].full};
}

// A lane's share of a decided block.
__device__ inline void write_confidence(const CarvingScene& scene, const BlockIndex& at, int lane,
                                        float confidence) {
  const CarvingGrid& grid = scene.grid;
  const uint32_t x0 = at.x * kBlockSide;
  for (int i = lane; i < kBlockSide * kBlockSide; i += kLanesPerBlock) {
    const uint32_t y = at.y * kBlockSide + i % kBlockSide, z = at.z * kBlockSide + i / kBlockSide;
    if (y >= grid.ny || z >= grid.nz) continue;
    float* row = scene.confidence.row(static_cast<int>(grid.row_at(y, z)));
    for (uint32_t x = x0; x < min(x0 + kBlockSide, grid.nx); ++x) row[x] = confidence;
  }
}

// Enters blocks into the list, at most one a warp's lane; to be called by whole warps.
__device__ inline void list_undecided(const CarvingScene& scene, bool undecided, uint32_t block) {
  const uint32_t lanes = __ballot_sync(0xffffffffu, undecided);
  if (lanes == 0) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  uint32_t first = 0;
  if (lane == 0) first = atomicAdd(&scene.counters->undecided, static_cast<uint32_t>(__popc(lanes)));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (undecided) scene.undecided[first + __popc(lanes & ((1u << lane) - 1))] = block;
}

// kLanesPerBlock threads a block, the blocks of a word side by side. Writes all words: 0 where undecided.
__global__ void __launch_bounds__(kDecideThreads)
    decide_blocks(const __grid_constant__ CarvingScene scene, const __grid_constant__ TilePyramids pyramids) {
  const CarvingGrid& grid = scene.grid;
  const uint32_t thread = blockIdx.x * kDecideThreads + threadIdx.x, lane_of_word = thread % kLanesPerWord;
  const int lane = static_cast<int>(thread % kLanesPerBlock),
            part = static_cast<int>(lane_of_word) / kLanesPerBlock;
  const uint32_t column = thread / kLanesPerWord % grid.words_per_row,
                 row = thread / kLanesPerWord / grid.words_per_row;
  const BlockIndex at{static_cast<int>(column) * kBlocksPerWord + part,
                      static_cast<int>(row % grid.blocks.ny), static_cast<int>(row / grid.blocks.ny)};
  const bool in_rows = at.z < grid.blocks.nz, exists = in_rows && at.x < grid.blocks.nx;
  const uint32_t block = grid.blocks.index(at.x, at.y, at.z);
  const BlockAnswer answer = decide(scene, pyramids, exists, block, lane);
  const bool undecided = answer.state == BlockState::undecided;
  list_undecided(scene, undecided && lane == 0, block);
  uint32_t word = answer.state == BlockState::full ? 0xffu << (8 * part) : 0u;
#pragma unroll
  for (int distance = kLanesPerBlock; distance < kLanesPerWord; distance *= 2)
    word |= __shfl_xor_sync(0xffffffffu, word, distance);
  if (!in_rows) return;
  if (grid.nx - column * 32 < 32) word &= (1u << (grid.nx - column * 32)) - 1;
#pragma unroll
  for (int i = 0; i < kBlockSide * kBlockSide / kLanesPerWord; ++i) {
    const uint32_t of_block = lane_of_word + i * kLanesPerWord;
    const uint32_t y = at.y * kBlockSide + of_block % kBlockSide,
                   z = at.z * kBlockSide + of_block / kBlockSide;
    if (y < grid.ny && z < grid.nz) scene.occupied[grid.row_at(y, z) * grid.words_per_row + column] = word;
  }
  if (scene.confidence.data && exists && !undecided) write_confidence(scene, at, lane, answer.confidence);
}

// One warp a part of a block: 8 x 4 columns of kColumn voxels; warps take one after the other.
__global__ void __launch_bounds__(kCarvingThreads)
    carve_blocks(const __grid_constant__ CarvingScene scene, const __grid_constant__ CarvingViews views) {
  const CarvingGrid& grid = scene.grid;
  const int cameras = scene.cameras, lane = static_cast<int>(threadIdx.x % 32);
  const uint32_t items = kBlockParts * __ldg(&scene.counters->undecided);
  const uint32_t warps = gridDim.x * (kCarvingThreads / 32);
  uint32_t item = blockIdx.x * (kCarvingThreads / 32) + threadIdx.x / 32;
  const float slack = vote_slack(1, cameras);
  auto* bytes = reinterpret_cast<uint8_t*>(scene.occupied);
  for (; item < items; item += warps) {
    const uint32_t block = __ldg(scene.undecided + item / kBlockParts), part = item % kBlockParts;
    const BlockIndex at = index_in(grid.blocks, static_cast<int>(block));
    const uint32_t y0 = at.y * kBlockSide + 4 * (part % 2), z0 = at.z * kBlockSide + kColumn * (part / 2);
    const uint32_t x = at.x * kBlockSide + lane % kBlockSide, y = y0 + lane / kBlockSide;
    const float x_m = __ldg(scene.x_m + x), y_m = __ldg(scene.y_m + y);
    float z_m[kColumn];
#pragma unroll
    for (int k = 0; k < kColumn; ++k) z_m[k] = __ldg(scene.z_m + z0 + k);
    const uint16_t* ranges = scene.block_ranges + static_cast<size_t>(block) * cameras;
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
    if (!alive) continue;  // decide_blocks wrote zeros
#pragma unroll
    for (int k = 0; k < kColumn; ++k) {
      const VoteRule rule = scene.rules[whole + (seeing[k / 4] >> (8 * (k % 4)) & 255u)];
      const bool exists = x < grid.nx && y < grid.ny && z0 + k < grid.nz;
      const uint32_t bits = __ballot_sync(0xffffffffu, exists && sums[k] >= rule.limit);
      const uint32_t row_y = y0 + lane;
      if (lane < 4 && row_y < grid.ny && z0 + k < grid.nz)
        bytes[size_t{4} * grid.row_at(row_y, z0 + k) * grid.words_per_row + at.x] =
            static_cast<uint8_t>(bits >> (8 * lane));
      if (scene.confidence.data && exists)
        scene.confidence.row(static_cast<int>(grid.row_at(y, z0 + k)))[x] = sums[k] / rule.full;
    }
  }
}

// One thread a word. Sums of each thread block go to block_counts (shell) and the counters.
__global__ void __launch_bounds__(kCarvingThreads)
    find_shell(const CarvingGrid grid, const uint32_t* __restrict__ occupied, uint32_t* __restrict__ shell,
               uint32_t* __restrict__ block_counts, CarvingCounters* counters) {
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
  if (threadIdx.x != 0) return;
  block_counts[blockIdx.x] = sums >> 16;
  if (sums != 0)
    atomicAdd(&counters->voxels, static_cast<unsigned long long>(sums >> 16) << 32 | (sums & 0xffffu));
}

// One thread a word; thread blocks and their counts are those of find_shell(). Each thread block adds up the
// counts of all before it: a few reads a thread, where a launch more would cost as much as this one.
__global__ void __launch_bounds__(kCarvingThreads)
    write_ids(const CarvingGrid grid, const uint32_t* __restrict__ shell,
              const uint32_t* __restrict__ block_counts, uint32_t* __restrict__ ids) {
  using Scan = cub::BlockScan<uint32_t, kCarvingThreads>;
  __shared__ typename Scan::TempStorage storage;
  if (__ldg(block_counts + blockIdx.x) == 0) return;
  uint32_t of_others = 0;
  for (uint32_t i = threadIdx.x; i < blockIdx.x; i += kCarvingThreads) of_others += __ldg(block_counts + i);
  __shared__ uint32_t start;
  if (const uint32_t sum = block_sum<kCarvingThreads>(of_others); threadIdx.x == 0) start = sum;
  __syncthreads();
  const uint32_t word = blockIdx.x * kCarvingThreads + threadIdx.x;
  uint32_t bits = word < grid.words ? __ldg(shell + word) : 0;
  uint32_t before = 0;
  Scan(storage).ExclusiveSum(static_cast<uint32_t>(__popc(bits)), before);
  if (bits == 0) return;
  uint32_t at = start + before;
  const uint32_t row = grid.row_of(word);
  const uint32_t first_id = row * grid.nx + (word - row * grid.words_per_row) * 32;
  while (bits != 0) {
    ids[at++] = first_id + static_cast<uint32_t>(__ffs(static_cast<int>(bits)) - 1);
    bits &= bits - 1;
  }
}

}  // namespace vantage::gpu
