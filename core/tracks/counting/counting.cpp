#include "core/tracks/counting/counting.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace vantage {
namespace {

Eigen::Vector2d place_of(const PathPoint& point) {
  return {point.x_m, point.y_m};
}

void add_crossings(const PersonPath& path, const FloorLine& line, std::vector<Crossing>* all) {
  std::optional<bool> side;        // the last certain side: true is the left
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

// Around a zone: positions outside the box are more than kCountingMargin_m outside the zone.
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

std::vector<EventItem> group_events(std::span<const FloorEvent> events, double frame_rate) {
  std::vector<size_t> order(events.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return events[a].raised_frame < events[b].raised_frame; });
  const double max_frames = kTogether_s * frame_rate;
  std::vector<EventItem> items;
  for (const size_t index : order) {
    const FloorEvent& event = events[index];
    const auto joins = [&](const EventItem& item) {
      const FloorEvent& first = events[item.front()];
      return static_cast<double>(event.raised_frame - first.raised_frame) <= max_frames &&
             std::hypot(event.x_m - first.x_m, event.y_m - first.y_m) <= kTogether_m;
    };
    const auto item = std::find_if(items.rbegin(), items.rend(), joins);
    if (item == items.rend())
      items.push_back({index});
    else
      item->push_back(index);
  }
  return items;
}

double events_per_hour(size_t events, size_t known_frames, double frame_rate) {
  if (known_frames == 0 || frame_rate <= 0) return 0;
  return static_cast<double>(events) * 3600 * frame_rate / static_cast<double>(known_frames);
}

namespace {

double distance_m(const PathPoint& a, const PathPoint& b) {
  return std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
}

// Returns -1 outside.
int cell_of(const FloorCells& cells, const PathPoint& point) {
  const double x = std::floor((point.x_m - cells.left_m) / cells.cell_m);
  const double y = std::floor((point.y_m - cells.low_m) / cells.cell_m);
  if (!(x >= 0 && y >= 0 && x < cells.nx && y < cells.ny)) return -1;
  return static_cast<int>(x) + cells.nx * static_cast<int>(y);
}

}  // namespace

FloorUse floor_use(std::span<const PersonPath> paths, const FloorCells& cells, double frame_rate) {
  const size_t count = static_cast<size_t>(cells.nx) * static_cast<size_t>(cells.ny);
  FloorUse use{cells, std::vector<double>(count), std::vector<double>(count), std::vector<int>(count)};
  std::vector<size_t> last_path(count, 0);  // index of the path counted last, from 1
  for (size_t i = 0; i < paths.size(); ++i)
    for (size_t k = 0; k + 1 < paths[i].points.size(); ++k) {
      const PathPoint from = paths[i].points[k], to = paths[i].points[k + 1];
      const int at = cell_of(cells, from);
      if (at < 0) continue;
      const auto cell = static_cast<size_t>(at);
      use.person_s[cell] += static_cast<double>(to.frame - from.frame) / frame_rate;
      use.walked_m[cell] += distance_m(from, to);
      if (last_path[cell] != i + 1) ++use.people[cell];
      last_path[cell] = i + 1;
    }
  return use;
}

double speed_m_per_s(const PersonPath& path, size_t point, double frame_rate) {
  const auto frames = static_cast<int64_t>(std::max(1.0, std::round(kSpeed_s * frame_rate)));
  const PathPoint now = path.points[point];
  size_t before = point;
  while (before > 0 && now.frame - path.points.frame(before) < frames) --before;
  const int64_t passed = now.frame - path.points.frame(before);
  if (passed < frames) return 0;
  return distance_m(path.points[before], now) * frame_rate / static_cast<double>(passed);
}

std::vector<WalkFigures> walk_figures(std::span<const PersonPath> paths, double frame_rate) {
  std::vector<WalkFigures> all;
  for (const PersonPath& path : paths) {
    if (path.points.empty()) continue;
    WalkFigures figures{path.id, path.points.frame(0), path.points.back().frame};
    for (size_t i = 1; i < path.points.size(); ++i) {
      figures.walked_m += distance_m(path.points[i - 1], path.points[i]);
      figures.top_speed_m_per_s = std::max(figures.top_speed_m_per_s, speed_m_per_s(path, i, frame_rate));
    }
    const auto frames = static_cast<double>(figures.last_frame - figures.first_frame);
    if (frames > 0) figures.mean_speed_m_per_s = figures.walked_m * frame_rate / frames;
    all.push_back(figures);
  }
  return all;
}

}  // namespace vantage
