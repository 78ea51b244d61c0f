#include "core/tracking/paths/detail/motion_search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "core/base/assignment.h"

namespace vantage::path_detail {
namespace {

constexpr double kForbidden = 1e12;
constexpr double kMinGain = 1e-6;
constexpr int kMaxRounds = 30;
// Paths farther apart exchange nothing.
constexpr double kReach_m = 2, kSegmentReach_m = 1.5;
// Two paths may be exchanged for so many times kIndependent_s, or looks that are farther apart.
constexpr int64_t kLongestSegment = 10;
// Two paths are exchanged for a trial where that costs at most so much; what is so long before and after is
// improved then.
constexpr double kTrial_nats = 4, kTrial_s = 5;
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
  std::vector<double> least;  // the same if all positions were the expected ones
  std::vector<HeightSums> heights;
  double cost = 0;      // of the whole
  int64_t changed = 0;  // when, by Search's clock
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
        longest_gap_(longest_gap(problem.frame_rate, problem.parameters)),
        owner_(problem.nodes.size(), -1),
        owner_changed_(problem.nodes.size()),
        nodes_tried_(problem.nodes.size()),
        tails_tried_(problem.looked.size()),
        segments_tried_(problem.looked.size()) {
    for (int64_t frames = 0; frames <= longest_gap_; ++frames) {
      lapses_.push_back(lapse_of(static_cast<double>(frames) / problem_.frame_rate, problem_.parameters));
      reaches_m_.push_back(
          reach_m(lapses_.back().seconds, problem_.parameters.place_jitter_m, problem_.parameters));
    }
    double since_s = 0, spread = 0;
    for (const Node& node : problem_.nodes) {
      node_costs_.push_back(static_cast<double>(detection_cost(node, problem_.parameters)) / 1000);
      if (std::exchange(since_s, node.look.since_s) != node.look.since_s)
        spread = usual_spread(node.look.since_s, problem_.parameters);
      expected_.push_back(node.look.weight * std::log(spread));
    }
    if (const auto looks = std::ssize(problem_.looked); looks > 1) {
      const auto frames = static_cast<double>(problem_.looked.back().frame - problem_.looked.front().frame);
      stride_ = std::max<int64_t>(
          1, std::llround(kIndependent_s * problem_.frame_rate * static_cast<double>(looks - 1) / frames));
    }
  }

  // A start without links: each frame's detections go, all together, to the paths that expect them, and those
  // that none expects begin their own.
  NodePaths frame_by_frame() const {
    NodePaths paths;
    std::vector<Follower> followers;  // of the paths
    std::vector<size_t> open;         // paths that may go on
    const auto nodes = static_cast<int32_t>(problem_.nodes.size());
    for (int32_t begin = 0, end = 0; begin < nodes; begin = end) {
      const int64_t frame = node(begin).frame;
      while (end < nodes && node(end).frame == frame) ++end;
      std::erase_if(open, [&](size_t path) { return frame - node(paths[path].back()).frame > longest_gap_; });
      ScoreMatrix gains(static_cast<int>(open.size()), end - begin);
      for (int i = 0; i < gains.rows; ++i)
        for (int k = 0; k < gains.columns; ++k)
          gains.at(i, k) = std::max(0.0, gain(followers[open[i]], begin + k));
      const std::vector<int> given = assign_maximum(gains);
      std::vector<bool> taken(static_cast<size_t>(end - begin));
      for (int i = 0; i < gains.rows; ++i) {
        if (given[i] < 0 || gains.at(i, given[i]) <= 0) continue;
        taken[given[i]] = true;
        step(followers[open[i]], begin + given[i]);
        paths[open[i]].push_back(begin + given[i]);
      }
      for (int32_t number = begin; number < end; ++number) {
        // A rejected peak makes no person.
        if (taken[number - begin] || (node(number).number < 0 && node(number).carries < 0)) continue;
        open.push_back(paths.size());
        paths.push_back({number});
        start(followers.emplace_back(), number);
      }
    }
    return paths;
  }

  void improve(NodePaths start) {
    for (std::vector<int32_t>& nodes : start) {
      paths_.push_back(made(std::move(nodes)));
      own(paths_.size() - 1, static_cast<int32_t>(paths_.size()) - 1);
    }
    improve();
  }

  // Adopts from other paths, one by one, the differences that make these cheaper, and goes on from there.
  void adopt(const NodePaths& others) {
    std::vector<int32_t> theirs(problem_.nodes.size(), kNoPath);
    for (const std::vector<int32_t>& nodes : others) add_links(nodes, &theirs);
    ++clock_, changes_ = 0;
    for (const auto& from : differences(theirs)) try_links(from, theirs);
    if (changes_ > 0) improve();
  }

  // Leaves a state that no change makes cheaper: where two paths meet, they are exchanged although that costs
  // a little, and what is near is improved. Kept where all is cheaper then, else undone.
  void try_meetings() {
    bool kept = false;
    for (const Meeting& meeting : meetings()) {
      const int32_t a = owner_[meeting.a], b = owner_[meeting.b];
      if (a < 0 || b < 0 || a == b) continue;
      const double before = cost();
      const size_t paths = paths_.size();
      std::vector<std::pair<size_t, Path>> replaced;
      replaced_ = &replaced;
      ++clock_;
      const Path &p = paths_[a], &q = paths_[b];
      const size_t i = place(p, meeting.frame), k = place(q, meeting.frame);
      replace({static_cast<size_t>(a), static_cast<size_t>(b)},
              {made(nodes_of({head(p, i), tail(q, k)})), made(nodes_of({head(q, k), tail(p, i)}))});
      improve_about(meeting.frame);
      replaced_ = nullptr;
      if (cost() < before - kMinGain)
        kept = true;
      else
        undo(std::move(replaced), paths);
    }
    if (kept) improve();
  }

  NodePaths found() const {
    NodePaths found;
    for (const Path& path : paths_)
      if (!path.nodes.empty() && path.cost < 0) found.push_back(path.nodes);
    return found;
  }
  // The sum over what is found.
  double cost() const {
    double sum = 0;
    for (const Path& path : paths_) sum += std::min(path.cost, 0.0);
    return sum;
  }

 private:
  // Marks in place of the node that follows another one in its path.
  static constexpr int32_t kEnd = -1, kNoPath = -2;

  // Rounds of all changes, until none is cheaper. What was in vain is not tried again before a path of it
  // changed.
  void improve() {
    const auto nodes = static_cast<int32_t>(problem_.nodes.size());
    for (int round = 0; round < kMaxRounds; ++round) {
      changes_ = 0;
      const auto since = [&](int64_t& tried) { return std::exchange(tried, ++clock_); };
      for (size_t i = 0; i < problem_.looked.size(); ++i)
        try_tails(problem_.looked[i].frame, since(tails_tried_[i]));
      for (size_t i = 0; i < problem_.looked.size(); ++i) try_segments(i, since(segments_tried_[i]));
      for (int32_t number = 0; number < nodes; ++number) try_node(number, since(nodes_tried_[number]));
      try_joins(since(joins_tried_));
      if (changes_ == 0) break;
    }
    for (size_t i = 0; i < paths_.size(); ++i) put({i}, {});
  }

  // As improve(), about a frame only, beginning with the paths that changed at the clock's present time.
  void improve_about(int64_t frame) {
    const auto reach = static_cast<int64_t>(kTrial_s * problem_.frame_rate);
    const auto looks = std::ranges::lower_bound(problem_.looked, frame - reach, {}, &Look::frame);
    const auto nodes = std::ranges::lower_bound(problem_.nodes, frame - reach, {}, &Node::frame);
    const auto first = static_cast<size_t>(looks - problem_.looked.begin());
    const auto end = static_cast<size_t>(
        std::ranges::upper_bound(problem_.looked, frame + reach, {}, &Look::frame) - problem_.looked.begin());
    int64_t since = clock_;
    for (int round = 0; round < kMaxRounds; ++round) {
      changes_ = 0;
      const int64_t now = ++clock_;
      for (size_t look = first; look < end; ++look) try_tails(problem_.looked[look].frame, since);
      for (size_t look = first; look < end; ++look) try_segments(look, since);
      for (auto one = nodes; one != problem_.nodes.end() && one->frame <= frame + reach; ++one)
        try_node(static_cast<int32_t>(one - problem_.nodes.begin()), since);
      since = now;
      if (changes_ == 0) break;
    }
  }

  static void add_links(std::span<const int32_t> nodes, std::vector<int32_t>* next) {
    for (size_t i = 0; i < nodes.size(); ++i) (*next)[nodes[i]] = i + 1 < nodes.size() ? nodes[i + 1] : kEnd;
  }

  // Nodes after which the paths go on otherwise in `theirs`, in sets: those whose links share ends, directly
  // or through others. Where all of a set's links are exchanged, and no other, paths still share no node.
  std::vector<std::vector<int32_t>> differences(std::span<const int32_t> theirs) const {
    const auto nodes = static_cast<int32_t>(theirs.size());
    std::vector<int32_t> ours(theirs.size(), kNoPath);
    for (const Path& path : paths_) add_links(path.nodes, &ours);
    // Ends of links: where one leaves a node, and `nodes` later where one arrives.
    std::vector<int32_t> same(2 * theirs.size());
    std::iota(same.begin(), same.end(), 0);
    const auto first = [&](int32_t end) {
      while (same[end] != end) end = same[end] = same[same[end]];
      return end;
    };
    const auto join = [&](int32_t a, int32_t b) {
      const auto [low, high] = std::minmax({first(a), first(b)});
      same[high] = low;
    };
    for (int32_t from = 0; from < nodes; ++from) {
      if (ours[from] == theirs[from]) continue;
      for (const int32_t to : {ours[from], theirs[from]})
        if (to >= 0) join(from, nodes + to);
      if (ours[from] == kNoPath || theirs[from] == kNoPath) join(from, nodes + from);
    }
    std::map<int32_t, std::vector<int32_t>> sets;
    for (int32_t from = 0; from < nodes; ++from)
      if (ours[from] != theirs[from]) sets[first(from)].push_back(from);
    std::vector<std::vector<int32_t>> found;
    for (auto& [end, from] : sets) found.push_back(std::move(from));
    return found;
  }

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
    double cost = 0, least = 0;
    int32_t last = -1;
  };

  void start(Follower& follower, int32_t number) const {
    const Node& one = node(number);
    const auto at = static_cast<size_t>(number);
    follower.cost = follower.least = ends_.entry[at] + node_costs_[at];
    follower.last = number;
    if (one.carries >= 0 && one.motion.started) {
      follower.state = one.motion;
      follower.heights = one.heights;
      return;
    }
    follower.state = motion_start(one.person, one.frame, problem_.parameters);
    if (one.number >= 0) follower.heights.add(one.person.height_m, one.look.weight);
  }

  // What a sighting behind another one costs where the filter expects it.
  double min_step(int32_t before, int32_t number) const {
    const Node &from = node(before), &to = node(number);
    const int64_t frames = to.frame - from.frame;
    if (to.carries >= 0 || frames <= 0 || frames > longest_gap_) return kForbidden;
    const double dx = to.person.x_m - from.person.x_m, dy = to.person.y_m - from.person.y_m;
    const double reach = reaches_m_[static_cast<size_t>(frames)];
    return (dx * dx + dy * dy > reach * reach ? kForbidden : 0) - expected_[number] +
           missed_cost(from, to, problem_.parameters) + node_costs_[number];
  }

  // What it costs in addition where it is; the state goes on to there.
  double surprise(MotionState& state, int32_t number) const {
    const Node& to = node(number);
    const int64_t frames = std::clamp<int64_t>(to.frame - state.frame, 0, longest_gap_);
    return motion_step(state, to.person, to.frame, lapses_[static_cast<size_t>(frames)], problem_.parameters);
  }

  void step(Follower& follower, int32_t number) const {
    const double least = min_step(follower.last, number);
    follower.least += least;
    follower.cost += least + surprise(follower.state, number);
    if (const Node& to = node(number); to.number >= 0)
      follower.heights.add(to.person.height_m, to.look.weight);
    follower.last = number;
  }

  // How much cheaper it is that the path goes on with the detection than that another begins there.
  double gain(const Follower& path, int32_t number) const {
    const PathParameters& p = problem_.parameters;
    Follower longer = path;
    step(longer, number);
    return p.entry_cost + node_costs_[number] -
           (longer.cost + longer.heights.cost(p.person_height_jitter_m) - path.cost -
            path.heights.cost(p.person_height_jitter_m));
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
      path.least.push_back(follower.least);
      path.heights.push_back(follower.heights);
    }
    if (follower.last >= 0) path.cost = ended(follower);
    return path;
  }

  static HeightSums heights_of(const Path& path, size_t begin, size_t end) {
    return begin > 0 ? path.heights[end - 1] - path.heights[begin - 1] : path.heights[end - 1];
  }

  // What the pieces, one after the other, cost as a path if the sightings behind each seam, until the filter
  // forgot it, were where they are expected: no less than this.
  double min_cost(const Pieces& pieces) const {
    double cost = 0;
    HeightSums heights;
    int32_t last = -1;
    for (const Piece& piece : pieces) {
      if (piece.size() == 0) continue;
      const int32_t first = piece.at(0);
      if (last >= 0)
        cost += min_step(last, first);
      else if (!piece.path || piece.begin > 0)
        cost += ends_.entry[first] + node_costs_[first];
      if (cost > kForbidden / 2) return cost;
      if (piece.path) {
        const Path& path = *piece.path;
        const size_t end = piece.end - 1;
        if (last < 0 && piece.begin == 0) {
          cost += path.costs[end];
        } else {
          const size_t seam = piece.begin + std::min(piece.size(), memory_) - 1;
          cost += path.least[seam] - path.least[piece.begin] + (path.costs[end] - path.costs[seam]);
        }
        heights = heights + heights_of(path, piece.begin, piece.end);
      } else if (node(first).number >= 0) {
        heights.add(node(first).person.height_m, node(first).look.weight);
      }
      last = piece.at(piece.size() - 1);
    }
    return last < 0 ? 0 : cost + heights.cost(problem_.parameters.person_height_jitter_m) + ends_.exit[last];
  }

  // How much more than min_cost() they cost; where it is more than `most`, a part of it that is. The filter
  // runs through the seams only.
  double more_cost(const Pieces& pieces, double most) const {
    double cost = 0;
    MotionState state;
    for (const Piece& piece : pieces) {
      if (piece.size() == 0) continue;
      size_t next = 0;
      if (!state.started) {
        if (piece.path && piece.begin == 0) {
          state = piece.path->states[piece.end - 1];
          continue;
        }
        Follower first;
        start(first, piece.at(next++));
        state = first.state;
      }
      for (const size_t run = std::min(piece.size(), memory_); next < run; ++next) {
        cost += surprise(state, piece.at(next));
        if (cost > most) return cost;
      }
      // The path moves as it did from here on.
      if (next < piece.size()) state = piece.path->states[piece.end - 1];
    }
    return cost;
  }

  // How much more the pieces cost than the paths; where it is more than `most`, a part of it that is.
  double more_cost(std::span<const size_t> paths, std::span<const Pieces> by, double most) const {
    double cost = 0;
    for (const size_t path : paths)
      if (path < paths_.size()) cost -= paths_[path].cost;
    for (const Pieces& pieces : by) cost += min_cost(pieces);
    for (const Pieces& pieces : by) {
      if (cost > most) break;
      cost += more_cost(pieces, most - cost);
    }
    return cost;
  }

  static std::vector<int32_t> nodes_of(const Pieces& pieces) {
    std::vector<int32_t> nodes;
    for (const Piece& piece : pieces)
      for (size_t i = 0; i < piece.size(); ++i) nodes.push_back(piece.at(i));
    return nodes;
  }

  void own(size_t path, int32_t owner) {
    for (const int32_t number : paths_[path].nodes) owner_[number] = owner, owner_changed_[number] = clock_;
  }

  // Puts the pieces in the paths' place where that is cheaper. A path behind the last is a new one.
  bool exchange(std::span<const size_t> paths, std::span<const Pieces> by) {
    if (more_cost(paths, by, -kMinGain) > -kMinGain) return false;
    // Candidates whose seams promised a gain, computed in full.
    std::vector<Path> made_paths;
    for (const Pieces& pieces : by) made_paths.push_back(made(nodes_of(pieces)));
    return put({paths.begin(), paths.end()}, std::move(made_paths));
  }

  // Puts others in the paths' place where that is cheaper, as many as there are.
  bool put(std::vector<size_t> paths, std::vector<Path> by) {
    double before = 0, after = 0;
    for (const size_t path : paths)
      if (path < paths_.size()) before += paths_[path].cost;
    for (const Path& path : by) after += path.cost;
    if (after > before - kMinGain) return false;
    replace(std::move(paths), std::move(by));
    ++changes_;
    return true;
  }
  void replace(std::vector<size_t> paths, std::vector<Path> by) {
    for (const size_t path : paths)
      if (path < paths_.size()) own(path, -1);
    for (size_t next = paths_.size(); paths.size() < by.size(); ++next) paths.push_back(next);
    by.resize(paths.size());
    for (size_t i = 0; i < paths.size(); ++i) {
      if (paths[i] >= paths_.size()) paths_.resize(paths[i] + 1);
      std::swap(paths_[paths[i]], by[i]);
      paths_[paths[i]].changed = clock_;
      if (replaced_) replaced_->emplace_back(paths[i], std::move(by[i]));
    }
    for (const size_t path : paths) own(path, static_cast<int32_t>(path));
  }
  // Puts back what was replaced when there were so many paths.
  void undo(std::vector<std::pair<size_t, Path>> replaced, size_t paths) {
    std::set<size_t> touched;
    for (const auto& [path, before] : replaced)
      if (touched.insert(path).second) own(path, -1);
    for (size_t i = replaced.size(); i-- > 0;) paths_[replaced[i].first] = std::move(replaced[i].second);
    for (const size_t path : touched) own(path, static_cast<int32_t>(path));
    paths_.resize(paths);
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
      const auto away = [&](size_t k) { return std::llabs(node(path.nodes[k]).frame - frame); };
      const auto far = [&](size_t k) {
        return static_cast<double>(away(k)) > kLongestGap_s * problem_.frame_rate;
      };
      if (path.nodes.empty() || (frame < node(path.nodes.front()).frame && far(0)) ||
          (frame > node(path.nodes.back()).frame && far(path.nodes.size() - 1)))
        continue;
      const size_t next = place(path, frame);
      size_t nearest = next < path.nodes.size() ? next : next - 1;
      if (next > 0 && next < path.nodes.size() && away(next - 1) < away(next)) nearest = next - 1;
      if (far(nearest)) continue;
      const FloorPerson& person = node(path.nodes[nearest]).person;
      found.push_back({i, person.x_m, person.y_m});
    }
    return found;
  }
  bool changed(const Nearby& one, int64_t since) const { return paths_[one.path].changed >= since; }
  static bool near(const Nearby& a, const Nearby& b, double reach_m) {
    return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m) <= reach_m;
  }

  // Parts paths at the frame, and exchanges what two or three do from there on.
  void try_tails(int64_t frame, int64_t since) {
    for (const Nearby& one : nearby(frame)) {
      const Path& path = paths_[one.path];
      const size_t at = place(path, frame);
      if (changed(one, since) && at > 0 && at < path.nodes.size())
        exchange({one.path, paths_.size()}, {{head(path, at)}, {tail(path, at)}});
    }
    const std::vector<Nearby> all = nearby(frame);
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t k = i + 1; k < all.size(); ++k) {
        if (!near(all[i], all[k], kReach_m)) continue;
        const bool either = changed(all[i], since) || changed(all[k], since);
        if (either && try_tails(frame, all[i].path, all[k].path)) continue;
        for (size_t l = k + 1; l < all.size(); ++l)
          if ((either || changed(all[l], since)) && near(all[i], all[l], kReach_m) &&
              try_tails(frame, all[i].path, all[k].path, all[l].path))
            break;
      }
  }

  bool try_tails(int64_t frame, size_t a, size_t b) {
    const Path &p = paths_[a], &q = paths_[b];
    const size_t i = place(p, frame), k = place(q, frame);
    if ((i == 0 && k == 0) || (i == p.nodes.size() && k == q.nodes.size())) return false;
    return exchange({a, b}, {{head(p, i), tail(q, k)}, {head(q, k), tail(p, i)}});
  }

  // Where two paths are near to each other.
  struct Meeting {
    double cost = 0;  // of exchanging what they do from the frame on
    int64_t frame = 0;
    int32_t a = -1, b = -1;  // their last nodes before it
    auto operator<=>(const Meeting&) const = default;
  };
  std::vector<Meeting> meetings() const {
    std::vector<Meeting> found;
    std::set<std::pair<int32_t, int32_t>> known;
    for (size_t look = 0; look < problem_.looked.size(); look += stride_) {
      const int64_t frame = problem_.looked[look].frame;
      const std::vector<Nearby> all = nearby(frame);
      for (size_t i = 0; i < all.size(); ++i)
        for (size_t k = i + 1; k < all.size(); ++k) {
          if (!near(all[i], all[k], kSegmentReach_m)) continue;
          const Path &p = paths_[all[i].path], &q = paths_[all[k].path];
          const size_t at_p = place(p, frame), at_q = place(q, frame);
          if (at_p == 0 || at_q == 0 || (at_p == p.nodes.size() && at_q == q.nodes.size())) continue;
          const int32_t a = p.nodes[at_p - 1], b = q.nodes[at_q - 1];
          if (!known.insert({a, b}).second) continue;
          const Pieces by[] = {{head(p, at_p), tail(q, at_q)}, {head(q, at_q), tail(p, at_p)}};
          const size_t paths[] = {all[i].path, all[k].path};
          if (const double cost = more_cost(paths, by, kTrial_nats); cost <= kTrial_nats)
            found.push_back({cost, frame, a, b});
        }
    }
    std::ranges::sort(found);
    return found;
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
  void try_segments(size_t look, int64_t since) {
    const auto end = std::ssize(problem_.looked), begin = static_cast<int64_t>(look);
    const auto frame = [&](int64_t i) { return problem_.looked[i].frame; };
    const std::vector<Nearby> all = nearby(frame(begin));
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t k = i + 1; k < all.size(); ++k) {
        if (!near(all[i], all[k], kSegmentReach_m)) continue;
        if (!changed(all[i], since) && !changed(all[k], since)) continue;
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
  void try_node(int32_t number, int64_t since) {
    const Node& one = node(number);
    if (one.carries >= 0) return;
    const int32_t& owner = owner_[number];
    const auto owner_changed = [&] { return owner_changed_[number] >= since; };
    if (owner >= 0 && owner_changed())
      exchange({static_cast<size_t>(owner)}, {without(paths_[owner], one.frame)});
    const Nearby here{0, one.person.x_m, one.person.y_m};
    for (const Nearby& other : nearby(one.frame)) {
      if (owner >= 0 && static_cast<size_t>(owner) == other.path) continue;
      if (!near(here, other, kSegmentReach_m) || !(owner_changed() || changed(other, since))) continue;
      const Path& path = paths_[other.path];
      const size_t at = place(path, one.frame);
      const bool instead = at < path.nodes.size() && node(path.nodes[at]).frame == one.frame;
      const Pieces with = {head(path, at), {nullptr, 0, 0, number}, tail(path, at + (instead ? 1 : 0))};
      const bool done = owner < 0 ? exchange({other.path}, {with})
                                  : exchange({other.path, static_cast<size_t>(owner)},
                                             {with, without(paths_[owner], one.frame)});
      if (done) return;
    }
    if (owner < 0 && owner_changed()) exchange({paths_.size()}, {{{nullptr, 0, 0, number}}});
  }

  // Lets paths go on after these nodes as in `theirs`.
  void try_links(std::span<const int32_t> from, std::span<const int32_t> theirs) {
    std::set<size_t> paths;
    std::map<int32_t, int32_t> next;  // by node of these paths, and of those that come in their place
    const auto add = [&](int32_t number) {
      if (number < 0 || owner_[number] < 0 || !paths.insert(owner_[number]).second) return;
      const std::vector<int32_t>& nodes = paths_[owner_[number]].nodes;
      for (size_t i = 0; i < nodes.size(); ++i) next[nodes[i]] = i + 1 < nodes.size() ? nodes[i + 1] : kEnd;
    };
    for (const int32_t number : from) add(number), add(theirs[number]);
    for (const int32_t number : from) next[number] = theirs[number];
    std::set<int32_t> behind;  // nodes that begin no path
    for (const auto& [number, to] : next) behind.insert(to);
    std::vector<Path> by;
    for (const auto& [number, to] : next) {
      if (to == kNoPath || behind.contains(number)) continue;
      std::vector<int32_t> nodes;
      for (int32_t at = number; at >= 0; at = next.at(at)) nodes.push_back(at);
      by.push_back(made(std::move(nodes)));
    }
    put({paths.begin(), paths.end()}, std::move(by));
  }

  void try_joins(int64_t since) {
    for (size_t a = 0; a < paths_.size(); ++a)
      for (size_t b = 0; b < paths_.size(); ++b) {
        if (a == b || paths_[a].nodes.empty() || paths_[b].nodes.empty()) continue;
        if (paths_[a].changed < since && paths_[b].changed < since) continue;
        const int64_t gap = node(paths_[b].nodes.front()).frame - node(paths_[a].nodes.back()).frame;
        if (gap > 0 && gap <= longest_gap_) exchange({a, b}, {{whole(paths_[a]), whole(paths_[b])}, {}});
      }
  }

  const Problem& problem_;
  const Ends& ends_;
  const size_t memory_;  // sightings behind a seam after which the filter is what it was
  const int64_t longest_gap_;
  std::vector<Lapse> lapses_;      // by frames
  std::vector<double> reaches_m_;  // by frames
  std::vector<double> node_costs_;
  std::vector<double> expected_;  // by node: how much a position as sure as usual surprises
  int64_t stride_ = 1;            // looks in kIndependent_s
  std::vector<Path> paths_;
  std::vector<int32_t> owner_;  // by node: its path; -1: none
  // When something changed, or was tried last, by the clock, which counts trials.
  int64_t clock_ = 0;
  std::vector<int64_t> owner_changed_, nodes_tried_;   // by node
  std::vector<int64_t> tails_tried_, segments_tried_;  // by look
  int64_t joins_tried_ = 0;
  int changes_ = 0;
  std::vector<std::pair<size_t, Path>>* replaced_ = nullptr;  // takes what is replaced
};

}  // namespace

NodePaths improve_by_motion(const Problem& problem, NodePaths paths) {
  const Ends ends = ends_of(problem);
  Search by_links(problem, ends), by_frames(problem, ends);
  by_links.improve(std::move(paths));
  by_frames.improve(by_frames.frame_by_frame());
  const bool links = by_links.cost() <= by_frames.cost() + kMinGain;
  Search &cheaper = links ? by_links : by_frames, &other = links ? by_frames : by_links;
  cheaper.adopt(other.found());
  cheaper.try_meetings();
  return cheaper.found();
}

}  // namespace vantage::path_detail
