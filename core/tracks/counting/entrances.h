// Entrances learned from tracks: where people appear and disappear while the recording goes on.
//
// A track that begins more than kEdge_s after the first frame appeared; one that ends more than that before
// the last frame disappeared. Places nearer to each other than kSamePlace_m, in a chain, belong together;
// where at least `min_uses` tracks appear or disappear there is an entrance: the convex hull of circles of
// kAround_m about its positions. Tracks that break in the middle of the floor look like an entrance only
// where many break.
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

// Most used first.
inline constexpr int64_t kMinUses = 3;
std::vector<LearnedEntrance> learn_entrances(std::span<const PersonPath> paths, const FrameSpan& frames,
                                             double frame_rate, int64_t min_uses = kMinUses);

}  // namespace vantage
