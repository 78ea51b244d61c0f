// The votes of single voxels, with the very arithmetic of the carvers (sample.h): for cuts of the volume, and
// for people who ask why a voxel is occupied or not.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/carving/sample.h"
#include "core/carving/vote_threshold.h"

namespace vantage {

// What all cameras together say of a voxel.
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

}  // namespace vantage
