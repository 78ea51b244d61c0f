// Who was near whom.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/tracks/find/detail/moments.h"

namespace vantage {
namespace {

Eigen::Vector2d place_of(const PathPoint& point) {
  return {point.x_m, point.y_m};
}

// The distances between points of two rectangles lie between these.
struct Range {
  double min_m = 0, max_m = 0;
};
Range distances(const Eigen::Vector2d& min_a, const Eigen::Vector2d& max_a, const Eigen::Vector2d& min_b,
                const Eigen::Vector2d& max_b) {
  const Eigen::Vector2d apart = (min_b - max_a).cwiseMax(min_a - max_b).cwiseMax(0);
  const Eigen::Vector2d span = max_a.cwiseMax(max_b) - min_a.cwiseMin(min_b);
  return {apart.norm(), span.norm()};
}

// A meeting of one pair, frame by frame.
class Meeting {
 public:
  Meeting(double closer_m, double leaving_m, int64_t max_gap)
      : closer_m_(closer_m), far_m_(closer_m + leaving_m), max_gap_(max_gap) {}

  void add(int64_t frame, double distance_m) {
    if (open_ && (distance_m > far_m_ || frame - last_known_ > max_gap_)) close();
    last_known_ = frame;
    if (distance_m >= closer_m_) return;
    if (!open_) first_ = frame;
    open_ = true;
    last_ = frame;
  }
  // Every frame from one to the other, at one distance.
  void add_all(int64_t first, int64_t last, double distance_m) {
    add(first, distance_m);
    last_known_ = last;
    if (open_) last_ = last;
  }
  void close() {
    if (open_) spans_.emplace_back(first_, last_);
    open_ = false;
  }
  const std::vector<std::pair<int64_t, int64_t>>& spans() const { return spans_; }

 private:
  const double closer_m_, far_m_;
  const int64_t max_gap_;
  bool open_ = false;
  int64_t first_ = 0, last_ = 0, last_known_ = 0;
  std::vector<std::pair<int64_t, int64_t>> spans_;
};

}  // namespace

std::vector<FoundMoment> TrackIndex::meetings_of(size_t a, size_t b, double closer_m) const {
  const PathPoints &points_a = paths_[a].points, &points_b = paths_[b].points;
  Meeting meeting(closer_m, kLeaving_m, static_cast<int64_t>(std::floor(kMaxGap_s * frame_rate_)));
  const auto whole = [](const Block& block) {
    return block.end - block.first == static_cast<size_t>(kBlock);
  };
  auto at_a = index_[a].blocks.begin(), at_b = index_[b].blocks.begin();
  while (at_a != index_[a].blocks.end() && at_b != index_[b].blocks.end()) {
    if (at_a->number != at_b->number) {
      // To the other's block at once: most tracks of a day never overlap.
      auto& behind = at_a->number < at_b->number ? at_a : at_b;
      const auto& blocks = at_a->number < at_b->number ? index_[a].blocks : index_[b].blocks;
      behind = std::ranges::lower_bound(behind, blocks.end(), std::max(at_a->number, at_b->number), {},
                                        &Block::number);
      continue;
    }
    const Block &one = *at_a++, &two = *at_b++;
    const Range range = distances(one.min_m, one.max_m, two.min_m, two.max_m);
    const bool settled = range.min_m > closer_m + kLeaving_m || range.max_m < closer_m;
    if (settled && whole(one) && whole(two)) {
      const int64_t first = one.number * kBlock;
      meeting.add_all(first, first + kBlock - 1, range.max_m < closer_m ? range.max_m : range.min_m);
      continue;
    }
    for (size_t i = one.first, j = two.first; i < one.end && j < two.end;) {
      const int64_t frame_a = points_a.frame(i), frame_b = points_b.frame(j);
      if (frame_a == frame_b) meeting.add(frame_a, (place_of(points_a[i]) - place_of(points_b[j])).norm());
      i += frame_a <= frame_b ? 1 : 0;
      j += frame_b <= frame_a ? 1 : 0;
    }
  }
  meeting.close();
  std::vector<FoundMoment> moments;
  for (const auto& [first, last] : meeting.spans()) {
    FoundMoment moment = moment_at(a, first, last);
    const FoundMoment other = moment_at(b, first, last);
    moment.other = other.person;
    moment.x_m = (moment.x_m + other.x_m) / 2, moment.y_m = (moment.y_m + other.y_m) / 2;
    moments.push_back(moment);
  }
  return moments;
}

std::vector<FoundMoment> TrackIndex::meetings(double closer_m, const FindFilter& filter) const {
  // Either may be the one asked for: by number and height.
  FindFilter anybody = filter;
  anybody.people.clear(), anybody.taller_m.reset(), anybody.shorter_m.reset();
  std::vector<size_t> all = candidates(anybody);
  const std::vector<size_t> asked = candidates(filter);
  std::vector<char> is_asked(paths_.size(), 0);
  for (const size_t i : asked) is_asked[i] = 1;
  std::ranges::sort(all, {}, [&](size_t i) { return paths_[i].points.frame(0); });
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < all.size(); ++i) {
    const PathPoints& points = paths_[all[i]].points;
    const int64_t end = points.frame(points.size() - 1);
    for (size_t j = i + 1; j < all.size() && paths_[all[j]].points.frame(0) <= end; ++j) {
      const auto pair = std::minmax(all[i], all[j]);
      if (is_asked[pair.first] || is_asked[pair.second]) pairs.emplace_back(pair.first, pair.second);
    }
  }
  std::vector<std::vector<FoundMoment>> parts(pairs.size());
  tbb::parallel_for(size_t{0}, pairs.size(), [&](size_t i) {
    const auto [a, b] = pairs[i];
    // The one that was asked for comes first.
    const bool turned = !is_asked[a];
    for (const FoundMoment& moment : meetings_of(turned ? b : a, turned ? a : b, closer_m))
      if (wanted(moment, filter)) parts[i].push_back(moment);
  });
  return joined(parts);
}

}  // namespace vantage
