#include "core/display/walked_way.h"

#include <algorithm>
#include <utility>

namespace vantage {
namespace {

using Run = std::vector<Eigen::Vector2d>;

// Leaves out positions nearer than that to the one kept before; the last one stays.
void add_apart(const Eigen::Vector2d& place_m, double apart_m, Run* run) {
  const bool replaces =
      run->size() > 1 && ((*run)[run->size() - 1] - (*run)[run->size() - 2]).norm() < apart_m;
  if (replaces)
    run->back() = place_m;
  else
    run->push_back(place_m);
}

Run thinned(const Run& run, double apart_m) {
  Run thin;
  for (const Eigen::Vector2d& place_m : run) add_apart(place_m, apart_m, &thin);
  return thin;
}

double distance_m(const Eigen::Vector2d& place_m, const Eigen::Vector2d& from_m,
                  const Eigen::Vector2d& to_m) {
  const Eigen::Vector2d along = to_m - from_m;
  const double length = along.squaredNorm();
  const double share = length > 0 ? std::clamp((place_m - from_m).dot(along) / length, 0.0, 1.0) : 0;
  return (place_m - from_m - share * along).norm();
}

// Positions nearer than that to the lines between the others go. D. Douglas, T. Peucker, Cartographica 1973.
Run straightened(const Run& run, double tolerance_m) {
  if (run.size() < 3) return run;
  std::vector<bool> kept(run.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<size_t, size_t>> open = {{0, run.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    size_t farthest = first;
    double farthest_m = tolerance_m;
    for (size_t i = first + 1; i < last; ++i)
      if (const double away_m = distance_m(run[i], run[first], run[last]); away_m > farthest_m)
        farthest = i, farthest_m = away_m;
    if (farthest == first) continue;
    kept[farthest] = true;
    open.emplace_back(first, farthest);
    open.emplace_back(farthest, last);
  }
  Run straight;
  for (size_t i = 0; i < run.size(); ++i)
    if (kept[i]) straight.push_back(run[i]);
  return straight;
}

size_t size_of(const std::vector<Run>& runs) {
  size_t size = 0;
  for (const Run& run : runs) size += run.size();
  return size;
}

}  // namespace

std::vector<Run> walked_way(const PersonPath& path) {
  double tolerance_m = kWayTolerance_m / 2;  // of each of the two steps
  std::vector<Run> runs;
  for (int64_t next = 0; const PathPoint& point : path.points) {
    if (runs.empty() || point.frame != next) runs.emplace_back();
    add_apart({point.x_m, point.y_m}, tolerance_m, &runs.back());
    next = point.frame + 1;
  }
  for (Run& run : runs) run = straightened(run, tolerance_m);
  while (size_of(runs) > kManyWayPoints && 8 * tolerance_m <= kLongWayTolerance_m) {
    tolerance_m *= 2;
    for (Run& run : runs) run = straightened(thinned(run, tolerance_m), tolerance_m);
  }
  return runs;
}

}  // namespace vantage
