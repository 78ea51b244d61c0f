#include "core/tracks/counting/counting.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace vantage {
namespace {

Eigen::Vector2d place_of(const PathPoint& point) {
  return {point.x_m, point.y_m};
}

void add_crossings(const PersonPath& path, const FloorLine& line, std::vector<Crossing>* all) {
  std::optional<bool> side;        // on which one the person last was for certain: true is the left
  std::optional<Crossing> latest;  // since then
  int met = 0;
  PathPoint before;
  double before_left_m = 0;
  for (size_t i = 0; i < path.points.size(); ++i) {
    const PathPoint point = path.points[i];
    const double left_m = distance_left_m(line, place_of(point));
    const bool other_side = i > 0 && (left_m > 0) != (before_left_m > 0);
    if (other_side && meets(line, place_of(before), place_of(point))) {
      latest = Crossing{path.id, point.frame, false, point.x_m, point.y_m};
      ++met;
    }
    before = point, before_left_m = left_m;
    if (std::abs(left_m) <= kCountingMargin_m) continue;
    const bool now = left_m > 0;
    if (side && *side != now && met % 2 == 1) {
      latest->to_left = now;
      all->push_back(*latest);
    }
    side = now, met = 0;
  }
}

// Around a zone: a place beyond is more than kCountingMargin_m outside.
Eigen::AlignedBox2d surroundings(const FloorZone& zone) {
  Eigen::AlignedBox2d box;
  for (const Eigen::Vector2d& corner : zone.corners_m) box.extend(corner);
  const Eigen::Vector2d margin = Eigen::Vector2d::Constant(2 * kCountingMargin_m);
  return box.isEmpty() ? box : Eigen::AlignedBox2d(box.min() - margin, box.max() + margin);
}

void add_visits(const PersonPath& path, const FloorZone& zone, const Eigen::AlignedBox2d& around,
                std::vector<Visit>* all) {
  std::optional<Visit> visit;
  for (const PathPoint& point : path.points) {
    const double inside_m = around.contains(place_of(point)) ? distance_inside_m(zone, place_of(point))
                                                             : -std::numeric_limits<double>::infinity();
    if (inside_m >= 0) {
      if (!visit) visit = Visit{path.id, point.frame, point.frame};
      visit->last_frame = point.frame;
    } else if (visit && inside_m < -kCountingMargin_m) {
      all->push_back(*visit);
      visit.reset();
    }
  }
  if (visit) all->push_back(*visit);
}

}  // namespace

std::vector<Crossing> crossings(std::span<const PersonPath> paths, const FloorLine& line) {
  std::vector<Crossing> all;
  for (const PersonPath& path : paths) add_crossings(path, line, &all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Crossing& a, const Crossing& b) { return a.frame < b.frame; });
  return all;
}

std::vector<Visit> visits(std::span<const PersonPath> paths, const FloorZone& zone) {
  std::vector<Visit> all;
  const Eigen::AlignedBox2d around = surroundings(zone);
  for (const PersonPath& path : paths) add_visits(path, zone, around, &all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Visit& a, const Visit& b) { return a.first_frame < b.first_frame; });
  return all;
}

VisitCount::VisitCount(std::span<const Visit> visits) {
  for (const Visit& visit : visits) begins_.push_back(visit.first_frame), ends_.push_back(visit.last_frame);
  std::sort(begins_.begin(), begins_.end());
  std::sort(ends_.begin(), ends_.end());
}

int64_t VisitCount::at(int64_t frame) {
  while (begun_ < begins_.size() && begins_[begun_] <= frame) ++begun_;
  while (over_ < ends_.size() && ends_[over_] < frame) ++over_;
  return static_cast<int64_t>(begun_ - over_);
}

}  // namespace vantage
