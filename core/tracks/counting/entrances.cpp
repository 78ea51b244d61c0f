#include "core/tracks/counting/entrances.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

namespace vantage {
namespace {

constexpr double kEdge_s = 0.5;
constexpr double kSamePlace_m = 0.6;
constexpr double kAround_m = 0.4;
constexpr int kCircle = 12;               // corners
constexpr double kFarthest_cells = 1e15;  // maximum of countable cells

struct Use {
  Eigen::Vector2d place_m;
  bool appeared = false;
};

std::vector<Use> uses_of(std::span<const PersonPath> paths, const FrameSpan& frames, double frame_rate) {
  const double edge = kEdge_s * frame_rate;
  std::vector<Use> uses;
  const auto add = [&](const PathPoint& point, bool appeared) {
    if (std::isfinite(point.x_m) && std::isfinite(point.y_m))
      uses.push_back({{point.x_m, point.y_m}, appeared});
  };
  for (const PersonPath& path : paths) {
    if (path.points.empty()) continue;
    const PathPoint first = path.points.front(), last = path.points.back();
    if (static_cast<double>(first.frame - frames.first) > edge) add(first, true);
    if (static_cast<double>(frames.last - last.frame) > edge) add(last, false);
  }
  return uses;
}

using Cell = std::pair<int64_t, int64_t>;

// Cell of a position, so small that all positions in a cell belong together.
Cell cell_of(const Eigen::Vector2d& place_m) {
  constexpr double kSide_m = kSamePlace_m / std::numbers::sqrt2;
  const auto along = [](double m) {
    return static_cast<int64_t>(std::clamp(std::floor(m / kSide_m), -kFarthest_cells, kFarthest_cells));
  };
  return {along(place_m.x()), along(place_m.y())};
}

// For each position the first of its chain. A day has tens of thousands, so only those of neighbouring cells
// are compared, until two belong together.
std::vector<size_t> chains_of(const std::vector<Use>& uses) {
  constexpr int64_t kReach = 2;  // cells
  std::vector<size_t> first(uses.size());
  std::iota(first.begin(), first.end(), size_t{0});
  const auto root = [&](size_t i) {
    while (first[i] != i) i = first[i] = first[first[i]];
    return i;
  };
  const auto join = [&](size_t i, size_t j) {
    const size_t a = root(i), b = root(j);
    first[std::max(a, b)] = std::min(a, b);
  };
  std::map<Cell, std::vector<size_t>> cells;
  for (size_t i = 0; i < uses.size(); ++i) {
    std::vector<size_t>& cell = cells[cell_of(uses[i].place_m)];
    cell.push_back(i);
    join(cell.front(), i);
  }
  const auto touch = [&](const std::vector<size_t>& some, const std::vector<size_t>& others) {
    return std::any_of(some.begin(), some.end(), [&](size_t i) {
      return std::any_of(others.begin(), others.end(),
                         [&](size_t j) { return (uses[i].place_m - uses[j].place_m).norm() < kSamePlace_m; });
    });
  };
  for (const auto& [cell, some] : cells)
    for (int64_t dx = 0; dx <= kReach; ++dx)
      for (int64_t dy = dx == 0 ? 1 : -kReach; dy <= kReach; ++dy) {
        const auto other = cells.find({cell.first + dx, cell.second + dy});
        if (other != cells.end() && root(some.front()) != root(other->second.front()) &&
            touch(some, other->second))
          join(some.front(), other->second.front());
      }
  for (size_t i = 0; i < uses.size(); ++i) first[i] = root(i);
  return first;
}

// Anticlockwise; Andrew's monotone chain.
std::vector<Eigen::Vector2d> convex_hull(std::vector<Eigen::Vector2d> places) {
  std::sort(places.begin(), places.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  const auto half = [&](auto begin, auto end) {
    std::vector<Eigen::Vector2d> chain;
    for (auto place = begin; place != end; ++place) {
      const auto turns_right = [&] {
        const Eigen::Vector2d a = chain.back() - chain[chain.size() - 2], b = *place - chain.back();
        return a.x() * b.y() - a.y() * b.x() <= 0;
      };
      while (chain.size() >= 2 && turns_right()) chain.pop_back();
      chain.push_back(*place);
    }
    chain.pop_back();
    return chain;
  };
  std::vector<Eigen::Vector2d> hull = half(places.begin(), places.end());
  const std::vector<Eigen::Vector2d> upper = half(places.rbegin(), places.rend());
  hull.insert(hull.end(), upper.begin(), upper.end());
  return hull;
}

// Rounded to the centimetre: positions are not known better.
Eigen::Vector2d rounded(const Eigen::Vector2d& place) {
  return {std::round(place.x() * 100) / 100, std::round(place.y() * 100) / 100};
}

LearnedEntrance entrance_of(const std::vector<Use>& uses, const std::vector<size_t>& chains, size_t chain) {
  LearnedEntrance entrance;
  std::vector<Eigen::Vector2d> around;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (chains[i] != chain) continue;
    ++(uses[i].appeared ? entrance.appeared : entrance.disappeared);
    for (int k = 0; k < kCircle; ++k) {
      const double angle = 2 * std::numbers::pi * k / kCircle;
      around.push_back(
          rounded(uses[i].place_m + kAround_m * Eigen::Vector2d(std::cos(angle), std::sin(angle))));
    }
  }
  entrance.zone = {{}, convex_hull(std::move(around)), ZoneKind::entrance};
  return entrance;
}

}  // namespace

std::vector<LearnedEntrance> learn_entrances(std::span<const PersonPath> paths, const FrameSpan& frames,
                                             double frame_rate, int64_t min_uses) {
  const std::vector<Use> uses = uses_of(paths, frames, frame_rate);
  const std::vector<size_t> chains = chains_of(uses);
  std::vector<int64_t> sizes(uses.size());
  for (const size_t chain : chains) ++sizes[chain];
  std::vector<LearnedEntrance> entrances;
  for (size_t i = 0; i < uses.size(); ++i)
    if (chains[i] == i && sizes[i] >= min_uses) entrances.push_back(entrance_of(uses, chains, i));
  std::stable_sort(entrances.begin(), entrances.end(), [](const auto& a, const auto& b) {
    return a.appeared + a.disappeared > b.appeared + b.disappeared;
  });
  for (size_t i = 0; i < entrances.size(); ++i) entrances[i].zone.name = "entrance " + std::to_string(i + 1);
  return entrances;
}

}  // namespace vantage
