// Heads of the height map joined with what else was found of the same people.
#pragma once

#include <span>
#include <vector>

#include "core/pipeline/frame_result.h"

namespace vantage {

// One for each of `heads`. A person gets one head of the map and a detected head too: pairs are made from the
// nearest on (core/tracking/association.h).
std::vector<JoinedHead> join_heads(std::span<const HeightMapHead> heads, std::span<const FoundPerson> people,
                                   std::span<const SceneHead> detected);

}  // namespace vantage
