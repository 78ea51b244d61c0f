#include "core/tracks/find/track_index.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/quantile.h"
#include "core/tracks/counting/counting.h"

namespace vantage {
namespace {

int64_t block_of(int64_t frame, int64_t frames) {
  return frame >= 0 ? frame / frames : (frame - frames + 1) / frames;
}

double median_height_m(const PersonPath& path) {
  std::vector<double> heights;
  for (const PathPoint& point : path.points)
    if (point.seen) heights.push_back(point.height_m);
  return heights.empty() ? 0 : upper_median(std::move(heights));
}

// The segment from a to b meets the rectangle (Liang and Barsky).
bool meets_rectangle(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& min,
                     const Eigen::Vector2d& max) {
  double enters = 0, leaves = 1;
  for (int axis = 0; axis < 2; ++axis) {
    const double along = b[axis] - a[axis];
    if (along == 0) {
      if (a[axis] < min[axis] || a[axis] > max[axis]) return false;
      continue;
    }
    const double one = (min[axis] - a[axis]) / along, two = (max[axis] - a[axis]) / along;
    enters = std::max(enters, std::min(one, two));
    leaves = std::min(leaves, std::max(one, two));
  }
  return enters <= leaves;
}

const Eigen::Vector2d kMargin = Eigen::Vector2d::Constant(kCountingMargin_m + 1e-9);

}  // namespace

std::vector<FoundMoment> joined(const std::vector<std::vector<FoundMoment>>& parts) {
  std::vector<FoundMoment> all;
  for (const std::vector<FoundMoment>& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all, {}, [](const FoundMoment& moment) {
    return std::tuple(moment.first_frame, moment.person, moment.other, moment.last_frame);
  });
  return all;
}

TrackIndex::TrackIndex(std::vector<PersonPath> paths, double frame_rate)
    : paths_(std::move(paths)), frame_rate_(frame_rate), index_(paths_.size()) {
  tbb::parallel_for(size_t{0}, paths_.size(), [this](size_t i) {
    Indexed& indexed = index_[i];
    indexed.height_m = median_height_m(paths_[i]);
    const PathPoints& points = paths_[i].points;
    for (size_t at = 0; at < points.size(); ++at) {
      const PathPoint point = points[at];
      const Eigen::Vector2d place(point.x_m, point.y_m);
      const int64_t number = block_of(point.frame, kBlock);
      if (indexed.blocks.empty() || indexed.blocks.back().number != number)
        indexed.blocks.push_back({number, at, at, place, place});
      Block& block = indexed.blocks.back();
      block.end = at + 1;
      block.min_m = block.min_m.cwiseMin(place);
      block.max_m = block.max_m.cwiseMax(place);
    }
  });
}

int64_t TrackIndex::points() const {
  int64_t points = 0;
  for (const PersonPath& path : paths_) points += static_cast<int64_t>(path.points.size());
  return points;
}

// A block in which nothing can happen needs only its first and last point.
template <typename Uniform>
PersonPath TrackIndex::thinned(size_t path, const Uniform& uniform) const {
  const PathPoints& points = paths_[path].points;
  PersonPath thin{paths_[path].id, {}};
  for (const Block& block : index_[path].blocks) {
    if (!uniform(block)) {
      for (size_t i = block.first; i < block.end; ++i) thin.points.push_back(points[i]);
      continue;
    }
    thin.points.push_back(points[block.first]);
    if (block.end - block.first > 1) thin.points.push_back(points[block.end - 1]);
  }
  return thin;
}

bool TrackIndex::tall_enough(size_t path, const FindFilter& filter) const {
  const double height_m = index_[path].height_m;
  return (!filter.taller_m || height_m > *filter.taller_m) &&
         (!filter.shorter_m || height_m < *filter.shorter_m);
}

// Paths of the requested people, of that height, with points in those frames.
std::vector<size_t> TrackIndex::candidates(const FindFilter& filter) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < paths_.size(); ++i) {
    const PathPoints& points = paths_[i].points;
    if (points.empty() || !tall_enough(i, filter)) continue;
    if (!filter.people.empty() && std::ranges::find(filter.people, paths_[i].id) == filter.people.end())
      continue;
    const size_t first = points.first_from(filter.first_frame);
    if (first < points.size() && points.frame(first) <= filter.last_frame) found.push_back(i);
  }
  return found;
}

bool TrackIndex::wanted(const FoundMoment& moment, const FindFilter& filter) const {
  return moment.last_frame >= filter.first_frame && moment.first_frame <= filter.last_frame &&
         static_cast<double>(moment.last_frame - moment.first_frame) / frame_rate_ >= filter.min_s;
}

FoundMoment TrackIndex::moment_at(size_t path, int64_t first_frame, int64_t last_frame) const {
  FoundMoment moment{.person = paths_[path].id, .first_frame = first_frame, .last_frame = last_frame};
  if (const auto point = paths_[path].points.find(first_frame))
    moment.x_m = point->x_m, moment.y_m = point->y_m;
  moment.height_m = index_[path].height_m;
  return moment;
}

std::vector<FoundMoment> TrackIndex::present(const FindFilter& filter) const {
  std::vector<FoundMoment> moments;
  for (const size_t i : candidates(filter)) {
    const PathPoints& points = paths_[i].points;
    const FoundMoment moment = moment_at(i, points.front().frame, points.back().frame);
    if (wanted(moment, filter)) moments.push_back(moment);
  }
  return joined({moments});
}

std::vector<FoundMoment> TrackIndex::visits_of(const FloorZone& zone, const FindFilter& filter) const {
  const std::vector<size_t> chosen = candidates(filter);
  std::vector<std::vector<FoundMoment>> parts(chosen.size());
  // No part of the border is near, so all points are inside, or all well outside.
  const auto uniform = [&](const Block& block) {
    const size_t corners = zone.corners_m.size();
    for (size_t i = 0; i < corners; ++i)
      if (meets_rectangle(zone.corners_m[i], zone.corners_m[(i + 1) % corners], block.min_m - kMargin,
                          block.max_m + kMargin))
        return false;
    return true;
  };
  tbb::parallel_for(size_t{0}, chosen.size(), [&](size_t i) {
    const PersonPath thin = thinned(chosen[i], uniform);
    for (const Visit& visit : visits(std::span(&thin, 1), zone)) {
      const FoundMoment moment = moment_at(chosen[i], visit.first_frame, visit.last_frame);
      if (wanted(moment, filter)) parts[i].push_back(moment);
    }
  });
  return joined(parts);
}

std::vector<FoundMoment> TrackIndex::crossings_of(const FloorLine& line, CrossingWay way,
                                                  const FindFilter& filter) const {
  const std::vector<size_t> chosen = candidates(filter);
  std::vector<std::vector<FoundMoment>> parts(chosen.size());
  // All points are on one side of the straight line, and clear of it.
  const auto uniform = [&](const Block& block) {
    double lowest = INFINITY, highest = -INFINITY;
    for (const double x_m : {block.min_m.x(), block.max_m.x()})
      for (const double y_m : {block.min_m.y(), block.max_m.y()}) {
        const double left_m = distance_left_m(line, {x_m, y_m});
        lowest = std::min(lowest, left_m), highest = std::max(highest, left_m);
      }
    return lowest > kMargin.x() || highest < -kMargin.x();
  };
  tbb::parallel_for(size_t{0}, chosen.size(), [&](size_t i) {
    const PersonPath thin = thinned(chosen[i], uniform);
    for (const Crossing& crossing : crossings(std::span(&thin, 1), line)) {
      if (way != CrossingWay::either && crossing.to_left != (way == CrossingWay::to_left)) continue;
      FoundMoment moment = moment_at(chosen[i], crossing.frame, crossing.frame);
      moment.to_left = crossing.to_left;
      if (wanted(moment, filter)) parts[i].push_back(moment);
    }
  });
  return joined(parts);
}

// Meetings: pairs of people who were near each other.

namespace {

Eigen::Vector2d place_of(const PathPoint& point) {
  return {point.x_m, point.y_m};
}

// Bounds of the distances between points of two rectangles.
struct Range {
  double min_m = 0, max_m = 0;
};
Range distances(const Eigen::Vector2d& min_a, const Eigen::Vector2d& max_a, const Eigen::Vector2d& min_b,
                const Eigen::Vector2d& max_b) {
  const Eigen::Vector2d apart = (min_b - max_a).cwiseMax(min_a - max_b).cwiseMax(0);
  const Eigen::Vector2d span = max_a.cwiseMax(max_b) - min_a.cwiseMin(min_b);
  return {apart.norm(), span.norm()};
}

// A meeting of one pair, extended frame by frame.
class Meeting {
 public:
  Meeting(double closer_m, double leaving_m, int64_t max_gap)
      : closer_m_(closer_m), far_m_(closer_m + leaving_m), max_gap_(max_gap) {}

  void add(int64_t frame, double distance_m) {
    if (open_ && (distance_m > far_m_ || frame - last_known_ > max_gap_)) close();
    last_known_ = frame;
    if (distance_m >= closer_m_) return;
    if (!open_) first_ = frame;
    open_ = true;
    last_ = frame;
  }
  // Adds every frame of a range, at one distance.
  void add_all(int64_t first, int64_t last, double distance_m) {
    add(first, distance_m);
    last_known_ = last;
    if (open_) last_ = last;
  }
  void close() {
    if (open_) spans_.emplace_back(first_, last_);
    open_ = false;
  }
  const std::vector<std::pair<int64_t, int64_t>>& spans() const { return spans_; }

 private:
  const double closer_m_, far_m_;
  const int64_t max_gap_;
  bool open_ = false;
  int64_t first_ = 0, last_ = 0, last_known_ = 0;
  std::vector<std::pair<int64_t, int64_t>> spans_;
};

}  // namespace

std::vector<FoundMoment> TrackIndex::meetings_of(size_t a, size_t b, double closer_m) const {
  const PathPoints &points_a = paths_[a].points, &points_b = paths_[b].points;
  Meeting meeting(closer_m, kLeaving_m, static_cast<int64_t>(std::floor(kMaxGap_s * frame_rate_)));
  const auto whole = [](const Block& block) {
    return block.end - block.first == static_cast<size_t>(kBlock);
  };
  auto at_a = index_[a].blocks.begin(), at_b = index_[b].blocks.begin();
  while (at_a != index_[a].blocks.end() && at_b != index_[b].blocks.end()) {
    if (at_a->number != at_b->number) {
      // Skips to the other's block: most tracks of a day never overlap.
      auto& behind = at_a->number < at_b->number ? at_a : at_b;
      const auto& blocks = at_a->number < at_b->number ? index_[a].blocks : index_[b].blocks;
      behind = std::ranges::lower_bound(behind, blocks.end(), std::max(at_a->number, at_b->number), {},
                                        &Block::number);
      continue;
    }
    const Block &one = *at_a++, &two = *at_b++;
    const Range range = distances(one.min_m, one.max_m, two.min_m, two.max_m);
    const bool settled = range.min_m > closer_m + kLeaving_m || range.max_m < closer_m;
    if (settled && whole(one) && whole(two)) {
      const int64_t first = one.number * kBlock;
      meeting.add_all(first, first + kBlock - 1, range.max_m < closer_m ? range.max_m : range.min_m);
      continue;
    }
    for (size_t i = one.first, j = two.first; i < one.end && j < two.end;) {
      const int64_t frame_a = points_a.frame(i), frame_b = points_b.frame(j);
      if (frame_a == frame_b) meeting.add(frame_a, (place_of(points_a[i]) - place_of(points_b[j])).norm());
      i += frame_a <= frame_b ? 1 : 0;
      j += frame_b <= frame_a ? 1 : 0;
    }
  }
  meeting.close();
  std::vector<FoundMoment> moments;
  for (const auto& [first, last] : meeting.spans()) {
    FoundMoment moment = moment_at(a, first, last);
    const FoundMoment other = moment_at(b, first, last);
    moment.other = other.person;
    moment.x_m = (moment.x_m + other.x_m) / 2, moment.y_m = (moment.y_m + other.y_m) / 2;
    moments.push_back(moment);
  }
  return moments;
}

std::vector<FoundMoment> TrackIndex::meetings(double closer_m, const FindFilter& filter) const {
  // Either may be the requested person, by ID and height.
  FindFilter anybody = filter;
  anybody.people.clear(), anybody.taller_m.reset(), anybody.shorter_m.reset();
  std::vector<size_t> all = candidates(anybody);
  const std::vector<size_t> asked = candidates(filter);
  std::vector<char> is_asked(paths_.size(), 0);
  for (const size_t i : asked) is_asked[i] = 1;
  std::ranges::sort(all, {}, [&](size_t i) { return paths_[i].points.frame(0); });
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < all.size(); ++i) {
    const PathPoints& points = paths_[all[i]].points;
    const int64_t end = points.frame(points.size() - 1);
    for (size_t j = i + 1; j < all.size() && paths_[all[j]].points.frame(0) <= end; ++j) {
      const auto pair = std::minmax(all[i], all[j]);
      if (is_asked[pair.first] || is_asked[pair.second]) pairs.emplace_back(pair.first, pair.second);
    }
  }
  std::vector<std::vector<FoundMoment>> parts(pairs.size());
  tbb::parallel_for(size_t{0}, pairs.size(), [&](size_t i) {
    const auto [a, b] = pairs[i];
    // The requested person comes first.
    const bool turned = !is_asked[a];
    for (const FoundMoment& moment : meetings_of(turned ? b : a, turned ? a : b, closer_m))
      if (wanted(moment, filter)) parts[i].push_back(moment);
  });
  return joined(parts);
}

}  // namespace vantage
