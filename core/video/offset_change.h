// Changes of a camera's offset within a recording, where it lost frames. Known to the project, to the frame
// source that applies them and to the synchronisation that finds them.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage {

// The camera is further ahead by so many of its frames from base frame `base_frame` on; negative where it
// lost some.
struct OffsetChange {
  int64_t base_frame = 0;
  double frames = 0;
  bool operator==(const OffsetChange&) const = default;
};

inline double total_change(const std::vector<OffsetChange>& changes, double base_frame) {
  double total = 0;
  for (const OffsetChange& change : changes)
    if (base_frame >= static_cast<double>(change.base_frame)) total += change.frames;
  return total;
}

}  // namespace vantage
