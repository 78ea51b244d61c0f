// The voxels of the undecided blocks, one by one.
#pragma once

#include "gpu/carving/ranges.cuh"

namespace vantage::gpu {

// What a warp knows of each camera's part in a block: loaded by all lanes at once, handed round by shuffles.
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
    most_ = vote_of(__shfl_sync(0xffffffffu, high, 0));
  }
  // The most that all cameras together can add to a voxel.
  __device__ int32_t most() const {
    return most_;
  }
  __device__ uint32_t of(int camera) const {
    return __shfl_sync(0xffffffffu, kWords > 1 && camera >= 32 ? word_[kWords - 1] : word_[0], camera % 32);
  }
  __device__ static IndicatorRange range(uint32_t word) {
    return unpacked(static_cast<uint16_t>(word));
  }
  __device__ static bool sees_all(uint32_t word) {
    return (word >> 16 & 1) != 0;
  }
  __device__ static bool is_smooth(uint32_t word) {
    return (word >> 17) != 0;
  }

 private:
  static_assert(Cameras <= 64);
  static constexpr int kWords = Cameras > 32 ? 2 : 1;
  static constexpr int kLanes = Cameras < 32 ? Cameras : 32;  // that hold a camera
  uint32_t word_[kWords];
  int32_t most_;
};

constexpr int kBlockParts = 2;  // 8 x 4 columns each: a warp's lanes
constexpr int kPartSide = kBlockSide / kBlockParts;

// What a lane knows of its column.
struct ColumnVotes {
  int32_t sums[kColumn] = {};
  uint32_t seeing[kColumn / 4] =
      {};              // byte k % 4 of entry k / 4: cameras of those that see some of the block
  uint32_t whole = 0;  // cameras that see all of it
};

// Votes of all cameras for a lane's column, (x, y) in the grid; false when the warp gave up because none of
// its voxels can reach a limit any more.
template <int Cameras, typename Pixels>
__device__ inline bool add_all_votes(const CarvingScene& scene, const CarvingViews<Cameras>& views,
                                     const BlockCameras<Cameras>& block_cameras, uint32_t block, uint32_t x,
                                     uint32_t y, uint32_t z0, ColumnVotes& votes) {
  int32_t rest = block_cameras.most();  // the most that the cameras to come can add
  const bool may_give_up = scene.skip && !scene.confidence.data;
  for (int c = 0; c < scene.cameras; ++c) {
    const uint32_t of_camera = block_cameras.of(c);
    const IndicatorRange range = BlockCameras<Cameras>::range(of_camera);
    if (!is_range(range)) continue;
    rest -= vote_of(range.high);
    const bool sees_all = BlockCameras<Cameras>::sees_all(of_camera);
    votes.whole += sees_all;
    if (sees_all && range.constant() && scene.skip) {
#pragma unroll
      for (int k = 0; k < kColumn; ++k) votes.sums[k] += vote_of(range.high);
    } else if (BlockCameras<Cameras>::is_smooth(of_camera)) {
      const float4* terms =
          scene.positions + (block * static_cast<uint32_t>(scene.cameras) + c) * size_t{kPositionWords};
      const PixelColumn column =
          load_column(terms, offset_in_block(x % kBlockSide), offset_in_block(y % kBlockSide));
      add_smooth_votes<Pixels>(views.view[c], sees_all, column, votes.sums, votes.seeing);
    } else {
      const VoxelColumn column{__ldg(scene.x_m + x), __ldg(scene.y_m + y), scene.z_m + z0};
      add_votes<Pixels>(views.view[c], sees_all, column, votes.sums, votes.seeing);
    }
    if (!may_give_up) continue;
    int32_t largest = votes.sums[0];
#pragma unroll
    for (int k = 1; k < kColumn; ++k) largest = max(largest, votes.sums[k]);
    if (!__any_sync(0xffffffffu, largest + rest >= scene.lowest_limit)) return false;
  }
  return true;
}

// A part's voxels by the rules: each lane writes 8 along x, of the row that it counts to, lane = y + 4 z.
__device__ inline void write_part(const CarvingScene& scene, const ColumnVotes& votes, const BlockIndex& at,
                                  uint32_t x, uint32_t y, int lane) {
  const CarvingGrid& grid = scene.grid;
  const uint32_t z0 = at.z * kBlockSide, row_y = y - lane / kBlockSide + lane % kPartSide,
                 row_z = z0 + lane / kPartSide;
  uint32_t bits = 0;
#pragma unroll
  for (int k = 0; k < kColumn; ++k) {
    const VoteRule& rule = scene.rules[votes.whole + (votes.seeing[k / 4] >> (8 * (k % 4)) & 255u)];
    const bool exists = x < grid.nx && y < grid.ny && z0 + k < grid.nz;
    const uint32_t of_layer = __ballot_sync(0xffffffffu, exists && votes.sums[k] >= rule.limit);
    if (lane / kPartSide == k) bits = of_layer;
    if (scene.confidence.data && exists)
      scene.confidence.row(static_cast<int>(grid.row_at(y, z0 + k)))[x] =
          static_cast<float>(votes.sums[k]) / rule.full;
  }
  if (row_y < grid.ny && row_z < grid.nz)
    reinterpret_cast<uint8_t*>(
        scene.occupied)[size_t{4} * grid.row_at(row_y, row_z) * grid.occupied_stride + at.x] =
        static_cast<uint8_t>(bits >> (kBlockSide * (lane % kPartSide)));
}

// One warp a part of a block; warps take one after the other. Four thread blocks fit a multiprocessor: the
// fewer registers cost less than the more warps bring.
template <int Cameras, typename Pixels>
__global__ void __launch_bounds__(kCarvingThreads, 4)
    carve_blocks(const __grid_constant__ CarvingScene scene,
                 const __grid_constant__ CarvingViews<Cameras> views) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const uint32_t warps = gridDim.x * (kCarvingThreads / 32);
  let_next_come();
  wait_for_previous();
  const uint32_t items = kBlockParts * scene.counters->undecided;
  for (uint32_t item = blockIdx.x * (kCarvingThreads / 32) + threadIdx.x / 32; item < items; item += warps) {
    const uint32_t block = scene.undecided[item / kBlockParts], part = item % kBlockParts;
    const BlockIndex at = index_in(scene.grid.blocks, static_cast<int>(block));
    const BlockCameras<Cameras> block_cameras(scene, block, lane);
    const uint32_t x = at.x * kBlockSide + lane % kBlockSide,
                   y = at.y * kBlockSide + kPartSide * part + lane / kBlockSide, z0 = at.z * kBlockSide;
    ColumnVotes votes;
    // Otherwise: decide_blocks wrote zeros.
    if (add_all_votes<Cameras, Pixels>(scene, views, block_cameras, block, x, y, z0, votes))
      write_part(scene, votes, at, x, y, lane);
  }
}

}  // namespace vantage::gpu
