// Heads of the height map joined with what else was found of the same people.
#pragma once

#include <span>
#include <vector>

#include "core/pipeline/frame_result.h"

namespace vantage {

// Indices, -1: nobody, none.
struct JoinedHead {
  int person = -1;    // of PeopleArtifact's people: who stands below, within 0.5 m across the floor
  int detected = -1;  // of HeadsArtifact's heads: the same head, within 0.25 m
};

// One for each of `heads`. A person gets one head of the map and a detected head too: pairs are made from the
// nearest on. What was not looked for may be null.
std::vector<JoinedHead> join_heads(std::span<const Head> heads, const PeopleArtifact* people,
                                   const HeadsArtifact* detected);

}  // namespace vantage
