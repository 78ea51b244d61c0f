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
    most_ = static_cast<float>(__shfl_sync(0xffffffffu, high, 0));
  }
  // The most that all cameras together can add to a voxel; whole numbers, exact.
  __device__ float most() const {
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
  float most_;
};

constexpr int kBlockParts = 2;  // 8 x 4 columns each

// One warp a part of a block, 8 x 4 columns; warps take one after the other. Three thread blocks fit a
// multiprocessor: the fewer registers cost less than the more warps bring.
template <int Cameras, typename Pixels>
__global__ void __launch_bounds__(kCarvingThreads, 3)
    carve_blocks(const __grid_constant__ CarvingScene scene,
                 const __grid_constant__ CarvingViews<Cameras> views) {
  const CarvingGrid& grid = scene.grid;
  const int cameras = scene.cameras, lane = static_cast<int>(threadIdx.x % 32);
  const uint32_t warps = gridDim.x * (kCarvingThreads / 32);
  const float slack = vote_slack(1, cameras);
  auto* bytes = reinterpret_cast<uint8_t*>(scene.occupied);
  let_next_come();
  wait_for_previous();
  const uint32_t items = kBlockParts * scene.counters->undecided;
  for (uint32_t item = blockIdx.x * (kCarvingThreads / 32) + threadIdx.x / 32; item < items; item += warps) {
    const uint32_t block = scene.undecided[item / kBlockParts], part = item % kBlockParts;
    const BlockIndex at = index_in(grid.blocks, static_cast<int>(block));
    const uint32_t y0 = at.y * kBlockSide + 4 * part, z0 = at.z * kBlockSide;
    const uint32_t x = at.x * kBlockSide + lane % kBlockSide, y = y0 + lane / kBlockSide;
    const BlockCameras<Cameras> block_cameras(scene, block, lane);
    float rest = block_cameras.most();  // the most that the cameras to come can add
    float sums[kColumn] = {};
    uint32_t seeing[kColumn / 4] = {};
    uint32_t whole = 0;
    bool alive = true;
    for (int c = 0; c < cameras && alive; ++c) {
      const uint32_t of_camera = block_cameras.of(c);
      const IndicatorRange range = BlockCameras<Cameras>::range(of_camera);
      if (!is_range(range)) continue;
      rest -= static_cast<float>(range.high);
      const bool sees_all = BlockCameras<Cameras>::sees_all(of_camera);
      whole += sees_all;
      if (sees_all && range.constant() && scene.skip) {
#pragma unroll
        for (int k = 0; k < kColumn; ++k) sums[k] += static_cast<float>(range.high);
      } else if (BlockCameras<Cameras>::is_smooth(of_camera)) {
        const float4* terms = scene.positions + (size_t{block} * cameras + c) * kPositionWords;
        add_smooth_votes<Pixels>(views.view[c], sees_all, terms, offset_in_block(x % kBlockSide),
                                 offset_in_block(y % kBlockSide), sums, seeing);
      } else {
        const VoxelColumn column{__ldg(scene.x_m + x), __ldg(scene.y_m + y), scene.z_m + z0};
        add_votes<Pixels>(views.view[c], sees_all, column, sums, seeing);
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
        bytes[size_t{4} * grid.row_at(row_y, z0 + k) * grid.occupied_stride + at.x] =
            static_cast<uint8_t>(bits >> (8 * lane));
      if (scene.confidence.data && exists)
        scene.confidence.row(static_cast<int>(grid.row_at(y, z0 + k)))[x] = sums[k] / rule.full;
    }
  }
}

}  // namespace vantage::gpu
