#include "core/tracks/find/track_index.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/quantile.h"
#include "core/tracks/counting/counting.h"
#include "core/tracks/find/detail/moments.h"

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

// Whether the way from a to b meets the rectangle (Liang and Barsky).
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

// Paths of the people asked for, of that height, that have points in those frames.
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
  // No part of the border is near: all of it is inside, or all of it well outside.
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
  // On one side of the straight line, and clear of it.
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

}  // namespace vantage
