// Finds times in the tracks of a day: who was in a place, crossed a line, was near whom, and when. Built
// once from the paths; an answer then passes over all that is far from what is asked for. It is that of
// core/tracks/counting's visits() and crossings() over all points, to the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/geometry/floor_shapes.h"
#include "core/people/floor_person.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

// What all answers have to meet.
struct FindFilter {
  int64_t first_frame = INT64_MIN, last_frame = INT64_MAX;  // an instant lies in it or reaches into it
  double min_s = 0;                                         // it lasts as long, or longer
  std::optional<double> taller_m, shorter_m;                // the person's median height, or the other's
  std::vector<int64_t> people = {};                         // one of these takes part; empty: anybody
};

struct FoundMoment {
  int64_t person = 0;
  int64_t other = 0;  // whom the person met; 0: no one was asked for
  int64_t first_frame = 0, last_frame = 0;
  double x_m = 0, y_m = 0;      // the person in the first frame; of two, the middle between them
  double height_m = 0;          // the person's, median
  std::optional<bool> to_left;  // of a crossing
  bool operator==(const FoundMoment&) const = default;
};

class TrackIndex {
 public:
  // A meeting ends when both are farther apart than asked for by more than that, or one is not known for
  // longer than kMaxGap_s.
  static constexpr double kLeaving_m = 0.3, kMaxGap_s = 1;

  TrackIndex(std::vector<PersonPath> paths, double frame_rate);

  // Entries by first frame, then by person.
  std::vector<FoundMoment> present(const FindFilter& filter) const;  // from a track's first frame to its last
  std::vector<FoundMoment> visits_of(const FloorZone& zone, const FindFilter& filter) const;
  std::vector<FoundMoment> crossings_of(const FloorLine& line, CrossingWay way,
                                        const FindFilter& filter) const;
  // Meetings of two people who are closer than that, both in metres over the floor; once for each pair.
  std::vector<FoundMoment> meetings(double closer_m, const FindFilter& filter) const;

  double frame_rate() const { return frame_rate_; }
  const std::vector<PersonPath>& paths() const { return paths_; }
  size_t people() const { return paths_.size(); }
  int64_t points() const;

 private:
  // The points of a path in kBlock frames that begin at a multiple of it, and the rectangle they lie in.
  static constexpr int64_t kBlock = 32;
  struct Block {
    int64_t number = 0;  // of its frames, divided by kBlock
    size_t first = 0, end = 0;
    Eigen::Vector2d min_m, max_m;
  };
  struct Indexed {
    std::vector<Block> blocks;
    double height_m = 0;
  };
  template <typename Uniform>
  PersonPath thinned(size_t path, const Uniform& uniform) const;
  bool wanted(const FoundMoment& moment, const FindFilter& filter) const;
  bool tall_enough(size_t path, const FindFilter& filter) const;
  std::vector<size_t> candidates(const FindFilter& filter) const;
  std::vector<FoundMoment> meetings_of(size_t a, size_t b, double closer_m) const;
  FoundMoment moment_at(size_t path, int64_t first_frame, int64_t last_frame) const;

  const std::vector<PersonPath> paths_;
  const double frame_rate_;
  std::vector<Indexed> index_;  // by path
};

// Answers of many paths as one.

// All parts by first frame, then by person.
std::vector<FoundMoment> joined(const std::vector<std::vector<FoundMoment>>& parts);

}  // namespace vantage
