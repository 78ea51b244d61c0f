// The shell of an occupancy and its IDs.
#pragma once

#include <cub/block/block_scan.cuh>

#include "gpu/carving/scene.cuh"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

// Words side by side that a thread looks at: adding up over thread blocks takes longer than looking at words,
// so there are few of them.
constexpr int kShellWords = 4;
constexpr int kShellWordsPerBlock = kShellWords * kCarvingThreads;

// The shell's bits of a word of the occupancy. `at` is its place there, (column, row) that in the grid.
__device__ inline uint32_t shell_of(const CarvingGrid& grid, const uint32_t* at, uint32_t here,
                                    uint32_t column, uint32_t row) {
  if (here == 0) return 0;
  const auto neighbour = [](bool inside, const uint32_t* there) { return inside ? *there : 0u; };
  const uint32_t y = row % grid.ny, z = row / grid.ny;
  const size_t plane = size_t{grid.occupied_stride} * grid.ny;
  const uint32_t previous = neighbour(column > 0, at - 1);
  const uint32_t next = neighbour(column + 1 < grid.words_per_row, at + 1);
  const uint32_t inner = (here << 1 | previous >> 31) & (here >> 1 | next << 31) &
                         neighbour(y > 0, at - grid.occupied_stride) &
                         neighbour(y + 1 < grid.ny, at + grid.occupied_stride) &
                         neighbour(z > 0, at - plane) & neighbour(z + 1 < grid.nz, at + plane);
  return here & ~inner;
}

// Each thread block's count of shell voxels goes to block_counts, the sums of all to `totals`, in pinned host
// memory.
__global__ void __launch_bounds__(kCarvingThreads)
    find_shell(const CarvingGrid grid, const uint32_t* occupied, uint32_t* shell, uint32_t* block_counts,
               CarvingCounters* counters, CarvingTotals* totals) {
  wait_for_previous();
  const uint32_t first = kShellWords * (blockIdx.x * kCarvingThreads + threadIdx.x);
  uint32_t found = 0, filled = 0;
  const uint32_t* at[kShellWords];
  uint32_t here[kShellWords], column[kShellWords], row[kShellWords];
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) {
    // A division takes as long as the rest.
    row[i] = i == 0 ? grid.row_of(first) : row[i - 1] + (column[i - 1] + 1 == grid.words_per_row);
    column[i] = i == 0 ? first - row[0] * grid.words_per_row : row[i] == row[i - 1] ? column[i - 1] + 1 : 0;
    at[i] = occupied + size_t{row[i]} * grid.occupied_stride + column[i];
    here[i] = first + i < grid.words ? *at[i] : 0;
  }
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) {
    if (first + i >= grid.words) break;
    const uint32_t bits = shell_of(grid, at[i], here[i], column[i], row[i]);
    shell[first + i] = bits;
    found += static_cast<uint32_t>(__popc(bits));
    filled += static_cast<uint32_t>(__popc(here[i]));
  }
  // Both sums at once: a thread block holds at most 1024 * 32 = 2^15 voxels.
  const uint32_t sums = block_sum<kCarvingThreads>(found << 16 | filled);
  if (threadIdx.x != 0) return;
  block_counts[blockIdx.x] = sums >> 16;
  add_to_total(&counters->occupied, sums & 0xffffu, &totals->occupied);
  add_to_total(&counters->shell, sums >> 16, &totals->shell);
}

// Thread blocks, their words and their counts are those of find_shell(). Each thread block adds up the counts
// of all before it: a few reads a thread, where a launch more would cost as much as this one.
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
  const uint32_t first = kShellWords * (blockIdx.x * kCarvingThreads + threadIdx.x);
  uint32_t bits[kShellWords], count = 0, before = 0;
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) {
    bits[i] = first + i < grid.words ? __ldg(shell + first + i) : 0;
    count += static_cast<uint32_t>(__popc(bits[i]));
  }
  Scan(storage).ExclusiveSum(count, before);
  uint32_t at = start + before;
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) {
    const uint32_t word = first + i, row = grid.row_of(word);
    const uint32_t first_id = row * grid.nx + (word - row * grid.words_per_row) * 32;
    for (uint32_t rest = bits[i]; rest != 0; rest &= rest - 1)
      ids[at++] = first_id + static_cast<uint32_t>(__ffs(static_cast<int>(rest)) - 1);
  }
}

}  // namespace vantage::gpu
