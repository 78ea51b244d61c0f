// People who were not seen for a while, and tracks that begin where another ended.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/tracks/doubts/detail/kinds.h"
#include "core/tracks/doubts/detail/motion_link.h"

namespace vantage::doubt_detail {
namespace {

constexpr double kShortest_s = 0.8, kLongest_s = 10;
constexpr double kReturn_s = 2;  // after which a lost person is seen again, in the mean
constexpr double kAround_m = 1.5, kNeighbours_m = 2;
constexpr double kLeastArea_m2 = 10;
constexpr int kTurns = 4;
constexpr double kMaxSpeed_m_per_s = 2.5;

// A sighting that something ends or begins with.
struct End {
  size_t path = 0, at = 0;
  PathPoint point;
  double is_new = 1;  // of a start: the probability that no one was lost who came back so
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

  // An end and a start that are one exclude all others of either. Starts that go on a track are no new
  // people: how likely each is one, and how many there are, is found in turns.
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
    double density = 0;  // of the person of the end, there and then, per m^2 and second
    double odds = 0;     // that they are one
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

  // The rate at which new people are found around there, per m^2 and second, without that start.
  double rate_around(const PathPoint& place, const End* without = nullptr) const {
    double count = 0;
    for (const End& start : starts_)
      if (&start != without && way_m(start.point, place) <= kAround_m) count += start.is_new;
    return (count / (std::numbers::pi * kAround_m * kAround_m) + 1 / area_m2_) / length_s_;
  }

  // Others who were there meanwhile, or may have come, per m^2: the person found then may be one of these.
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

  // -log of the density, per m^2, that the later sighting is of the same person, of heights as another's.
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
  std::vector<std::vector<PathPoint>> seen_;  // by path
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
