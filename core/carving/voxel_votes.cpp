#include "core/carving/voxel_votes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/carving/carving.h"
#include "core/carving/sample.h"

namespace vantage {

Result<VoxelVoter> VoxelVoter::make(const Carver::Arguments& scene, const CarvingParameters& parameters,
                                    std::span<const Image> indicators) {
  VANTAGE_TRY(check_arguments(scene));
  VoxelVoter voter;
  voter.scene_ = &scene, voter.indicators_ = indicators;
  for (const PinholeCamera<double>& camera : scene.cameras)
    voter.cameras_.push_back(cast_camera<float>(camera));
  VANTAGE_TRY(check_indicators(indicators, voter.cameras_, {}));
  voter.rules_ = vote_rules(parameters, static_cast<int>(scene.cameras.size()));
  voter.polynomials_ = has_polynomials(scene.grid, scene.cameras.size());
  return voter;
}

VoxelVoter::Block::Block(const VoxelVoter& voter, int x, int y, int z)
    : voter_(&voter),
      block_{x / kBlockSide, y / kBlockSide, z / kBlockSide},
      positions_(voter.cameras_.size()) {
  for (size_t c = 0; c < positions_.size() && voter.polynomials_; ++c)
    if (voter.indicators_[c])
      positions_[c] = fit_positions(voter.scene_->cameras[c], voter.grid(), block_[0], block_[1], block_[2]);
}

Vote VoxelVoter::Block::vote(size_t camera, int x, int y, int z) const {
  const Image& indicator = voter_->indicators_[camera];
  if (!indicator) return {};
  const BlockPositions* positions = positions_[camera] ? &*positions_[camera] : nullptr;
  return vote_at(indicator.view<uint8_t>(),
                 voxel_place(voter_->cameras_[camera], voter_->grid(), positions, x, y, z));
}

VoxelVotes VoxelVoter::Block::votes(int x, int y, int z) const {
  int32_t sum = 0;
  VoxelVotes all;
  for (size_t c = 0; c < positions_.size(); ++c) {
    const Vote one = vote(c, x, y, z);
    sum += one.level;
    all.seeing += one.seen;
  }
  const VoteRule& rule = voter_->rules_[all.seeing];
  all.confidence = static_cast<float>(sum) / rule.full;
  all.occupied = sum >= rule.limit;
  return all;
}

namespace {

// "At least 3" must not mean "never" to a recording of two cameras.
int min_seeing(const CarvingParameters& parameters, int cameras) {
  return std::clamp(parameters.min_cameras, 1, cameras);
}

}  // namespace

std::vector<VoteRule> vote_rules(const CarvingParameters& parameters, int cameras) {
  constexpr VoteRule kNever = {std::numeric_limits<int32_t>::max(), std::numeric_limits<float>::infinity()};
  constexpr double kFull = 255.0 * (1 << kLevelBits);
  std::vector<VoteRule> rules(static_cast<size_t>(cameras) + 1, kNever);
  for (int seeing = min_seeing(parameters, cameras); seeing <= cameras; ++seeing) {
    const int divisor = parameters.divide_by == VoteDivisor::seeing ? seeing : cameras;
    rules[seeing] = {static_cast<int32_t>(std::lround(parameters.threshold * kFull * divisor)),
                     static_cast<float>(kFull * divisor)};
  }
  return rules;
}

int needed_cameras(const CarvingParameters& parameters, int cameras) {
  const int min = min_seeing(parameters, cameras);
  if (parameters.divide_by == VoteDivisor::seeing) return min;
  return std::clamp(static_cast<int>(std::ceil(parameters.threshold * cameras - 1e-9)), min, cameras);
}

}  // namespace vantage
