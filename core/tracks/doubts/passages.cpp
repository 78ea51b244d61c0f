// Doubts about two people who came near each other. Between two sightings of both, C_keep and C_swap are the
// costs, in nats, of each continuing as in the tracks, or as the other (detail/motion_link.h). An exchange
// there has the probability p = 1 / (1 + exp(C_swap - C_keep)), an odd number of exchanges over the passage
// (1 - prod(1 - 2 p)) / 2. The people's mean heights before and after it then change the odds.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include "core/tracks/doubts/detail/motion_link.h"
#include "core/tracks/doubts/doubts.h"

namespace vantage::doubt_detail {
namespace {

// Maximum distance of the people: the trackers' own limit of speed excludes exchanges over more.
constexpr double kNear_m = 2;
// Minimum probability of a step of a passage, and maximum time between two steps of one.
constexpr double kLeastStep = 1e-4, kApart_s = 1;
constexpr double kMostHeights = 4;  // nats: a height may be wrong throughout a track

// Sightings of both people in the same frames.
struct Pair {
  const PersonPath *a = nullptr, *b = nullptr;
  std::vector<PathPoint> seen_a, seen_b;
  std::vector<std::pair<size_t, size_t>> both;  // one frame's, ascending
};

Pair pair_of(const PersonPath& a, const PersonPath& b) {
  Pair pair{&a, &b, sightings(a), sightings(b), {}};
  for (size_t i = 0, k = 0; i < pair.seen_a.size() && k < pair.seen_b.size();) {
    const int64_t at_a = pair.seen_a[i].frame, at_b = pair.seen_b[k].frame;
    if (at_a == at_b) pair.both.emplace_back(i, k);
    i += at_a <= at_b ? 1 : 0;
    k += at_b <= at_a ? 1 : 0;
  }
  return pair;
}

// Probability that they exchanged IDs between two of these frames.
double exchanged(const Pair& pair, size_t step, double frame_rate) {
  const auto [a0, b0] = pair.both[step];
  const auto [a1, b1] = pair.both[step + 1];
  const double dt = static_cast<double>(pair.seen_a[a1].frame - pair.seen_a[a0].frame) / frame_rate;
  const Heading from_a = heading_before(pair.seen_a, a0, frame_rate),
                from_b = heading_before(pair.seen_b, b0, frame_rate),
                to_a = heading_behind(pair.seen_a, a1, frame_rate),
                to_b = heading_behind(pair.seen_b, b1, frame_rate);
  const double keep = link_cost(from_a, to_a, dt) + link_cost(from_b, to_b, dt),
               swap = link_cost(from_a, to_b, dt) + link_cost(from_b, to_a, dt);
  return 1 / (1 + std::exp(swap - keep));
}

double distance_m(const Pair& pair, size_t at) {
  const PathPoint &a = pair.seen_a[pair.both[at].first], &b = pair.seen_b[pair.both[at].second];
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

// Evidence of the heights for an exchange between the two, in nats.
double heights_for(const Pair& pair, size_t first, size_t last, double frame_rate) {
  const MeanHeight a = height_before(pair.seen_a, pair.both[first].first, frame_rate),
                   b = height_before(pair.seen_b, pair.both[first].second, frame_rate),
                   a_behind = height_behind(pair.seen_a, pair.both[last].first, frame_rate),
                   b_behind = height_behind(pair.seen_b, pair.both[last].second, frame_rate);
  const double keep = height_cost(a, a_behind) + height_cost(b, b_behind),
               swap = height_cost(a, b_behind) + height_cost(b, a_behind);
  return std::clamp(keep - swap, -kMostHeights, kMostHeights);
}

// Passage over these steps; last + 1 is the frame after it.
Doubt passage_of(const Pair& pair, size_t first, size_t last, double kept_apart, double frame_rate) {
  Doubt doubt{.kind = DoubtKind::passage, .person = pair.a->id, .other = pair.b->id};
  doubt.before = place_in_time(pair.seen_a[pair.both[first].first]);
  doubt.behind = place_in_time(pair.seen_a[pair.both[last + 1].first]);
  doubt.other_behind = place_in_time(pair.seen_b[pair.both[last + 1].second]);
  doubt.nearest_m = distance_m(pair, first);
  for (size_t i = first + 1; i <= last + 1; ++i)
    doubt.nearest_m = std::min(doubt.nearest_m, distance_m(pair, i));
  const double odd = (1 - kept_apart) / 2;
  const double nats = std::log(odd / (1 - odd)) + heights_for(pair, first, last + 1, frame_rate);
  doubt.wrong = 1 / (1 + std::exp(-nats));
  return doubt;
}

// `near`: intervals in which they were near each other, in order.
void add_passages(const Pair& pair, std::span<const FoundMoment> near, double frame_rate, double least,
                  std::vector<Doubt>* doubts) {
  const auto frame = [&](size_t i) { return pair.seen_a[pair.both[i].first].frame; };
  const auto apart = static_cast<int64_t>(std::ceil(kApart_s * frame_rate));
  size_t first = 0, last = 0;
  double kept_apart = 1;  // the product of 1 - 2 p
  bool open = false;
  // An exchange that gives either person less than that of the other's track is not worth examining.
  const auto matters = [&] {
    const int64_t begins = std::min(pair.seen_a.front().frame, pair.seen_b.front().frame),
                  ends = std::max(pair.seen_a.back().frame, pair.seen_b.back().frame);
    return frame(first) - begins >= apart && ends - frame(last + 1) >= apart;
  };
  const auto close = [&] {
    if (open && matters())
      if (Doubt doubt = passage_of(pair, first, last, kept_apart, frame_rate); doubt.wrong >= least)
        doubts->push_back(doubt);
    open = false, kept_apart = 1;
  };
  for (size_t i = 0; i + 1 < pair.both.size(); ++i) {
    while (!near.empty() && near.front().last_frame < frame(i)) near = near.subspan(1);
    if (near.empty()) break;
    if (near.front().first_frame > frame(i + 1)) continue;
    const double p = exchanged(pair, i, frame_rate);
    if (p < kLeastStep) continue;
    if (open && frame(i) - frame(last + 1) > apart) close();
    if (!open) first = i;
    open = true, last = i;
    kept_apart *= 1 - 2 * p;
  }
  close();
}

}  // namespace

std::vector<Doubt> passages(const TrackIndex& tracks, double least) {
  const std::vector<FoundMoment> near = tracks.meetings(kNear_m, {});
  std::vector<std::vector<FoundMoment>> by_pair;
  {
    std::vector<FoundMoment> sorted = near;
    std::ranges::stable_sort(sorted, {},
                             [](const FoundMoment& one) { return std::pair(one.person, one.other); });
    for (const FoundMoment& moment : sorted)
      if (by_pair.empty() || by_pair.back().front().person != moment.person ||
          by_pair.back().front().other != moment.other)
        by_pair.push_back({moment});
      else
        by_pair.back().push_back(moment);
  }
  std::unordered_map<int64_t, const PersonPath*> path_of;
  for (const PersonPath& path : tracks.paths()) path_of[path.id] = &path;
  std::vector<std::vector<Doubt>> parts(by_pair.size());
  tbb::parallel_for(size_t{0}, by_pair.size(), [&](size_t i) {
    const Pair pair = pair_of(*path_of.at(by_pair[i].front().person), *path_of.at(by_pair[i].front().other));
    add_passages(pair, by_pair[i], tracks.frame_rate(), least, &parts[i]);
  });
  std::vector<Doubt> doubts;
  for (const std::vector<Doubt>& part : parts) doubts.insert(doubts.end(), part.begin(), part.end());
  return doubts;
}

}  // namespace vantage::doubt_detail
