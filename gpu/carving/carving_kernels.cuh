// The kernels of the CUDA carver. Operations and their order are those of core/carving/sample.h, compiled
// without fused multiply-add, so that the bits are the CPU's.
#pragma once

#include <cub/block/block_scan.cuh>

#include "core/carving/carving.h"
#include "core/carving/rule.h"
#include "core/carving/sample.h"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

constexpr int kCarvingThreads = 256;
constexpr int kCamerasAtOnce = 32;  // in shared memory

struct CarvingView {
  PinholeCamera<float> camera;
  ImageView<const uint8_t> indicator;  // without data: every sample is 0
};

// Where things lie. Words hold 32 voxels; a row along x starts on a new word, and bits beyond nx are 0. A
// grid has fewer than 2^31 voxels, so words and IDs fit 32 bits.
struct GridWords {
  uint32_t nx, ny, nz;
  uint32_t words_per_row;
  uint32_t words;  // words_per_row * ny * nz

  __device__ uint32_t row_of(uint32_t word) const { return word / words_per_row; }
};

// vote_at() of sample.h, reading through the read-only path.
__device__ inline Vote sample_vote(const CarvingView& view, float x_m, float y_m, float z_m) {
  const ImageView<const uint8_t>& indicator = view.indicator;
  const Pixel<float> pixel = project(view.camera, x_m, y_m, z_m);
  if (!pixel.in_front || !support_inside(indicator.width, indicator.height, pixel.x, pixel.y)) return {};
  const int x = static_cast<int>(pixel.x), y = static_cast<int>(pixel.y);
  const uint8_t* top = indicator.row(y) + x;
  const uint8_t* bottom = indicator.row(y + 1) + x;
  return {bilinear(__ldg(top), __ldg(top + 1), __ldg(bottom), __ldg(bottom + 1),
                   pixel.x - static_cast<float>(x), pixel.y - static_cast<float>(y)),
          true};
}

// One warp a word. centers: nx + ny + nz voxel centres, as voxel_center_f32() gives them. confidence may lack
// data.
__global__ void __launch_bounds__(kCarvingThreads)
    carve_occupancy(const GridWords grid, const float* __restrict__ centers,
                    const CarvingView* __restrict__ views, int cameras, const VoteRule* __restrict__ rules,
                    const ImageView<float> confidence, uint32_t* __restrict__ occupied) {
  constexpr int kWordsPerView = sizeof(CarvingView) / sizeof(uint32_t);
  // Raw memory: the type has initialisers, shared memory cannot.
  __shared__ alignas(CarvingView) uint32_t shared_words[kCamerasAtOnce * kWordsPerView];
  const auto* shared_views = reinterpret_cast<const CarvingView*>(shared_words);
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t word = blockIdx.x * (kCarvingThreads / 32) + threadIdx.x / 32;  // the same in a warp
  const bool word_exists = word < grid.words;
  const uint32_t row = word_exists ? grid.row_of(word) : 0;
  const uint32_t x = word_exists ? (word - row * grid.words_per_row) * 32 + lane : 0;
  const bool voxel_exists = word_exists && x < grid.nx;
  float x_m = 0, y_m = 0, z_m = 0;
  if (voxel_exists) {
    x_m = __ldg(centers + x);
    y_m = __ldg(centers + grid.nx + row % grid.ny);
    z_m = __ldg(centers + grid.nx + grid.ny + row / grid.ny);
  }
  float sum = 0.0f;
  int seeing = 0;
  for (int first = 0; first < cameras; first += kCamerasAtOnce) {
    const int count = min(kCamerasAtOnce, cameras - first);
    __syncthreads();  // the views of the round before are done with
    for (int i = static_cast<int>(threadIdx.x); i < count * kWordsPerView; i += kCarvingThreads)
      shared_words[i] = __ldg(reinterpret_cast<const uint32_t*>(views + first) + i);
    __syncthreads();
    if (!voxel_exists) continue;
    for (int c = 0; c < count; ++c) {
      const CarvingView& view = shared_views[c];
      if (!view.indicator.data) continue;
      const Vote vote = sample_vote(view, x_m, y_m, z_m);
      sum += vote.level;
      seeing += vote.seen;
    }
  }
  const VoteRule rule = rules[seeing];
  if (voxel_exists && confidence.data) confidence.row(static_cast<int>(row))[x] = sum / rule.full;
  const uint32_t bits = __ballot_sync(0xffffffffu, voxel_exists && sum >= rule.limit);
  if (word_exists && lane == 0) occupied[word] = bits;
}

// One thread a word. Sums of each block go to block_counts (shell) and totals (shell, occupied; zero at the
// start).
__global__ void __launch_bounds__(kCarvingThreads)
    find_shell(const GridWords grid, const uint32_t* __restrict__ occupied, uint32_t* __restrict__ shell,
               uint32_t* __restrict__ block_counts, VolumeCounts* totals) {
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
  // Both sums at once: a block holds at most 256 * 32 = 2^13 voxels.
  const uint32_t sums = block_sum<kCarvingThreads>(found << 16 | filled);
  if (threadIdx.x != 0) return;
  block_counts[blockIdx.x] = sums >> 16;
  if (sums == 0) return;
  atomicAdd(reinterpret_cast<unsigned long long*>(&totals->shell),
            static_cast<unsigned long long>(sums >> 16));
  atomicAdd(reinterpret_cast<unsigned long long*>(&totals->occupied),
            static_cast<unsigned long long>(sums & 0xffffu));
}

// One thread a word. block_starts: exclusive sums of find_shell()'s block_counts, from the same block size.
__global__ void __launch_bounds__(kCarvingThreads)
    write_ids(const GridWords grid, const uint32_t* __restrict__ shell,
              const uint32_t* __restrict__ block_starts, uint32_t* __restrict__ ids) {
  using Scan = cub::BlockScan<uint32_t, kCarvingThreads>;
  __shared__ typename Scan::TempStorage storage;
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
