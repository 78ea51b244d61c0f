// Entrances learned from tracks: positions where people appear and disappear during the recording.
//
// A track that begins more than kEdge_s after the first frame appears; one that ends more than that before
// the last frame disappears. Positions closer than kSamePlace_m, in a chain, belong together; an entrance
// needs at least `min_uses` tracks that appear or disappear, and is the convex hull of circles of kAround_m
// about their positions. Tracks that break in the middle of the floor look like an entrance only where many
// break.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/floor_shapes.h"
#include "core/people/floor_person.h"

namespace vantage {

struct LearnedEntrance {
  FloorZone zone;  // "entrance 1", of kind entrance
  int64_t appeared = 0, disappeared = 0;
};

struct FrameSpan {
  int64_t first = 0, last = 0;
};

// Sorted by number of uses, descending.
inline constexpr int64_t kMinUses = 3;
std::vector<LearnedEntrance> learn_entrances(std::span<const PersonPath> paths, const FrameSpan& frames,
                                             double frame_rate, int64_t min_uses = kMinUses);

}  // namespace vantage
