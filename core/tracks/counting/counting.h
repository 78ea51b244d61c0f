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
#include "core/tracks/counting/rules.h"

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

// Events close in time and place are one line to look at, which can be unfolded: each joins the newest item
// whose first event was raised within kTogether_s before and within kTogether_m. So an item lasts kTogether_s
// at most, however many follow one another. What is counted everywhere is events, never items.

inline constexpr double kTogether_s = 10, kTogether_m = 2;

// Indices into the events, by the frame in which they were raised; items in the order of their first event.
using EventItem = std::vector<size_t>;
std::vector<EventItem> group_events(std::span<const FloorEvent> events, double frame_rate);

// Below this, events are stated with the time in which they happened, not by the hour.
inline constexpr double kMinRateSpan_s = 3600;
// Events an hour over the frames with known people; 0 where there are none.
double events_per_hour(size_t events, size_t known_frames, double frame_rate);

// How the floor is used: maps over its cells, and each person's figures, from tracks.

// Square cells; cell x + nx * y.
struct FloorCells {
  double left_m = 0, low_m = 0, cell_m = 0.1;
  int nx = 0, ny = 0;
};

struct FloorUse {
  FloorCells cells;
  std::vector<double> person_s;  // time that people spent in the cell, together
  std::vector<double> walked_m;  // way that they walked in it, together
  std::vector<int> people;       // how many different ones
};
// A step from one frame to the next counts for the cell where it begins; positions outside are left out.
FloorUse floor_use(std::span<const PersonPath> paths, const FloorCells& cells, double frame_rate);

struct WalkFigures {
  int64_t id = 0, first_frame = 0, last_frame = 0;
  double walked_m = 0, mean_speed_m_per_s = 0;
  double top_speed_m_per_s = 0;  // over kSpeed_s
};
inline constexpr double kSpeed_s = 0.5;
std::vector<WalkFigures> walk_figures(std::span<const PersonPath> paths, double frame_rate);

// Speed over the last kSpeed_s up to a point; 0 where the path is not that long yet.
double speed_m_per_s(const PersonPath& path, size_t point, double frame_rate);

}  // namespace vantage
