#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tracking/paths/detail/disjoint_paths.h"
#include "core/tracking/paths/detail/motion_search.h"
#include "core/tracking/paths/detail/path_windows.h"

namespace vantage::path_detail {
namespace {

// Mean over the channels, Y' at half its difference: light changes it more than the colour itself.
double squared_difference(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  const double y = (a[0] - b[0]) / 2.0, cb = a[1] - b[1], cr = a[2] - b[2];
  return (y * y + cb * cb + cr * cr) / 3;
}

// The cost of colours that the same camera saw of the same part; 0 where there are none.
double color_cost(const FloorPerson& a, const FloorPerson& b, const PathParameters& p) {
  double sum = 0;
  int parts = 0;
  const auto add = [&](const std::optional<std::array<float, 3>>& x,
                       const std::optional<std::array<float, 3>>& y) {
    if (x && y) sum += squared_difference(*x, *y), ++parts;
  };
  for (size_t i = 0, k = 0; i < a.colors.size() && k < b.colors.size();) {
    if (a.colors[i].camera == b.colors[k].camera) {
      add(a.colors[i].trunk, b.colors[k].trunk);
      add(a.colors[i].legs, b.colors[k].legs);
      ++i, ++k;
    } else {
      ++(a.colors[i].camera < b.colors[k].camera ? i : k);
    }
  }
  if (parts == 0) return 0;
  return std::min(p.color_cap, sum / parts / (2 * p.color_jitter * p.color_jitter));
}

struct MotionCost {
  double away_x_m = 0, away_y_m = 0;  // from where the person is expected
  double walk_m = 0;                  // standard deviation of the way
  double turn = 0;                    // what it costs that the velocities disagree
};

MotionCost motion_cost(const FloorPerson& from, const FloorPerson& to, double dt, const PathParameters& p) {
  MotionCost cost{to.x_m - from.x_m, to.y_m - from.y_m, p.wander_m_per_s * dt, 0};
  if (!from.velocity_m_per_s || !to.velocity_m_per_s || p.motion_cap == 0) return cost;
  const auto [vx, vy] = *from.velocity_m_per_s;
  const auto [wx, wy] = *to.velocity_m_per_s;
  cost.away_x_m -= (vx + wx) / 2 * dt, cost.away_y_m -= (vy + wy) / 2 * dt;
  cost.walk_m = p.motion_jitter_m_per_s * dt;
  const double change = p.wander_m_per_s * dt;  // as much in a second as people usually walk
  const double variance = 2 * p.motion_jitter_m_per_s * p.motion_jitter_m_per_s + change * change;
  const double dx = wx - vx, dy = wy - vy;
  cost.turn = std::min(p.motion_cap, (dx * dx + dy * dy) / (2 * variance));
  return cost;
}

double arc_cost(const Node& from, const Node& to, double frame_s, const PathParameters& p) {
  const auto gap = static_cast<double>(to.frame - from.frame);
  const MotionCost motion = motion_cost(from.person, to.person, gap * frame_s, p);
  const double dx = motion.away_x_m, dy = motion.away_y_m;
  const double dh = to.person.height_m - from.person.height_m;
  const double spread = p.jitter_m * p.jitter_m + motion.walk_m * motion.walk_m;
  return (dx * dx + dy * dy) / (2 * spread) + dh * dh / (2 * p.height_jitter_m * p.height_jitter_m) +
         p.missed_cost * static_cast<double>(to.look - from.look - 1) +
         color_cost(from.person, to.person, p) + motion.turn;
}

bool in_reach(const Node& from, const Node& to, double frame_s, const PathParameters& p) {
  const double dt = static_cast<double>(to.frame - from.frame) * frame_s;
  return std::hypot(to.person.x_m - from.person.x_m, to.person.y_m - from.person.y_m) <=
         2 * p.jitter_m + p.max_speed_m_per_s * dt;
}

// Frames that the fastest way between the position and the nearest entrance takes; 0 where people may appear.
int64_t frames_from_entrance(const Node& node, double frame_s, const PathParameters& p,
                             std::span<const FloorZone> entrances) {
  double away_m = std::numeric_limits<double>::infinity();
  for (const FloorZone& entrance : entrances)
    away_m = std::min(away_m, -distance_inside_m(entrance, {node.person.x_m, node.person.y_m}));
  if (entrances.empty() || away_m <= 0) return 0;
  return static_cast<int64_t>(std::ceil(away_m / (p.max_speed_m_per_s * frame_s)));
}

}  // namespace

Ends ends_of(const Problem& problem) {
  const auto& [nodes, looked, frame_rate, p, entrances, begin, end] = problem;
  Ends ends;
  for (const Node& node : nodes) {
    const int64_t away = frames_from_entrance(node, 1 / frame_rate, p, entrances);
    const auto unseen = [&](int64_t begin, int64_t end) {
      return p.missed_cost * static_cast<double>(problem.looks(begin, end));
    };
    const int64_t from = std::max(nodes.front().frame, node.frame - away),
                  to = std::min(nodes.back().frame, node.frame + away);
    double entry = node.carries >= 0 ? 0 : p.entry_cost + unseen(from, node.frame);
    if (problem.begin) entry = std::min(entry, unseen(*problem.begin, node.frame));
    ends.entry.push_back(entry);
    double exit = p.entry_cost + unseen(node.frame + 1, to + 1);
    if (problem.end) exit = std::min(exit, unseen(node.frame + 1, *problem.end));
    ends.exit.push_back(exit);
  }
  return ends;
}

int64_t longest_gap(const Problem& problem) {
  const PathParameters& p = problem.parameters;
  // Longer gaps than without entrances are worth something, up to kLongestGap_s.
  const auto plain = static_cast<int64_t>(std::floor(2 * p.entry_cost / p.missed_cost)) + 1;
  return std::max<int64_t>(plain, std::llround(kLongestGap_s * problem.frame_rate));
}

Result<NodePaths> paths_on_graph(const Problem& problem) {
  const auto& [nodes, looked, frame_rate, p, entrances, begin, end] = problem;
  if (nodes.empty()) return NodePaths{};
  PathGraph graph;
  const double frame_s = 1 / frame_rate;
  const Ends ends = ends_of(problem);
  const double largest_entry = *std::max_element(ends.entry.begin(), ends.entry.end());
  const int64_t gap = longest_gap(problem);
  for (size_t i = 0; i < nodes.size(); ++i) {
    graph.node_cost.push_back(detection_cost(nodes[i], p));
    graph.entry_cost.push_back(quantised(ends.entry[i]));
    graph.exit_cost.push_back(quantised(ends.exit[i]));
    const auto worth = static_cast<int64_t>(std::floor((ends.exit[i] + largest_entry) / p.missed_cost)) + 1;
    for (size_t j = i + 1;
         j < nodes.size() && nodes[j].frame - nodes[i].frame <= gap && nodes[j].look - nodes[i].look <= worth;
         ++j) {
      if (nodes[j].frame == nodes[i].frame || nodes[j].carries >= 0 ||
          !in_reach(nodes[i], nodes[j], frame_s, p))
        continue;
      const double cost = arc_cost(nodes[i], nodes[j], frame_s, p);
      if (cost < ends.exit[i] + ends.entry[j])
        graph.arcs.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j), quantised(cost)});
    }
  }
  VANTAGE_ASSIGN(DisjointPaths found, cheapest_disjoint_paths(graph));
  return std::move(found.paths);
}

Result<NodePaths> paths_by_motion(const Problem& problem) {
  VANTAGE_ASSIGN(NodePaths start, paths_on_graph(problem));
  return improve_by_motion(problem, std::move(start));
}

}  // namespace vantage::path_detail
