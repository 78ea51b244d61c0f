// Line crossings and zone visits, from tracks.
//
// A line is crossed when a person who was more than kMargin_m on one side of it is more than that on the
// other, and met it between its ends an odd number of times in between: who sways on a line crosses it once,
// who walks around its end does not. A visit begins with the first frame inside the zone and ends with the
// last one there, before the person is more than kMargin_m outside or the track ends. A track that begins
// inside begins a visit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/floor_shapes.h"
#include "core/people/floor_person.h"

namespace vantage {

inline constexpr double kCountingMargin_m = 0.15;

struct Crossing {
  int64_t id = 0;
  int64_t frame = 0;  // the first one beyond the line
  bool to_left = false;
  double x_m = 0, y_m = 0;  // there
};
// Crossings by frame.
std::vector<Crossing> crossings(std::span<const PersonPath> paths, const FloorLine& line);

struct Visit {
  int64_t id = 0;
  int64_t first_frame = 0, last_frame = 0;
};
// Visits by first frame.
std::vector<Visit> visits(std::span<const PersonPath> paths, const FloorZone& zone);

// How many visits go on in a frame, asked for frames that ascend: without going through all visits each time.
class VisitCount {
 public:
  explicit VisitCount(std::span<const Visit> visits);
  int64_t at(int64_t frame);

 private:
  std::vector<int64_t> begins_, ends_;  // ascending
  size_t begun_ = 0, over_ = 0;
};

}  // namespace vantage
