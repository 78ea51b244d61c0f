#include "core/carving/vote_threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/carving/sample.h"

namespace vantage {
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
    rules[static_cast<size_t>(seeing)] = {
        static_cast<int32_t>(std::lround(parameters.threshold * kFull * divisor)),
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
