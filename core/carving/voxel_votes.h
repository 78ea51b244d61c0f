// The votes of single voxels, with the carvers' own arithmetic (sample.h): for slices of the volume, and to
// explain why a voxel is occupied or not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/carving/carving.h"
#include "core/carving/sample.h"
#include "core/geometry/projection.h"

namespace vantage {

// The rule for voxels that only some cameras see (carving.h), as a table by the number of these cameras.

// Plain data: uploaded as it is.
struct VoteRule {
  int32_t limit;  // minimum of the sum of votes (sample.h); beyond all sums where too few cameras see
  float full;  // the sum that means confidence 1; infinite where too few cameras see, so that confidence is 0
};

// Entry k, for k = 0 .. cameras, is for voxels that k of all the cameras see. Limits do not fall with k from
// needed_cameras() on.
std::vector<VoteRule> vote_rules(const CarvingParameters& parameters, int cameras);

// Number of cameras that must see a voxel for it to be occupied, as the coverage requires.
int needed_cameras(const CarvingParameters& parameters, int cameras);

// Result of all cameras' votes on a voxel.
struct VoxelVotes {
  float confidence = 0;  // as in CarvedVolume; 0 also where too few cameras see it
  int seeing = 0;        // cameras
  bool occupied = false;
};

// Scene and indicators outlive it. Thread-safe.
class VoxelVoter {
 public:
  // The voxels of one block of kBlockSide a side, for which positions are prepared once.
  class Block {
   public:
    // The block that holds the voxel.
    Block(const VoxelVoter& voter, int x, int y, int z);
    // Votes on a voxel by its index in the grid; nothing is voted where the camera has no indicator.
    Vote vote(size_t camera, int x, int y, int z) const;
    VoxelVotes votes(int x, int y, int z) const;
    bool holds(int x, int y, int z) const {
      return x / kBlockSide == block_[0] && y / kBlockSide == block_[1] && z / kBlockSide == block_[2];
    }

   private:
    const VoxelVoter* voter_;
    int block_[3];
    std::vector<std::optional<BlockPositions>> positions_;  // by camera
  };

  // `indicators` as for Carver::carve(), in host memory. Errors: the carver's.
  static Result<VoxelVoter> make(const Carver::Arguments& scene, const CarvingParameters& parameters,
                                 std::span<const Image> indicators);
  const VoxelGrid& grid() const { return scene_->grid; }
  size_t camera_count() const { return cameras_.size(); }

 private:
  const Carver::Arguments* scene_ = nullptr;
  std::span<const Image> indicators_;
  std::vector<PinholeCamera<float>> cameras_;
  std::vector<VoteRule> rules_;
  bool polynomials_ = false;
};

// The verdict on a block of voxels as a whole, without its voxels: empty, full, or neither. Shared by
// the CPU and the CUDA carver. Plain functions: .cu files include this header.
//
// Computed beforehand, for each camera: the part of the picture that the block's samples read (BlockView,
// exact: from the positions of the voxels themselves, with distortion and the samples' 2x2 support), and
// whether the camera sees all, some or none of its voxels. With the range of the frame's indicator there,
// this bounds the sum of votes of any voxel of the block, for each number of cameras that may see it. The
// decision is conservative: a block is called empty or full only when every voxel of it, computed one by one
// with the arithmetic of sample.h, would come out so. The hierarchy therefore changes no bit.

// The pixels that the samples of a block read in one camera, corners included. 8 bytes: tables hold many.
struct BlockView {
  static constexpr uint16_t kWhole = 0x8000;   // in x1: every voxel of the block is seen
  static constexpr uint16_t kSmooth = 0x8000;  // in y1: its voxels have the positions of its polynomials
  static constexpr int kLargestSide_px = 0x7fff;
  uint16_t x0 = 1, y0 = 1, x1 = 0, y1 = 0;  // x0 > x1: no voxel of the block is seen

  VANTAGE_HD int right() const { return x1 & (kWhole - 1); }
  VANTAGE_HD int bottom() const { return y1 & (kSmooth - 1); }
  VANTAGE_HD bool sees_any() const { return x0 <= right(); }
  VANTAGE_HD bool sees_all() const { return (x1 & kWhole) != 0; }
  VANTAGE_HD bool is_smooth() const { return (y1 & kSmooth) != 0; }
};

// Smallest and largest indicator in a part of a picture.
struct IndicatorRange {
  uint8_t low = 255, high = 0;
  VANTAGE_HD bool constant() const { return low == high; }
};

enum class BlockState : uint8_t { empty, full, undecided };

// Added up over the cameras that see a block.
struct BlockVotes {
  int whole = 0, partial = 0;             // cameras that see all, and only some, of its voxels
  int low = 0, high = 0;                  // sums over those that see all
  int partial_low = 0, partial_high = 0;  // over those that see some
  int varied = 0;                         // cameras whose votes differ from voxel to voxel

  VANTAGE_HD void add(IndicatorRange range, bool sees_all) {
    varied += !range.constant();
    if (sees_all) {
      ++whole, low += range.low, high += range.high;
    } else {
      ++partial, partial_low += range.low, partial_high += range.high;
    }
  }
  // Every voxel has the sum `low` from `whole` cameras; or 0 from any number.
  VANTAGE_HD bool constant() const { return varied == 0 && (partial == 0 || high + partial_high == 0); }
};

// A sum of whole grey levels in the unit of sums of votes.
VANTAGE_HD int32_t vote_of(int levels) {
  return levels << kLevelBits;
}

VANTAGE_HD BlockState block_state(const BlockVotes& votes, const VoteRule* rules) {
  bool empty = true, full = true;
  for (int extra = 0; extra <= votes.partial; ++extra) {  // partial cameras that see a voxel
    const int max = votes.partial_high < 255 * extra ? votes.partial_high : 255 * extra;
    const int spared = votes.partial_low - 255 * (votes.partial - extra);
    const int min = spared > 0 ? spared : 0;
    const int32_t limit = rules[votes.whole + extra].limit;
    empty = empty && vote_of(votes.high + max) < limit;
    full = full && vote_of(votes.low + min) >= limit;
  }
  return empty ? BlockState::empty : full ? BlockState::full : BlockState::undecided;
}

}  // namespace vantage
