#include "core/tracks/doubts/doubts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <tuple>

#include "core/tracks/doubts/detail/kinds.h"
#include "core/tracks/doubts/detail/motion_link.h"

namespace vantage {
namespace doubt_detail {
namespace {

constexpr double kPlace_m = 0.1;         // of a sighting, in both axes
constexpr double kWander_m_per_s = 1.5;  // of a person of whom nothing else is known
constexpr double kDrift_m_per_s = 0.5;   // in addition to a velocity that is known
constexpr double kAcceleration_m_per_s2 = 1.5;
constexpr double kHeight_m = 0.05;    // of a mean height
constexpr double kStrangers_m = 0.1;  // of people's heights
constexpr double kLeastHeading_s = 0.15;

double seconds_between(const PathPoint& a, const PathPoint& b, double frame_rate) {
  return static_cast<double>(b.frame - a.frame) / frame_rate;
}

// The slope of the places over time, by least squares.
std::optional<Eigen::Vector2d> velocity(std::span<const PathPoint> seen, double frame_rate) {
  if (seen.size() < 2 || seconds_between(seen.front(), seen.back(), frame_rate) < kLeastHeading_s)
    return std::nullopt;
  const double count = static_cast<double>(seen.size());
  double mean_s = 0;
  Eigen::Vector2d mean_m = Eigen::Vector2d::Zero();
  for (const PathPoint& point : seen) {
    mean_s += seconds_between(seen.front(), point, frame_rate) / count;
    mean_m += Eigen::Vector2d(point.x_m, point.y_m) / count;
  }
  double squares = 0;
  Eigen::Vector2d products = Eigen::Vector2d::Zero();
  for (const PathPoint& point : seen) {
    const double s = seconds_between(seen.front(), point, frame_rate) - mean_s;
    squares += s * s;
    products += s * (Eigen::Vector2d(point.x_m, point.y_m) - mean_m);
  }
  return products / squares;
}

// The sightings that lie at most that long before (behind) one, which is the last (first) of them.
std::span<const PathPoint> around(const std::vector<PathPoint>& seen, size_t at, double frame_rate, double s,
                                  bool before) {
  size_t first = at, end = at + 1;
  if (before)
    while (first > 0 && seconds_between(seen[first - 1], seen[at], frame_rate) <= s) --first;
  else
    while (end < seen.size() && seconds_between(seen[at], seen[end], frame_rate) <= s) ++end;
  return {seen.data() + first, end - first};
}

Heading heading(const std::vector<PathPoint>& seen, size_t at, double frame_rate, bool before) {
  return {{seen[at].x_m, seen[at].y_m},
          velocity(around(seen, at, frame_rate, kHeading_s, before), frame_rate)};
}

MeanHeight mean_height(std::span<const PathPoint> seen) {
  MeanHeight mean{0, static_cast<int>(seen.size())};
  for (const PathPoint& point : seen) mean.height_m += point.height_m / static_cast<double>(seen.size());
  return mean;
}

double normal_cost(double difference, double deviation) {
  return difference * difference / (2 * deviation * deviation) + std::log(deviation);
}

}  // namespace

std::vector<PathPoint> sightings(const PersonPath& path) {
  std::vector<PathPoint> seen;
  std::ranges::copy_if(path.points, std::back_inserter(seen), &PathPoint::seen);
  return seen;
}

Heading heading_before(const std::vector<PathPoint>& seen, size_t at, double frame_rate) {
  return heading(seen, at, frame_rate, true);
}

Heading heading_behind(const std::vector<PathPoint>& seen, size_t at, double frame_rate) {
  return heading(seen, at, frame_rate, false);
}

double link_cost(const Heading& from, const Heading& to, double dt_s) {
  const auto &v = from.velocity_m_per_s, &w = to.velocity_m_per_s;
  Eigen::Vector2d expected_m = Eigen::Vector2d::Zero();
  if (v && w)
    expected_m = (*v + *w) / 2 * dt_s;
  else if (v || w)
    expected_m = (v ? *v : *w) * dt_s;
  const double walk_m = (v || w ? kDrift_m_per_s : kWander_m_per_s) * dt_s;
  // The longer it is, the less the old velocity tells.
  const double turn_m = v && w ? 0 : (v || w ? kAcceleration_m_per_s2 * dt_s * dt_s / 2 : 0);
  const double variance = 2 * kPlace_m * kPlace_m + walk_m * walk_m + turn_m * turn_m;
  double cost = (to.place_m - from.place_m - expected_m).squaredNorm() / (2 * variance) +
                std::log(2 * std::numbers::pi * variance);
  if (v && w) {
    const double change = kAcceleration_m_per_s2 * (kHeading_s + dt_s);
    const double slope = 2 * kPlace_m / kHeading_s;  // of a velocity from few sightings
    cost += std::min(kMostTurn, (*w - *v).squaredNorm() / (2 * (2 * slope * slope + change * change)));
  }
  return cost;
}

MeanHeight height_before(const std::vector<PathPoint>& seen, size_t at, double frame_rate) {
  return mean_height(around(seen, at, frame_rate, kHeights_s, true));
}

MeanHeight height_behind(const std::vector<PathPoint>& seen, size_t at, double frame_rate) {
  return mean_height(around(seen, at, frame_rate, kHeights_s, false));
}

double height_cost(const MeanHeight& a, const MeanHeight& b) {
  return normal_cost(a.height_m - b.height_m, std::numbers::sqrt2 * kHeight_m);
}

double strangers_cost(const MeanHeight& a, const MeanHeight& b) {
  return normal_cost(a.height_m - b.height_m, std::numbers::sqrt2 * std::hypot(kHeight_m, kStrangers_m));
}

}  // namespace doubt_detail

std::string_view doubt_name(DoubtKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"passage", "gap", "restart"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<Doubt> doubtful_identities(const TrackIndex& tracks, int64_t known_to, double least) {
  std::vector<Doubt> doubts = doubt_detail::passages(tracks, least);
  const std::vector<Doubt> others = doubt_detail::gaps_and_restarts(tracks, known_to, least);
  doubts.insert(doubts.end(), others.begin(), others.end());
  std::ranges::sort(doubts, {}, [](const Doubt& one) {
    return std::tuple(one.before.frame, one.person, one.other, one.kind);
  });
  return doubts;
}

}  // namespace vantage
