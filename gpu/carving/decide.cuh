// Which blocks are empty, full, or have to be examined voxel by voxel: core/carving/voxel_votes.h, from the
// tiles' ranges. Most blocks are settled by a few large tiles; small ones are read for the others only. There
// is no level of groups above the blocks, as the CPU has it, whose answer blocks would have to wait for.
#pragma once

#include "gpu/carving/ranges.cuh"
#include "gpu/carving/undecided_list.cuh"

namespace vantage::gpu {

constexpr int kDecideThreads = 256;
constexpr int kLanesPerBlock = 4;  // threads that share the cameras of a block
constexpr int kLanesPerWord = kLanesPerBlock * kBlocksPerWord;

struct LargeTiles {
  static constexpr int kAcrossLog2 = 0, kStep = 2;
};
struct SmallTiles {
  static constexpr int kAcrossLog2 = 2, kStep = 3;
};

// The parameters that a thread indexes as its block asks for, in shared memory: from constant memory the
// lanes of a warp would get them one after the other.
template <int Cameras>
class DecideTables {
 public:
  // Called by all threads of the block; ends with a barrier.
  __device__ void load(const CarvingScene& scene, const TilePyramids<Cameras>& pyramids) {
    copy(pyramids_, pyramids.of_camera, scene.cameras * kPyramidWords);
    copy(rules_, scene.rules, (scene.cameras + 1) * kRuleWords);
    __syncthreads();
  }
  __device__ const TileLevels& pyramid(int camera) const {
    return *reinterpret_cast<const TileLevels*>(pyramids_ + camera * kPyramidWords);
  }
  __device__ const VoteRule* rules() const { return reinterpret_cast<const VoteRule*>(rules_); }

 private:
  static constexpr int kPyramidWords = sizeof(TileLevels) / sizeof(uint32_t);
  static constexpr int kRuleWords = sizeof(VoteRule) / sizeof(uint32_t);
  __device__ static void copy(uint32_t* to, const void* from, int words) {
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kDecideThreads)
      to[i] = static_cast<const uint32_t*>(from)[i];
  }
  alignas(16) uint32_t pyramids_[Cameras * kPyramidWords];
  alignas(16) uint32_t rules_[(Cameras + 1) * kRuleWords];
};

// Added up over the lanes of a block; all of them get the result.
__device__ inline uint32_t sum_of_lanes(uint32_t value) {
#pragma unroll
  for (int distance = 1; distance < kLanesPerBlock; distance *= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}
__device__ inline BlockVotes sum_of_lanes(const BlockVotes& lane) {
  // Several sums in a word: none is more than 64 * 255 = 16,320.
  static_assert(kMaxCarvingCameras <= 64);
  const auto packed = [](int a, int b, int c) { return static_cast<uint32_t>(a | b << 8 | c << 16); };
  const auto pair = [](int a, int b) { return static_cast<uint32_t>(a | b << 16); };
  const uint32_t counts = sum_of_lanes(packed(lane.whole, lane.partial, lane.varied)),
                 whole = sum_of_lanes(pair(lane.low, lane.high)),
                 partial = sum_of_lanes(pair(lane.partial_low, lane.partial_high));
  BlockVotes sum;
  sum.whole = static_cast<int>(counts & 255u), sum.partial = static_cast<int>(counts >> 8 & 255u);
  sum.varied = static_cast<int>(counts >> 16);
  sum.low = static_cast<int>(whole & 0xffffu), sum.high = static_cast<int>(whole >> 16);
  sum.partial_low = static_cast<int>(partial & 0xffffu);
  sum.partial_high = static_cast<int>(partial >> 16);
  return sum;
}

// A block as one of its lanes sees it.
struct LaneOfBlock {
  bool exists;
  uint32_t block;
  int lane;
  BlockView first;  // the view of the lane's first camera, loaded beforehand
};

// The votes of the lane's cameras. `keep` gets their ranges.
template <typename Tiles, int Cameras, typename Keep>
__device__ inline BlockVotes votes_of_lane(const CarvingScene& scene, const DecideTables<Cameras>& tables,
                                           const LaneOfBlock& at, Keep keep) {
  const size_t first = static_cast<size_t>(at.block) * static_cast<size_t>(scene.cameras);
  BlockVotes votes;
  for (int c = at.lane; c < scene.cameras; c += kLanesPerBlock) {
    const BlockView view = c == at.lane ? at.first : load_view(scene.block_views + first + c);
    uint16_t range = kNoRange;
    if ((scene.present >> c & 1) != 0 && view.sees_any())
      range = range_of<Tiles::kAcrossLog2, Tiles::kStep>(tables.pyramid(c), view);
    keep(scene.block_ranges + first + c, range);
    if (is_range(unpacked(range))) votes.add(unpacked(range), view.sees_all());
  }
  return votes;
}

struct BlockAnswer {
  BlockState state;  // undecided also where the confidence has to be computed
  float confidence;
};

__device__ inline BlockAnswer answer_of(const CarvingScene& scene, const VoteRule* rules,
                                        const BlockVotes& votes) {
  BlockState state = block_state(votes, rules);
  if (!scene.skip || (scene.confidence.data && !votes.constant())) state = BlockState::undecided;
  return {state, static_cast<float>(vote_of(votes.low)) / rules[votes.whole].full};
}

// To be called by whole warps.
template <int Cameras>
__device__ inline BlockAnswer decide(const CarvingScene& scene, const DecideTables<Cameras>& tables,
                                     const LaneOfBlock& at) {
  BlockAnswer answer{BlockState::empty, 0.0f};
  BlockVotes votes;
  if (at.exists && scene.skip)
    votes = votes_of_lane<LargeTiles>(scene, tables, at, [](uint16_t*, uint16_t) {});
  votes = sum_of_lanes(votes);
  if (at.exists) answer = answer_of(scene, tables.rules(), votes);
  const bool undecided = answer.state == BlockState::undecided;
  if (!__any_sync(0xffffffffu, undecided)) return answer;
  votes = {};
  const auto keep = [](uint16_t* to, uint16_t range) { *to = range; };
  if (undecided)
    votes = scene.skip ? votes_of_lane<SmallTiles>(scene, tables, at, keep)
                       : votes_of_lane<LargeTiles>(scene, tables, at, keep);
  votes = sum_of_lanes(votes);
  return undecided ? answer_of(scene, tables.rules(), votes) : answer;
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

// A word of blocks as the voxels' rows have it: 8 x 8 words of the occupancy, by the lanes of its blocks.
__device__ inline void write_words(const CarvingScene& scene, uint32_t word, uint32_t column,
                                   uint32_t lane_of_word, const BlockIndex& at) {
  const CarvingGrid& grid = scene.grid;
  if (grid.nx - column * 32 < 32) word &= (1u << (grid.nx - column * 32)) - 1;
#pragma unroll
  for (int i = 0; i < kBlockSide * kBlockSide / kLanesPerWord; ++i) {
    const uint32_t of_block = lane_of_word + i * kLanesPerWord;
    const uint32_t y = at.y * kBlockSide + of_block % kBlockSide,
                   z = at.z * kBlockSide + of_block / kBlockSide;
    if (y < grid.ny && z < grid.nz)
      scene.occupied[size_t{grid.row_at(y, z)} * grid.occupied_stride + column] = word;
  }
}

// kLanesPerBlock threads a block, the blocks of a word side by side. Writes all words: 0 where undecided.
template <int Cameras>
__global__ void __launch_bounds__(kDecideThreads)
    decide_blocks(const __grid_constant__ CarvingScene scene,
                  const __grid_constant__ TilePyramids<Cameras> pyramids) {
  const CarvingGrid& grid = scene.grid;
  const uint32_t thread = blockIdx.x * kDecideThreads + threadIdx.x, lane_of_word = thread % kLanesPerWord;
  const int lane = static_cast<int>(thread % kLanesPerBlock);
  const uint32_t part = lane_of_word / kLanesPerBlock;
  const uint32_t column = thread / kLanesPerWord % grid.words_per_row,
                 row = thread / kLanesPerWord / grid.words_per_row;
  const auto blocks_x = static_cast<uint32_t>(grid.blocks.nx),
             blocks_y = static_cast<uint32_t>(grid.blocks.ny);
  BlockIndex at{0, column * kBlocksPerWord + part, row % blocks_y, row / blocks_y};
  at.block = at.x + blocks_x * row;
  const bool in_rows = at.z < static_cast<uint32_t>(grid.blocks.nz), exists = in_rows && at.x < blocks_x;
  __shared__ DecideTables<Cameras> tables;
  __shared__ UndecidedList list;
  trigger_dependent_launch();
  list.start();
  tables.load(scene, pyramids);
  LaneOfBlock mine{exists, at.block, lane, {}};
  if (exists && lane < scene.cameras)
    mine.first = load_view(scene.block_views + static_cast<size_t>(at.block) * scene.cameras + lane);
  grid_dependency_sync();
  const BlockAnswer answer = decide(scene, tables, mine);
  const bool undecided = answer.state == BlockState::undecided, listed = undecided && lane == 0;
  const uint32_t place = list.add(listed);
  list.open(scene);
  uint32_t word = answer.state == BlockState::full ? 0xffu << (8 * part) : 0u;
#pragma unroll
  for (int distance = kLanesPerBlock; distance < kLanesPerWord; distance *= 2)
    word |= __shfl_xor_sync(0xffffffffu, word, distance);
  if (in_rows) write_words(scene, word, column, lane_of_word, at);
  if (scene.confidence.data && exists && !undecided) write_confidence(scene, at, lane, answer.confidence);
  list.enter(scene, listed, place, at);
}

}  // namespace vantage::gpu
