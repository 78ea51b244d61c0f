// Finds instants in the tracks of a day: people in an area, across a line or near someone. Built once from
// the paths; a query then skips everything far away. Answers equal those of visits() and crossings() in
// core/tracks/counting over all points, to the frame.
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

// Conditions common to all queries.
struct FindFilter {
  int64_t first_frame = INT64_MIN, last_frame = INT64_MAX;  // an answer overlaps this range
  double min_s = 0;                                         // minimum duration
  std::optional<double> taller_m, shorter_m;  // limits of the person's median height, or the other's
  std::vector<int64_t> people = {};           // at least one of these takes part; empty: anyone
};

struct FoundMoment {
  int64_t person = 0;
  int64_t other = 0;  // the person met; 0: not a meeting
  int64_t first_frame = 0, last_frame = 0;
  double x_m = 0, y_m = 0;      // position in the first frame; of two people the middle between them
  double height_m = 0;          // the person's median height
  std::optional<bool> to_left;  // direction of a crossing
  bool operator==(const FoundMoment&) const = default;
};

class TrackIndex {
 public:
  // A meeting ends when the distance exceeds the requested one by more than that, or a position is unknown
  // for longer than kMaxGap_s.
  static constexpr double kLeaving_m = 0.3, kMaxGap_s = 1;

  TrackIndex(std::vector<PersonPath> paths, double frame_rate);

  // Entries are sorted by first frame, then by person.
  std::vector<FoundMoment> present(
      const FindFilter& filter) const;  // spans a track's first frame to its last
  std::vector<FoundMoment> visits_of(const FloorZone& zone, const FindFilter& filter) const;
  std::vector<FoundMoment> crossings_of(const FloorLine& line, CrossingWay way,
                                        const FindFilter& filter) const;
  // Meetings of two people closer than that, in metres on the floor; each pair once.
  std::vector<FoundMoment> meetings(double closer_m, const FindFilter& filter) const;

  double frame_rate() const { return frame_rate_; }
  const std::vector<PersonPath>& paths() const { return paths_; }
  size_t people() const { return paths_.size(); }
  int64_t points() const;

 private:
  // Points of a path in a block of kBlock frames, which begins at a multiple of it, and their bounding
  // rectangle.
  static constexpr int64_t kBlock = 32;
  struct Block {
    int64_t number = 0;  // its first frame divided by kBlock
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
  std::vector<Indexed> index_;  // one per path
};

// Merges the answers of many paths.

// Sorted by first frame, then by person.
std::vector<FoundMoment> joined(const std::vector<std::vector<FoundMoment>>& parts);

}  // namespace vantage
