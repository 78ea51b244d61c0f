#include "core/counting/entrances.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace vantage {
namespace {

constexpr double kEdge_s = 0.5;
constexpr double kSamePlace_m = 0.6;
constexpr double kAround_m = 0.4;
constexpr int kCircle = 12;  // corners

struct Use {
  Eigen::Vector2d place_m;
  bool appeared = false;
};

std::vector<Use> uses_of(std::span<const PersonPath> paths, const FrameSpan& frames, double frame_rate) {
  const double edge = kEdge_s * frame_rate;
  std::vector<Use> uses;
  for (const PersonPath& path : paths) {
    if (path.points.empty()) continue;
    const PathPoint &first = path.points.front(), &last = path.points.back();
    if (static_cast<double>(first.frame - frames.first) > edge)
      uses.push_back({{first.x_m, first.y_m}, true});
    if (static_cast<double>(frames.last - last.frame) > edge) uses.push_back({{last.x_m, last.y_m}, false});
  }
  return uses;
}

// Chains of positions: for each the first of its chain.
std::vector<size_t> chains_of(const std::vector<Use>& uses) {
  std::vector<size_t> first(uses.size());
  std::iota(first.begin(), first.end(), size_t{0});
  const auto root = [&](size_t i) {
    while (first[i] != i) i = first[i] = first[first[i]];
    return i;
  };
  for (size_t i = 0; i < uses.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if ((uses[i].place_m - uses[j].place_m).norm() < kSamePlace_m) {
        const size_t a = root(i), b = root(j);
        first[std::max(a, b)] = std::min(a, b);
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

// To the centimetre: nobody knows more.
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
  std::vector<LearnedEntrance> entrances;
  for (size_t i = 0; i < uses.size(); ++i)
    if (chains[i] == i && std::count(chains.begin(), chains.end(), i) >= min_uses)
      entrances.push_back(entrance_of(uses, chains, i));
  std::stable_sort(entrances.begin(), entrances.end(), [](const auto& a, const auto& b) {
    return a.appeared + a.disappeared > b.appeared + b.disappeared;
  });
  for (size_t i = 0; i < entrances.size(); ++i) entrances[i].zone.name = "entrance " + std::to_string(i + 1);
  return entrances;
}

}  // namespace vantage
