// The voxels of the undecided blocks, one by one.
#pragma once

#include "gpu/carving/ranges.cuh"

namespace vantage::gpu {

// A warp's view of each camera's part in a block: loaded by all lanes at once, handed round by shuffles.
template <int Cameras>
class BlockCameras {
 public:
  __device__ BlockCameras(const CarvingScene& scene, uint32_t block, int lane) {
    const size_t first = static_cast<size_t>(block) * static_cast<size_t>(scene.cameras);
    int high = 0;
#pragma unroll
    for (int half = 0; half < kWords; ++half) {
      const int c = lane + 32 * half;
      word_[half] = kNoRange;
      if (c >= scene.cameras) continue;
      const uint16_t range = scene.block_ranges[first + c];
      const BlockView view = load_view(scene.block_views + first + c);
      word_[half] = range | static_cast<uint32_t>(view.sees_all()) << 16 |
                    static_cast<uint32_t>(view.is_smooth()) << 17;
      high += range >> 8;
    }
#pragma unroll
    for (int distance = kLanes / 2; distance > 0; distance /= 2)
      high += __shfl_xor_sync(0xffffffffu, high, distance);
    max_ = vote_of(__shfl_sync(0xffffffffu, high, 0));
  }
  // The most that all cameras together can add to a voxel.
  __device__ int32_t most() const { return max_; }
  __device__ uint32_t of(int camera) const {
    return __shfl_sync(0xffffffffu, kWords > 1 && camera >= 32 ? word_[kWords - 1] : word_[0], camera % 32);
  }
  __device__ static IndicatorRange range(uint32_t word) { return unpacked(static_cast<uint16_t>(word)); }
  __device__ static bool sees_all(uint32_t word) { return (word >> 16 & 1) != 0; }
  __device__ static bool is_smooth(uint32_t word) { return (word >> 17) != 0; }

 private:
  static_assert(Cameras <= 64);
  static constexpr int kWords = Cameras > 32 ? 2 : 1;
  static constexpr int kLanes = Cameras < 32 ? Cameras : 32;  // that hold a camera
  uint32_t word_[kWords];
  int32_t max_;
};

constexpr int kBlockParts = 2;  // 8 x 4 columns each: a warp's lanes
constexpr int kPartSide = kBlockSide / kBlockParts;

// A lane's votes of its column.
struct ColumnVotes {
  int32_t sums[kColumn] = {};
  uint32_t seeing[kColumn / 4] = {};  // byte k % 4 of entry k / 4: how many of the cameras that see a part
  uint32_t whole = 0;                 // cameras that see all of the block
};

// A lane's column: (x, y) of its voxels in the grid, and how far it lies from the block's middle.
struct LaneColumn {
  uint32_t x, y, z0;
  float from_middle_x, from_middle_y;
};

// Votes of all cameras for a lane's column; false when the warp gave up because none of its voxels can reach
// a limit any more.
template <int Cameras, bool kAnyLens>
__device__ inline bool add_all_votes(const CarvingScene& scene, const CarvingViews<Cameras>& views,
                                     const BlockCameras<Cameras>& block_cameras, uint32_t block,
                                     const LaneColumn& lane_column, ColumnVotes& votes) {
  int32_t rest = block_cameras.most();  // the most that the cameras to come can add
  const bool may_give_up = scene.skip && !scene.confidence.data;
  for (int c = 0; c < scene.cameras; ++c) {
    const uint32_t of_camera = block_cameras.of(c);
    const IndicatorRange range = BlockCameras<Cameras>::range(of_camera);
    if (!is_range(range)) continue;
    const bool sees_all = BlockCameras<Cameras>::sees_all(of_camera);
    votes.whole += sees_all;
    if (sees_all && range.constant() && scene.skip) {
#pragma unroll
      for (int k = 0; k < kColumn; ++k) votes.sums[k] += vote_of(range.high);
    } else if (BlockCameras<Cameras>::is_smooth(of_camera)) {
      const float4* terms =
          scene.positions + (block * static_cast<uint32_t>(scene.cameras) + c) * size_t{kPositionWords};
      const PixelColumn column = load_column(terms, lane_column.from_middle_x, lane_column.from_middle_y);
      add_smooth_votes(views.view[c], sees_all, column, votes.sums, votes.seeing);
    } else {
      const VoxelColumn column{__ldg(scene.x_m + lane_column.x), __ldg(scene.y_m + lane_column.y),
                               scene.z_m + lane_column.z0};
      add_votes<kAnyLens>(views.view[c], sees_all, column, votes.sums, votes.seeing);
    }
    if (!may_give_up) continue;
    rest -= vote_of(range.high);
    int32_t largest = votes.sums[0];
#pragma unroll
    for (int k = 1; k < kColumn; ++k) largest = max(largest, votes.sums[k]);
    if (!__any_sync(0xffffffffu, largest + rest >= scene.lowest_limit)) return false;
  }
  return true;
}

__device__ inline const VoteRule& rule_of(const CarvingScene& scene, const ColumnVotes& votes, int k) {
  return scene.rules[votes.whole + (votes.seeing[k / 4] >> (8 * (k % 4)) & 255u)];
}

// Decides by the rules. Each lane writes 8 voxels along x, of the row that it counts to: y + 4 z.
__device__ inline void write_part(const CarvingScene& scene, const ColumnVotes& votes, const BlockIndex& at,
                                  uint32_t first_y, int lane) {
  const CarvingGrid& grid = scene.grid;
  uint32_t mine = 0;
  if (__any_sync(0xffffffffu, (votes.seeing[0] | votes.seeing[1]) != 0)) {
#pragma unroll
    for (int k = 0; k < kColumn; ++k) {
      const uint32_t layer = __ballot_sync(0xffffffffu, votes.sums[k] >= rule_of(scene, votes, k).limit);
      if (lane / kPartSide == k) mine = layer;
    }
  } else {
    const int32_t limit = scene.rules[votes.whole].limit;
#pragma unroll
    for (int k = 0; k < kColumn; ++k) {
      const uint32_t layer = __ballot_sync(0xffffffffu, votes.sums[k] >= limit);
      if (lane / kPartSide == k) mine = layer;
    }
  }
  const uint32_t y = first_y + lane % kPartSide, z = at.z * kBlockSide + lane / kPartSide;
  if (y >= grid.ny || z >= grid.nz) return;
  const uint32_t voxels = min(grid.nx - at.x * kBlockSide, uint32_t{kBlockSide});
  auto* bytes = reinterpret_cast<uint8_t*>(scene.occupied + size_t{grid.row_at(y, z)} * grid.occupied_stride);
  bytes[at.x] = static_cast<uint8_t>((mine >> (kBlockSide * (lane % kPartSide))) & ((1u << voxels) - 1));
}

__device__ inline void write_confidence(const CarvingScene& scene, const ColumnVotes& votes,
                                        const LaneColumn& column) {
  const CarvingGrid& grid = scene.grid;
  if (column.x >= grid.nx || column.y >= grid.ny) return;
#pragma unroll
  for (int k = 0; k < kColumn; ++k)
    if (column.z0 + k < grid.nz)
      scene.confidence.row(static_cast<int>(grid.row_at(column.y, column.z0 + k)))[column.x] =
          static_cast<float>(votes.sums[k]) / rule_of(scene, votes, k).full;
}

// One warp a part of a block; warps take one after the other. Four thread blocks fit a multiprocessor: the
// fewer registers cost less than the more warps bring.
template <int Cameras, bool kAnyLens>
__global__ void __launch_bounds__(kCarvingThreads, 4)
    carve_blocks(const __grid_constant__ CarvingScene scene,
                 const __grid_constant__ CarvingViews<Cameras> views) {
  const int lane = static_cast<int>(threadIdx.x % 32), in_block_x = lane % kBlockSide,
            in_part_y = lane / kBlockSide;
  const uint32_t warps = gridDim.x * (kCarvingThreads / 32);
  trigger_dependent_launch();
  grid_dependency_sync();
  uint32_t item = blockIdx.x * (kCarvingThreads / 32) + threadIdx.x / 32;
  // Read before it is known whether there is one: waiting twice would take longer.
  BlockIndex at = scene.undecided[item / kBlockParts];
  const uint32_t items = kBlockParts * scene.counters->undecided;
  while (item < items) {
    const BlockCameras<Cameras> block_cameras(scene, at.block, lane);
    const uint32_t in_block_y = kPartSide * (item % kBlockParts), first_y = at.y * kBlockSide + in_block_y;
    const LaneColumn column{at.x * kBlockSide + in_block_x, first_y + in_part_y, at.z * kBlockSide,
                            offset_in_block(in_block_x),
                            offset_in_block(static_cast<int>(in_block_y) + in_part_y)};
    ColumnVotes votes;
    // Otherwise: decide_blocks wrote zeros.
    if (add_all_votes<Cameras, kAnyLens>(scene, views, block_cameras, at.block, column, votes)) {
      write_part(scene, votes, at, first_y, lane);
      if (scene.confidence.data) write_confidence(scene, votes, column);
    }
    item += warps;
    if (item < items) at = scene.undecided[item / kBlockParts];
  }
}

}  // namespace vantage::gpu
