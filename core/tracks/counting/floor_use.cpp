#include "core/tracks/counting/floor_use.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

double distance_m(const PathPoint& a, const PathPoint& b) {
  return std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
}

// -1 outside.
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
  std::vector<size_t> last_path(count, 0);  // who was counted last, from 1
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
