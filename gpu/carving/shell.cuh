// The shell of an occupancy and its IDs.
#pragma once

#include <cub/block/block_scan.cuh>

#include "gpu/carving/scene.cuh"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

// Words side by side, of one row, that a thread looks at: adding up over thread blocks takes longer than
// looking at words, so there are few of them.
constexpr int kShellWords = 4;

// Threads that a shell takes.
inline uint32_t shell_threads(const CarvingGrid& grid) {
  return (grid.words_per_row + kShellWords - 1) / kShellWords * grid.ny * grid.nz;
}

// The position of a thread's words.
struct ShellPlace {
  uint32_t column, row;
  int count;  // of words; 0: the thread has none
  __device__ explicit ShellPlace(const CarvingGrid& grid) {
    const uint32_t thread = blockIdx.x * kCarvingThreads + threadIdx.x,
                   across = (grid.words_per_row + kShellWords - 1) / kShellWords;
    row = thread / across;
    column = (thread - row * across) * kShellWords;
    count = row < grid.ny * grid.nz
                ? static_cast<int>(min(grid.words_per_row - column, uint32_t{kShellWords}))
                : 0;
  }
};

struct ShellWords {
  uint32_t of[kShellWords];
};
// Zeros behind `count` words. `stride`: of the rows that they lie in; all at once where that leaves them
// aligned.
__device__ inline ShellWords load_words(const uint32_t* from, int count, uint32_t stride) {
  if (count == kShellWords && stride % kShellWords == 0) {
    const uint4 four = *reinterpret_cast<const uint4*>(from);
    return {{four.x, four.y, four.z, four.w}};
  }
  ShellWords words;
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) words.of[i] = i < count ? from[i] : 0;
  return words;
}
__device__ inline void store_words(uint32_t* to, const ShellWords& words, int count, uint32_t stride) {
  if (count == kShellWords && stride % kShellWords == 0) {
    *reinterpret_cast<uint4*>(to) = make_uint4(words.of[0], words.of[1], words.of[2], words.of[3]);
    return;
  }
#pragma unroll
  for (int i = 0; i < kShellWords; ++i)
    if (i < count) to[i] = words.of[i];
}

// The shell's bits of words of the occupancy, which lie at `at` there.
__device__ inline ShellWords shell_of(const CarvingGrid& grid, const uint32_t* at, const ShellWords& here,
                                      const ShellPlace& place) {
  const auto neighbours = [&](bool inside, const uint32_t* there) {
    return inside ? load_words(there, place.count, grid.occupied_stride) : ShellWords{};
  };
  const uint32_t y = place.row % grid.ny, z = place.row / grid.ny;
  const size_t plane = size_t{grid.occupied_stride} * grid.ny;
  const ShellWords front = neighbours(y > 0, at - grid.occupied_stride),
                   back = neighbours(y + 1 < grid.ny, at + grid.occupied_stride),
                   below = neighbours(z > 0, at - plane), above = neighbours(z + 1 < grid.nz, at + plane);
  const uint32_t before = place.column > 0 ? at[-1] : 0u,
                 behind = place.column + kShellWords < grid.words_per_row ? at[kShellWords] : 0u;
  ShellWords shell;
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) {
    const uint32_t previous = i == 0 ? before : here.of[i - 1],
                   next = i + 1 < kShellWords ? here.of[i + 1] : behind;
    const uint32_t inner = (here.of[i] << 1 | previous >> 31) & (here.of[i] >> 1 | next << 31) & front.of[i] &
                           back.of[i] & below.of[i] & above.of[i];
    shell.of[i] = here.of[i] & ~inner;
  }
  return shell;
}

// Each thread block's count of shell voxels goes to block_counts, the sums of all to `totals`, in pinned host
// memory.
__global__ void __launch_bounds__(kCarvingThreads)
    find_shell(const CarvingGrid grid, const uint32_t* occupied, uint32_t* shell, uint32_t* block_counts,
               CarvingCounters* counters, CarvingTotals* totals) {
  grid_dependency_sync();
  const ShellPlace place(grid);
  uint32_t found = 0, filled = 0;
  if (place.count > 0) {
    const uint32_t* at = occupied + size_t{place.row} * grid.occupied_stride + place.column;
    const ShellWords here = load_words(at, place.count, grid.occupied_stride);
    ShellWords bits{};
    if ((here.of[0] | here.of[1] | here.of[2] | here.of[3]) != 0) {
      bits = shell_of(grid, at, here, place);
#pragma unroll
      for (int i = 0; i < kShellWords; ++i) {
        found += static_cast<uint32_t>(__popc(bits.of[i]));
        filled += static_cast<uint32_t>(__popc(here.of[i]));
      }
    }
    store_words(shell + place.row * grid.words_per_row + place.column, bits, place.count, grid.words_per_row);
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
  const ShellPlace place(grid);
  const ShellWords bits =
      load_words(shell + place.row * grid.words_per_row + place.column, place.count, grid.words_per_row);
  uint32_t count = 0, before = 0;
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) count += static_cast<uint32_t>(__popc(bits.of[i]));
  Scan(storage).ExclusiveSum(count, before);
  uint32_t at = start + before;
#pragma unroll
  for (int i = 0; i < kShellWords; ++i) {
    const uint32_t first_id = place.row * grid.nx + (place.column + i) * 32;
    for (uint32_t rest = bits.of[i]; rest != 0; rest &= rest - 1)
      ids[at++] = first_id + static_cast<uint32_t>(__ffs(static_cast<int>(rest)) - 1);
  }
}

}  // namespace vantage::gpu
