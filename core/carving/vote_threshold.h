// The rule for voxels that only some cameras see (carving.h), as numbers that every carver looks up by how
// many do.
#pragma once

#include <cstdint>
#include <vector>

#include "core/carving/carving.h"

namespace vantage {

// Plain data: uploaded as it is.
struct VoteRule {
  int32_t limit;  // what the sum of votes (sample.h) has to reach; beyond all sums where too few cameras see
  float full;  // the sum that means confidence 1; infinite where too few cameras see, so that confidence is 0
};

// Entry k, for k = 0 .. cameras, is for voxels that k of all the cameras see. Limits do not fall with k from
// needed_cameras() on.
std::vector<VoteRule> vote_rules(const CarvingParameters& parameters, int cameras);

// How many of all the cameras must see a voxel before it can be occupied at all: what coverage asks for.
int needed_cameras(const CarvingParameters& parameters, int cameras);

}  // namespace vantage
