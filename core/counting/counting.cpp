#include "core/counting/counting.h"

#include <algorithm>
#include <cmath>
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
  for (size_t i = 0; i < path.points.size(); ++i) {
    const PathPoint& point = path.points[i];
    if (i > 0 && meets(line, place_of(path.points[i - 1]), place_of(point))) {
      latest = Crossing{path.id, point.frame, false, point.x_m, point.y_m};
      ++met;
    }
    const double left_m = distance_left_m(line, place_of(point));
    if (std::abs(left_m) <= kCountingMargin_m) continue;
    const bool now = left_m > 0;
    if (side && *side != now && met % 2 == 1) {
      latest->to_left = now;
      all->push_back(*latest);
    }
    side = now, met = 0;
  }
}

void add_visits(const PersonPath& path, const FloorZone& zone, std::vector<Visit>* all) {
  std::optional<Visit> visit;
  for (const PathPoint& point : path.points) {
    const double inside_m = distance_inside_m(zone, place_of(point));
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
  for (const PersonPath& path : paths) add_visits(path, zone, &all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Visit& a, const Visit& b) { return a.first_frame < b.first_frame; });
  return all;
}

}  // namespace vantage
