// Everybody's presence over the recording, for drawing a lane a person.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/people/floor_person.h"

namespace vantage {

struct Lane {
  int64_t id = 0;
  // Runs of frames in which the person was found, first and last; between two runs it was lost and came back.
  std::vector<std::pair<int64_t, int64_t>> seen;
  bool born = false;  // after the first frame with known people
  bool lost = false;  // before the last one

  int64_t first() const { return seen.front().first; }
  int64_t last() const { return seen.back().second; }
};

// In the paths' order; who was never found has none. `frames` are those with known people, ascending: a
// frame that was not analysed, or in which no one could be seen for want of pictures, is no loss.
std::vector<Lane> lanes_of(std::span<const PersonPath> paths, std::span<const int64_t> frames);

}  // namespace vantage
