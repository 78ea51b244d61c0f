// Line crossings and zone visits, from tracks.
//
// A line is crossed by a person who was more than kMargin_m on one side of it, is more than that on the
// other, and met it between its ends an odd number of times in between: a person who sways on a line crosses
// it once, one who walks around its end does not. A visit begins with the first frame inside the zone and
// ends with the last one there, before the person is more than kMargin_m outside or the track ends. A track
// that begins inside begins a visit.
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
  int64_t frame = 0;  // the first frame beyond the line
  bool to_left = false;
  double x_m = 0, y_m = 0;  // position in that frame
};
// Sorted by frame.
std::vector<Crossing> crossings(std::span<const PersonPath> paths, const FloorLine& line);

struct Visit {
  int64_t id = 0;
  int64_t first_frame = 0, last_frame = 0;
};
// Sorted by first frame.
std::vector<Visit> visits(std::span<const PersonPath> paths, const FloorZone& zone);

// Counts the visits in a frame. Frames ascend between calls, so that not all visits are searched each time.
class VisitCount {
 public:
  explicit VisitCount(std::span<const Visit> visits);
  int64_t at(int64_t frame);

 private:
  std::vector<int64_t> begins_, ends_;  // ascending
  size_t begun_ = 0, over_ = 0;
};

// Groups events close in time and position into items of a list. Each event joins the newest item whose first
// event was raised within kTogether_s before and within kTogether_m, so an item spans at most kTogether_s
// however many events follow. Events are counted, never items.

inline constexpr double kTogether_s = 10, kTogether_m = 2;

// Indices of events, in the order they were raised; items are in the order of their first event.
using EventItem = std::vector<size_t>;
std::vector<EventItem> group_events(std::span<const FloorEvent> events, double frame_rate);

// Minimum time for a rate by the hour; below it, the number of events is stated with the time.
inline constexpr double kMinRateSpan_s = 3600;
// Events an hour over the frames with known people; 0 where there are none.
double events_per_hour(size_t events, size_t known_frames, double frame_rate);

// Maps of the use of the floor over its cells, and each person's figures, from tracks.

// Square cells with index x + nx * y.
struct FloorCells {
  double left_m = 0, low_m = 0, cell_m = 0.1;
  int nx = 0, ny = 0;
};

struct FloorUse {
  FloorCells cells;
  std::vector<double> person_s;  // total time of all people in the cell
  std::vector<double> walked_m;  // total distance walked in it
  std::vector<int> people;       // number of different people
};
// A step between two frames counts for the cell where it begins; positions outside are ignored.
FloorUse floor_use(std::span<const PersonPath> paths, const FloorCells& cells, double frame_rate);

struct WalkFigures {
  int64_t id = 0, first_frame = 0, last_frame = 0;
  double walked_m = 0, mean_speed_m_per_s = 0;
  double top_speed_m_per_s = 0;  // over kSpeed_s
};
inline constexpr double kSpeed_s = 0.5;
std::vector<WalkFigures> walk_figures(std::span<const PersonPath> paths, double frame_rate);

// Mean speed over the last kSpeed_s up to a point; 0 where the path is shorter.
double speed_m_per_s(const PersonPath& path, size_t point, double frame_rate);

}  // namespace vantage
