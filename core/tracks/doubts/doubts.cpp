#include "core/tracks/doubts/doubts.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <tuple>

#include "core/tracks/doubts/detail/motion_link.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

namespace doubt_detail {
namespace {

constexpr double kPlace_m = 0.1;         // a sighting's, in both axes
constexpr double kWander_m_per_s = 1.5;  // a person's without a known velocity
constexpr double kDrift_m_per_s = 0.5;   // added to a known velocity
constexpr double kAcceleration_m_per_s2 = 1.5;
constexpr double kHeight_m = 0.05;    // deviation of a mean height
constexpr double kStrangers_m = 0.1;  // deviation of heights between people
constexpr double kLeastHeading_s = 0.15;

double seconds_between(const PathPoint& a, const PathPoint& b, double frame_rate) {
  return static_cast<double>(b.frame - a.frame) / frame_rate;
}

// Least-squares slope of the positions over time.
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

// The sightings within that time before (after) one, which is the last (first) of them.
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
  // The longer the gap, the less the old velocity matters.
  const double turn_m = v && w ? 0 : (v || w ? kAcceleration_m_per_s2 * dt_s * dt_s / 2 : 0);
  const double variance = 2 * kPlace_m * kPlace_m + walk_m * walk_m + turn_m * turn_m;
  double cost = (to.place_m - from.place_m - expected_m).squaredNorm() / (2 * variance) +
                std::log(2 * std::numbers::pi * variance);
  if (v && w) {
    const double change = kAcceleration_m_per_s2 * (kHeading_s + dt_s);
    const double slope = 2 * kPlace_m / kHeading_s;  // deviation of a velocity from few sightings
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

std::string question_of(const Doubt& doubt, const std::string& person, const std::string& other,
                        double frame_rate) {
  const double seconds = static_cast<double>(doubt.behind.frame - doubt.before.frame) / frame_rate;
  switch (doubt.kind) {
    case DoubtKind::passage:
      return person + " and " + other +
             fmt::format(" came within {:.2f} m of each other. Have they exchanged their IDs?",
                         doubt.nearest_m);
    case DoubtKind::gap:
      return person +
             fmt::format(" was not seen for {:.1f} s, and came back {:.2f} m away. Is it another person?",
                         seconds, doubt.nearest_m);
    case DoubtKind::restart:
      break;
  }
  return person + fmt::format(" was lost; {:.1f} s later and {:.2f} m away ", seconds, doubt.nearest_m) +
         other + " was found. Are they one person?";
}

namespace {

PlaceInTime place_of(const PersonReturn::Place& place) {
  return {place.frame, place.x_m, place.y_m};
}

// Returns are between the same two sightings as the gap or restart that they replace.
void put_return(const TrackIndex& tracks, const PersonReturn& found, double least,
                std::vector<Doubt>* doubts) {
  const auto left = person_at(tracks.paths(), place_of(found.left)),
             came = person_at(tracks.paths(), place_of(found.came));
  if (!left || !came) return;  // repaired
  const int64_t person = tracks.paths()[*left].id, other = tracks.paths()[*came].id;
  const bool one = person == other;
  std::erase_if(*doubts, [&](const Doubt& doubt) {
    return doubt.before.frame == found.left.frame && doubt.behind.frame == found.came.frame &&
           doubt.person == person && (one ? doubt.kind == DoubtKind::gap : doubt.other == other);
  });
  const double wrong = one ? 1 - found.probability : found.probability;
  if (wrong < least) return;
  doubts->push_back({one ? DoubtKind::gap : DoubtKind::restart,
                     person,
                     one ? 0 : other,
                     place_of(found.left),
                     place_of(found.came),
                     {},
                     std::hypot(found.came.x_m - found.left.x_m, found.came.y_m - found.left.y_m),
                     wrong});
}

}  // namespace

std::vector<Doubt> doubtful_identities(const TrackIndex& tracks, int64_t known_to, double least,
                                       std::span<const PersonReturn> returns) {
  std::vector<Doubt> doubts = doubt_detail::passages(tracks, least);
  const std::vector<Doubt> others = doubt_detail::gaps_and_restarts(tracks, known_to, least);
  doubts.insert(doubts.end(), others.begin(), others.end());
  for (const PersonReturn& one : returns) put_return(tracks, one, least, &doubts);
  std::ranges::sort(doubts, {}, [](const Doubt& one) {
    return std::tuple(one.before.frame, one.person, one.other, one.kind);
  });
  return doubts;
}

// Translates answers to doubts into repairs, and finds the repairs that answer a doubt.

namespace {

bool stands_there(std::span<const PersonPath> paths, const PlaceInTime& place, const Doubt& doubt) {
  const std::optional<size_t> there = person_at(paths, place);
  return there && (paths[*there].id == doubt.person || (doubt.other > 0 && paths[*there].id == doubt.other));
}

bool answers(const Doubt& doubt, std::span<const PersonPath> paths, const IdentityRepair& repair) {
  switch (repair.kind) {
    case RepairKind::swap:
      if (doubt.kind != DoubtKind::passage || !stands_there(paths, repair.other, doubt)) return false;
      [[fallthrough]];
    case RepairKind::split:
      return repair.at.frame >= doubt.before.frame && repair.at.frame <= doubt.behind.frame &&
             stands_there(paths, repair.at, doubt);
    case RepairKind::join:
    case RepairKind::same:
    case RepairKind::apart: {
      const auto [first, last] = std::minmax(repair.at.frame, repair.other.frame);
      return first <= doubt.before.frame && last >= doubt.behind.frame &&
             stands_there(paths, repair.at, doubt) && stands_there(paths, repair.other, doubt);
    }
    case RepairKind::remove:
    case RepairKind::name:
      return false;
  }
  return false;
}

}  // namespace

std::vector<IntendedRepair> repairs_for(const Doubt& doubt, DoubtAnswer answer) {
  const bool passage = doubt.kind == DoubtKind::passage, restart = doubt.kind == DoubtKind::restart;
  const int64_t who_behind = restart ? doubt.other : doubt.person;
  const auto of_two = [&](RepairKind kind) {
    return IntendedRepair{{kind, doubt.before, doubt.behind}, doubt.person, who_behind};
  };
  const IntendedRepair cut{{RepairKind::split, doubt.behind, {}}, doubt.person, 0};
  switch (answer) {
    case DoubtAnswer::right:
      return {of_two(restart ? RepairKind::apart : RepairKind::same)};
    case DoubtAnswer::other:
      if (restart) return {of_two(RepairKind::join)};
      if (!passage) return {cut};
      return {{{RepairKind::swap, doubt.behind, doubt.other_behind}, doubt.person, doubt.other}};
    case DoubtAnswer::cut:
      if (restart) return {};  // they are two already
      if (!passage) return {cut};
      return {cut, {{RepairKind::split, doubt.other_behind, {}}, doubt.other, 0}};
  }
  return {};
}

bool is_answered(const Doubt& doubt, std::span<const PersonPath> paths,
                 const std::vector<IdentityRepair>& repairs) {
  return std::ranges::any_of(repairs, [&](const IdentityRepair& one) { return answers(doubt, paths, one); });
}

std::vector<Doubt> unanswered(std::vector<Doubt> doubts, std::span<const PersonPath> paths,
                              const std::vector<IdentityRepair>& repairs) {
  std::erase_if(doubts, [&](const Doubt& doubt) { return is_answered(doubt, paths, repairs); });
  return doubts;
}

}  // namespace vantage

namespace vantage::doubt_detail {

// People who were not seen for a while, and tracks that begin where another ended.

namespace {

constexpr double kShortest_s = 0.8, kLongest_s = 10;
constexpr double kReturn_s = 2;  // mean time until a lost person is seen again
constexpr double kAround_m = 1.5, kNeighbours_m = 2;
constexpr double kLeastArea_m2 = 10;
constexpr int kTurns = 4;
constexpr double kMaxSpeed_m_per_s = 2.5;

// A sighting that ends or begins a track or gap.
struct End {
  size_t path = 0, at = 0;
  PathPoint point;
  double is_new = 1;  // start: probability that it is not a lost person who returned
};

double way_m(const PathPoint& a, const PathPoint& b) {
  return std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
}

class Gaps {
 public:
  Gaps(const TrackIndex& tracks, int64_t known_to) : tracks_(tracks), rate_(tracks.frame_rate()) {
    Eigen::Vector2d min_m(1e9, 1e9), max_m(-1e9, -1e9);
    int64_t first = INT64_MAX, last = known_to;
    for (const PersonPath& path : tracks.paths()) {
      seen_.push_back(sightings(path));
      for (const PathPoint& point : seen_.back()) {
        const Eigen::Vector2d place(point.x_m, point.y_m);
        min_m = min_m.cwiseMin(place), max_m = max_m.cwiseMax(place);
        first = std::min(first, point.frame), last = std::max(last, point.frame);
      }
    }
    if (first > last) return;
    length_s_ = std::max(1.0, static_cast<double>(last - first) / rate_);
    area_m2_ = std::max(kLeastArea_m2, (max_m - min_m).prod());
    const auto edge = static_cast<int64_t>(std::ceil(kShortest_s * rate_));
    for (size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i].empty()) continue;
      const size_t end = seen_[i].size() - 1;
      if (seen_[i][0].frame > first + edge) starts_.push_back({i, 0, seen_[i][0]});
      if (seen_[i][end].frame < last - edge) ends_.push_back({i, end, seen_[i][end]});
    }
    std::ranges::sort(starts_, {}, [](const End& one) { return one.point.frame; });
  }

  void add_gaps(double least, std::vector<Doubt>* doubts) const {
    for (size_t i = 0; i < seen_.size(); ++i)
      for (size_t k = 0; k + 1 < seen_[i].size(); ++k) {
        const PathPoint &from = seen_[i][k], &to = seen_[i][k + 1];
        if (seconds(from, to) < kShortest_s) continue;
        const double odds = std::exp(-cost_one({i, k, from}, {i, k + 1, to})) / others_around(i, from, to);
        add({DoubtKind::gap, id(i), 0}, from, to, 1 / (1 + odds), least, doubts);
      }
  }

  // An end and a start that are one exclude all others of either. Starts that continue a track are not new
  // people: the probabilities of both, and the rate of new people, are iterated.
  void add_restarts(double least, std::vector<Doubt>* doubts) {
    std::vector<Link> links = links_between();
    std::vector<double> of_end, of_start;
    for (int turn = 0; turn < kTurns; ++turn) {
      of_end.assign(ends_.size(), 0), of_start.assign(starts_.size(), 0);
      for (Link& link : links) {
        link.odds = link.density / rate_around(starts_[link.start].point, &starts_[link.start]);
        of_end[link.end] += link.odds, of_start[link.start] += link.odds;
      }
      for (size_t i = 0; i < starts_.size(); ++i) starts_[i].is_new = 1 / (1 + of_start[i]);
    }
    for (const Link& link : links) {
      const double one = link.odds / (1 + of_end[link.end] + of_start[link.start] - link.odds);
      const End &end = ends_[link.end], &start = starts_[link.start];
      add({DoubtKind::restart, id(end.path), id(start.path)}, end.point, start.point, one, least, doubts);
    }
  }

 private:
  struct Link {
    size_t end = 0, start = 0;
    double density = 0;  // density of the end's person at that position and time, per m^2 and second
    double odds = 0;     // odds that both are one person
  };

  std::vector<Link> links_between() const {
    std::vector<Link> links;
    for (size_t e = 0; e < ends_.size(); ++e) {
      const PathPoint& from = ends_[e].point;
      for (auto s = std::ranges::upper_bound(starts_, from.frame, {},
                                             [](const End& one) { return one.point.frame; });
           s != starts_.end() && seconds(from, s->point) <= kLongest_s; ++s) {
        const double dt = seconds(from, s->point);
        if (way_m(from, s->point) > 0.5 + kMaxSpeed_m_per_s * dt) continue;
        links.push_back({e, static_cast<size_t>(s - starts_.begin()),
                         std::exp(-cost_one(ends_[e], *s) - dt / kReturn_s) / kReturn_s});
      }
    }
    return links;
  }

  int64_t id(size_t path) const { return tracks_.paths()[path].id; }
  double seconds(const PathPoint& a, const PathPoint& b) const {
    return static_cast<double>(b.frame - a.frame) / rate_;
  }

  // Rate of new people around a position, per m^2 and second, without that start.
  double rate_around(const PathPoint& place, const End* without = nullptr) const {
    double count = 0;
    for (const End& start : starts_)
      if (&start != without && way_m(start.point, place) <= kAround_m) count += start.is_new;
    return (count / (std::numbers::pi * kAround_m * kAround_m) + 1 / area_m2_) / length_s_;
  }

  // Density, per m^2, of other people who were there meanwhile or may have come, and may be the person found.
  double others_around(size_t path, const PathPoint& from, const PathPoint& to) const {
    int count = 0;
    for (size_t i = 0; i < seen_.size(); ++i) {
      if (i == path) continue;
      auto point = std::ranges::lower_bound(seen_[i], from.frame, {}, &PathPoint::frame);
      while (point != seen_[i].end() && point->frame <= to.frame && way_m(*point, to) > kNeighbours_m)
        ++point;
      if (point != seen_[i].end() && point->frame <= to.frame) ++count;
    }
    return count / (std::numbers::pi * kNeighbours_m * kNeighbours_m) + rate_around(to) * seconds(from, to);
  }

  // Negative log density, per m^2, that both sightings are one person, with heights relative to strangers'.
  double cost_one(const End& from, const End& to) const {
    const std::vector<PathPoint>&before = seen_[from.path], &behind = seen_[to.path];
    const MeanHeight a = height_before(before, from.at, rate_), b = height_behind(behind, to.at, rate_);
    return link_cost(heading_before(before, from.at, rate_), heading_behind(behind, to.at, rate_),
                     seconds(from.point, to.point)) +
           height_cost(a, b) - strangers_cost(a, b);
  }

  static void add(Doubt doubt, const PathPoint& before, const PathPoint& behind, double wrong, double least,
                  std::vector<Doubt>* doubts) {
    if (wrong < least) return;
    doubt.before = place_in_time(before), doubt.behind = place_in_time(behind);
    doubt.nearest_m = way_m(before, behind);
    doubt.wrong = wrong;
    doubts->push_back(doubt);
  }

  const TrackIndex& tracks_;
  const double rate_;
  double length_s_ = 1, area_m2_ = 1;
  std::vector<std::vector<PathPoint>> seen_;  // one per path
  std::vector<End> starts_, ends_;            // within the recording
};

}  // namespace

std::vector<Doubt> gaps_and_restarts(const TrackIndex& tracks, int64_t known_to, double least) {
  Gaps gaps(tracks, known_to);
  std::vector<Doubt> doubts;
  gaps.add_gaps(least, &doubts);
  gaps.add_restarts(least, &doubts);
  return doubts;
}

}  // namespace vantage::doubt_detail
