#include <cmath>

#include "core/path_tracking/disjoint_paths.h"
#include "core/path_tracking/path_windows.h"

namespace vantage::path_detail {
namespace {

double arc_cost(const Node& from, const Node& to, double frame_s, const PathParameters& p) {
  const auto gap = static_cast<double>(to.frame - from.frame);
  const double dt = gap * frame_s;
  const double dx = to.person.x_m - from.person.x_m, dy = to.person.y_m - from.person.y_m;
  const double dh = to.person.height_m - from.person.height_m;
  const double spread = p.jitter_m * p.jitter_m + p.wander_m_per_s * p.wander_m_per_s * dt * dt;
  return (dx * dx + dy * dy) / (2 * spread) + dh * dh / (2 * p.height_jitter_m * p.height_jitter_m) +
         p.missed_cost * (gap - 1);
}

bool in_reach(const Node& from, const Node& to, double frame_s, const PathParameters& p) {
  const double dt = static_cast<double>(to.frame - from.frame) * frame_s;
  return std::hypot(to.person.x_m - from.person.x_m, to.person.y_m - from.person.y_m) <=
         2 * p.jitter_m + p.max_speed_m_per_s * dt;
}

}  // namespace

Result<NodePaths> paths_on_graph(std::span<const Node> nodes, double frame_rate, const PathParameters& p) {
  PathGraph graph;
  const double restart = 2 * p.entry_cost, frame_s = 1 / frame_rate;
  const auto largest_gap = static_cast<int64_t>(std::floor(restart / p.missed_cost)) + 1;
  for (size_t i = 0; i < nodes.size(); ++i) {
    graph.node_cost.push_back(detection_cost(nodes[i], p));
    graph.entry_cost.push_back(nodes[i].carries >= 0 ? 0 : quantised(p.entry_cost));
    graph.exit_cost.push_back(quantised(p.entry_cost));
    for (size_t j = i + 1; j < nodes.size() && nodes[j].frame - nodes[i].frame <= largest_gap; ++j) {
      if (nodes[j].frame == nodes[i].frame || nodes[j].carries >= 0 ||
          !in_reach(nodes[i], nodes[j], frame_s, p))
        continue;
      const double cost = arc_cost(nodes[i], nodes[j], frame_s, p);
      if (cost < restart)
        graph.arcs.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j), quantised(cost)});
    }
  }
  VANTAGE_ASSIGN(DisjointPaths found, cheapest_disjoint_paths(graph));
  return std::move(found.paths);
}

}  // namespace vantage::path_detail
