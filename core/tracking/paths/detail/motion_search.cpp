#include "core/tracking/paths/detail/motion_search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>

namespace vantage::path_detail {
namespace {

constexpr double kForbidden = 1e12;
constexpr double kMinGain = 1e-6;
constexpr int kMaxRounds = 30;
// Paths farther apart exchange nothing.
constexpr double kReach_m = 2, kSegmentReach_m = 1.5;
// Two paths may be exchanged for so many times kIndependent_s, or looks that are farther apart.
constexpr int64_t kLongestSegment = 10;
// The filter forgets what came before after so many sightings, and so long.
constexpr double kMemory_s = 1.5;
constexpr size_t kMemorySightings = 12;

// The variance in which a path finds its person as a rule, of positions' own: four times of looks that are
// kIndependent_s apart. Of a path that is found in every look, it grows with the time between looks.
double usual_spread(double since_s, const PathParameters& p) {
  constexpr int kSteps = 40;  // after which nothing changes any more
  const auto spread = [&](double dt) {
    const double usual = p.place_jitter_m * p.place_jitter_m;
    MotionState state = motion_start({}, 0, p);
    for (int i = 0; i < kSteps; ++i) motion_step(state, {}, i + 1, 1 / dt, p);
    return state.place_variance * usual / (usual - state.place_variance) + usual;
  };
  return 4 * (since_s > kIndependent_s ? spread(since_s) / spread(kIndependent_s) : 1);
}

struct Path {
  std::vector<int32_t> nodes;
  // After each node: the filter, what the path cost so far without heights, and its heights.
  std::vector<MotionState> states;
  std::vector<double> costs;
  std::vector<HeightSums> heights;
  double cost = 0;  // of the whole
};

// Some of a path's nodes, or a node of no path.
struct Piece {
  const Path* path = nullptr;
  size_t begin = 0, end = 0;
  int32_t node = -1;
  size_t size() const { return path ? end - begin : 1; }
  int32_t at(size_t i) const { return path ? path->nodes[begin + i] : node; }
};
using Pieces = std::vector<Piece>;

class Search {
 public:
  Search(const Problem& problem, const Ends& ends)
      : problem_(problem),
        ends_(ends),
        memory_(kMemorySightings + static_cast<size_t>(kMemory_s * problem.frame_rate)),
        longest_gap_(longest_gap(problem)),
        owner_(problem.nodes.size(), -1) {
    double since_s = 0, spread = 0;
    for (const Node& node : problem_.nodes) {
      node_costs_.push_back(static_cast<double>(detection_cost(node, problem_.parameters)) / 1000);
      if (std::exchange(since_s, node.look.since_s) != node.look.since_s)
        spread = usual_spread(node.look.since_s, problem_.parameters);
      expected_.push_back(node.look.weight() * std::log(spread));
    }
    if (const auto looks = std::ssize(problem_.looked); looks > 1) {
      const auto frames = static_cast<double>(problem_.looked.back().frame - problem_.looked.front().frame);
      stride_ = std::max<int64_t>(
          1, std::llround(kIndependent_s * problem_.frame_rate * static_cast<double>(looks - 1) / frames));
    }
  }

  NodePaths run(NodePaths start) {
    for (std::vector<int32_t>& nodes : start) {
      paths_.push_back(made(std::move(nodes)));
      own(paths_.size() - 1);
    }
    for (int round = 0; round < kMaxRounds; ++round) {
      changes_ = 0;
      for (const Look& look : problem_.looked) try_tails(look.frame);
      for (size_t i = 0; i < problem_.looked.size(); ++i) try_segments(i);
      for (int32_t node = 0; node < static_cast<int32_t>(problem_.nodes.size()); ++node) try_node(node);
      try_joins();
      if (changes_ == 0) break;
    }
    NodePaths found;
    for (const Path& path : paths_)
      if (!path.nodes.empty() && path.cost < 0) found.push_back(path.nodes);
    return found;
  }

 private:
  const Node& node(int32_t number) const { return problem_.nodes[number]; }
  static Piece whole(const Path& path) { return {&path, 0, path.nodes.size()}; }
  static Piece head(const Path& path, size_t end) { return {&path, 0, end}; }
  static Piece tail(const Path& path, size_t begin) { return {&path, begin, path.nodes.size()}; }

  // The index of the path's first node of `frame` or later.
  size_t place(const Path& path, int64_t frame) const {
    return static_cast<size_t>(
        std::lower_bound(path.nodes.begin(), path.nodes.end(), frame,
                         [&](int32_t number, int64_t f) { return node(number).frame < f; }) -
        path.nodes.begin());
  }

  struct Follower {
    MotionState state;
    HeightSums heights;
    double cost = 0;
    int32_t last = -1;
  };

  void start(Follower& follower, int32_t number) const {
    const Node& one = node(number);
    const auto at = static_cast<size_t>(number);
    follower.cost = ends_.entry[at] + node_costs_[at];
    follower.last = number;
    if (one.carries >= 0 && one.motion.started) {
      follower.state = one.motion;
      follower.heights = one.heights;
      return;
    }
    follower.state = motion_start(one.person, one.frame, problem_.parameters);
    if (one.number >= 0) follower.heights.add(one.person.height_m, one.look.weight());
  }

  void step(Follower& follower, int32_t number) const {
    const Node &from = node(follower.last), &to = node(number);
    const PathParameters& p = problem_.parameters;
    const double dt = static_cast<double>(to.frame - from.frame) / problem_.frame_rate;
    const double dx = to.person.x_m - from.person.x_m, dy = to.person.y_m - from.person.y_m;
    const double reach = reach_m(dt, p.place_jitter_m, p);
    if (to.carries >= 0 || to.frame <= from.frame || to.frame - from.frame > longest_gap_ ||
        dx * dx + dy * dy > reach * reach) {
      follower.cost += kForbidden;
    }
    follower.cost += motion_step(follower.state, to.person, to.frame, problem_.frame_rate, p) -
                     expected_[number] + missed_cost(from, to, p) + node_costs_[number];
    if (to.number >= 0) follower.heights.add(to.person.height_m, to.look.weight());
    follower.last = number;
  }

  double ended(const Follower& follower) const {
    return follower.cost + follower.heights.cost(problem_.parameters.person_height_jitter_m) +
           ends_.exit[follower.last];
  }

  Path made(std::vector<int32_t> nodes) const {
    Path path;
    path.nodes = std::move(nodes);
    Follower follower;
    for (const int32_t number : path.nodes) {
      if (follower.last < 0)
        start(follower, number);
      else
        step(follower, number);
      path.states.push_back(follower.state);
      path.costs.push_back(follower.cost);
      path.heights.push_back(follower.heights);
    }
    if (follower.last >= 0) path.cost = ended(follower);
    return path;
  }

  // The cost of the pieces, one after the other, as a path: the filter runs through the seams only.
  double cost(const Pieces& pieces) const {
    Follower follower;
    for (const Piece& piece : pieces) {
      if (piece.size() == 0) continue;
      size_t next = 0;
      if (follower.last < 0 && piece.path && piece.begin == 0) {
        const size_t last = piece.end - 1;
        follower = {piece.path->states[last], piece.path->heights[last], piece.path->costs[last],
                    piece.path->nodes[last]};
        continue;
      }
      const size_t run = std::min(piece.size(), memory_);
      for (; next < run; ++next) {
        if (follower.last < 0)
          start(follower, piece.at(next));
        else
          step(follower, piece.at(next));
      }
      if (next == piece.size()) continue;
      // The path moves as it did from here on.
      const Path& path = *piece.path;
      const size_t seam = piece.begin + next - 1, last = piece.end - 1;
      follower.cost += path.costs[last] - path.costs[seam];
      follower.heights = follower.heights + (path.heights[last] - path.heights[seam]);
      follower.state = path.states[last];
      follower.last = path.nodes[last];
    }
    return follower.last < 0 ? 0 : ended(follower);
  }

  static std::vector<int32_t> nodes_of(const Pieces& pieces) {
    std::vector<int32_t> nodes;
    for (const Piece& piece : pieces)
      for (size_t i = 0; i < piece.size(); ++i) nodes.push_back(piece.at(i));
    return nodes;
  }

  void own(size_t path) {
    for (const int32_t number : paths_[path].nodes) owner_[number] = static_cast<int32_t>(path);
  }

  // Puts the pieces in the paths' place where that is cheaper. A path behind the last is a new one.
  bool exchange(std::span<const size_t> paths, std::span<const Pieces> by) {
    double before = 0, after = 0;
    for (const size_t path : paths)
      if (path < paths_.size()) before += paths_[path].cost;
    for (const Pieces& pieces : by) after += cost(pieces);
    if (after > before - kMinGain) return false;
    // Candidates whose seams promised a gain, computed in full.
    std::vector<Path> made_paths;
    after = 0;
    for (const Pieces& pieces : by) {
      made_paths.push_back(made(nodes_of(pieces)));
      after += made_paths.back().cost;
    }
    if (after > before - kMinGain) return false;
    for (const size_t path : paths)
      if (path < paths_.size())
        for (const int32_t number : paths_[path].nodes) owner_[number] = -1;
    for (size_t i = 0; i < paths.size(); ++i) {
      if (paths[i] >= paths_.size()) paths_.resize(paths[i] + 1);
      paths_[paths[i]] = std::move(made_paths[i]);
    }
    for (const size_t path : paths) own(path);
    ++changes_;
    return true;
  }
  bool exchange(std::initializer_list<size_t> paths, std::initializer_list<Pieces> by) {
    return exchange(std::span(paths.begin(), paths.size()), std::span(by.begin(), by.size()));
  }

  // The paths that are somewhere about the frame, with where.
  struct Nearby {
    size_t path;
    double x_m, y_m;
  };
  std::vector<Nearby> nearby(int64_t frame) const {
    std::vector<Nearby> found;
    for (size_t i = 0; i < paths_.size(); ++i) {
      const Path& path = paths_[i];
      if (path.nodes.empty()) continue;
      const size_t next = place(path, frame);
      const auto away = [&](size_t k) { return std::llabs(node(path.nodes[k]).frame - frame); };
      size_t nearest = next < path.nodes.size() ? next : next - 1;
      if (next > 0 && next < path.nodes.size() && away(next - 1) < away(next)) nearest = next - 1;
      if (static_cast<double>(away(nearest)) > kLongestGap_s * problem_.frame_rate) continue;
      const FloorPerson& person = node(path.nodes[nearest]).person;
      found.push_back({i, person.x_m, person.y_m});
    }
    return found;
  }
  static bool near(const Nearby& a, const Nearby& b, double reach_m) {
    return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m) <= reach_m;
  }

  // Parts paths at the frame, and exchanges what two or three do from there on.
  void try_tails(int64_t frame) {
    for (const Nearby& one : nearby(frame)) {
      const Path& path = paths_[one.path];
      const size_t at = place(path, frame);
      if (at > 0 && at < path.nodes.size())
        exchange({one.path, paths_.size()}, {{head(path, at)}, {tail(path, at)}});
    }
    const std::vector<Nearby> all = nearby(frame);
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t k = i + 1; k < all.size(); ++k) {
        if (!near(all[i], all[k], kReach_m) || try_tails(frame, all[i].path, all[k].path)) continue;
        for (size_t l = k + 1; l < all.size(); ++l)
          if (near(all[i], all[l], kReach_m) && try_tails(frame, all[i].path, all[k].path, all[l].path))
            break;
      }
  }

  bool try_tails(int64_t frame, size_t a, size_t b) {
    const Path &p = paths_[a], &q = paths_[b];
    const size_t i = place(p, frame), k = place(q, frame);
    if ((i == 0 && k == 0) || (i == p.nodes.size() && k == q.nodes.size())) return false;
    return exchange({a, b}, {{head(p, i), tail(q, k)}, {head(q, k), tail(p, i)}});
  }

  bool try_tails(int64_t frame, size_t a, size_t b, size_t c) {
    const Path &p = paths_[a], &q = paths_[b], &r = paths_[c];
    const size_t i = place(p, frame), k = place(q, frame), l = place(r, frame);
    return exchange({a, b, c},
                    {{head(p, i), tail(q, k)}, {head(q, k), tail(r, l)}, {head(r, l), tail(p, i)}}) ||
           exchange({a, b, c},
                    {{head(p, i), tail(r, l)}, {head(r, l), tail(q, k)}, {head(q, k), tail(p, i)}});
  }

  // Exchanges what two paths do between two frames.
  void try_segments(size_t look) {
    const auto end = std::ssize(problem_.looked), begin = static_cast<int64_t>(look);
    const auto frame = [&](int64_t i) { return problem_.looked[i].frame; };
    const std::vector<Nearby> all = nearby(frame(begin));
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t k = i + 1; k < all.size(); ++k) {
        if (!near(all[i], all[k], kSegmentReach_m)) continue;
        for (int64_t length = 1; length <= kLongestSegment * stride_ && begin + length < end;
             length += length < stride_ ? 1 : stride_)
          try_segment(frame(begin), frame(begin + length), all[i].path, all[k].path);
      }
  }

  bool try_segment(int64_t from, int64_t to, size_t a, size_t b) {
    const Path &p = paths_[a], &q = paths_[b];
    const size_t i = place(p, from), j = place(p, to), k = place(q, from), l = place(q, to);
    if (i == j && k == l) return false;
    return exchange({a, b}, {{head(p, i), {&q, k, l}, tail(p, j)}, {head(q, k), {&p, i, j}, tail(q, l)}});
  }

  Pieces without(const Path& path, int64_t frame) const {
    const size_t at = place(path, frame);
    return {head(path, at), tail(path, at + 1)};
  }

  // Takes the detection from its path, gives it to another one, or starts one there.
  void try_node(int32_t number) {
    const Node& one = node(number);
    if (one.carries >= 0) return;
    int32_t& owner = owner_[number];
    if (owner >= 0) exchange({static_cast<size_t>(owner)}, {without(paths_[owner], one.frame)});
    const Nearby here{0, one.person.x_m, one.person.y_m};
    for (const Nearby& other : nearby(one.frame)) {
      if (owner >= 0 && static_cast<size_t>(owner) == other.path) continue;
      if (!near(here, other, kSegmentReach_m)) continue;
      const Path& path = paths_[other.path];
      const size_t at = place(path, one.frame);
      const bool instead = at < path.nodes.size() && node(path.nodes[at]).frame == one.frame;
      const Pieces with = {head(path, at), {nullptr, 0, 0, number}, tail(path, at + (instead ? 1 : 0))};
      const bool done = owner < 0 ? exchange({other.path}, {with})
                                  : exchange({other.path, static_cast<size_t>(owner)},
                                             {with, without(paths_[owner], one.frame)});
      if (done) return;
    }
    if (owner < 0) exchange({paths_.size()}, {{{nullptr, 0, 0, number}}});
  }

  void try_joins() {
    for (size_t a = 0; a < paths_.size(); ++a)
      for (size_t b = 0; b < paths_.size(); ++b) {
        if (a == b || paths_[a].nodes.empty() || paths_[b].nodes.empty()) continue;
        const int64_t gap = node(paths_[b].nodes.front()).frame - node(paths_[a].nodes.back()).frame;
        if (gap > 0 && gap <= longest_gap_) exchange({a, b}, {{whole(paths_[a]), whole(paths_[b])}, {}});
      }
  }

  const Problem& problem_;
  const Ends& ends_;
  const size_t memory_;  // sightings behind a seam after which the filter is what it was
  const int64_t longest_gap_;
  std::vector<double> node_costs_;
  std::vector<double> expected_;  // by node: how much a position as sure as usual surprises
  int64_t stride_ = 1;            // looks in kIndependent_s
  std::vector<Path> paths_;
  std::vector<int32_t> owner_;  // by node: its path; -1: none
  int changes_ = 0;
};

}  // namespace

NodePaths improve_by_motion(const Problem& problem, NodePaths paths) {
  const Ends ends = ends_of(problem);
  return Search(problem, ends).run(std::move(paths));
}

}  // namespace vantage::path_detail
