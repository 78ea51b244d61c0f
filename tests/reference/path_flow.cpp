#include "tests/reference/path_flow.h"

#include <lemon/cost_scaling.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <limits>
#include <queue>
#include <stdexcept>

namespace vantage::reference {
namespace {

constexpr int64_t kForbidden = std::numeric_limits<int64_t>::max();

struct Link {
  int tail, head;
  int64_t cost;
};

// Node v is split into 2v (entered) and 2v + 1 (left); then source and sink.
std::vector<Link> links_of(const FlowProblem& problem) {
  const int nodes = static_cast<int>(problem.node_cost.size());
  std::vector<Link> links;
  for (int v = 0; v < nodes; ++v) {
    const auto n = static_cast<size_t>(v);
    links.push_back({2 * v, 2 * v + 1, problem.node_cost[n]});
    if (problem.entry_cost[n] != kForbidden) links.push_back({2 * nodes, 2 * v, problem.entry_cost[n]});
    if (problem.exit_cost[n] != kForbidden) links.push_back({2 * v + 1, 2 * nodes + 1, problem.exit_cost[n]});
  }
  for (const FlowProblem::Arc& arc : problem.arcs) links.push_back({2 * arc.from + 1, 2 * arc.to, arc.cost});
  return links;
}

}  // namespace

int64_t cost_by_lemon(const FlowProblem& problem) {
  const int nodes = static_cast<int>(problem.node_cost.size());
  lemon::SmartDigraph graph;
  graph.reserveNode(2 * nodes + 2);
  for (int v = 0; v < 2 * nodes + 2; ++v) graph.addNode();
  lemon::SmartDigraph::ArcMap<int64_t> upper(graph), cost(graph);
  for (const Link& link : links_of(problem)) {
    const auto arc = graph.addArc(graph.nodeFromId(link.tail), graph.nodeFromId(link.head));
    upper[arc] = 1, cost[arc] = link.cost;
  }
  // As many paths as there are nodes are sent, those that do not pay go round for nothing.
  const auto around = graph.addArc(graph.nodeFromId(2 * nodes), graph.nodeFromId(2 * nodes + 1));
  upper[around] = nodes, cost[around] = 0;
  lemon::CostScaling<lemon::SmartDigraph, int64_t, int64_t> flow(graph);
  flow.upperMap(upper).costMap(cost).stSupply(graph.nodeFromId(2 * nodes), graph.nodeFromId(2 * nodes + 1),
                                              nodes);
  if (flow.run() != decltype(flow)::OPTIMAL) throw std::runtime_error("LEMON found no optimum");
  return flow.totalCost<int64_t>();
}

int64_t cost_by_plain_shortest_paths(const FlowProblem& problem) {
  const int nodes = static_cast<int>(problem.node_cost.size()), source = 2 * nodes, sink = source + 1;
  const std::vector<Link> links = links_of(problem);
  std::vector<std::vector<int>> touching(static_cast<size_t>(sink) + 1);
  for (size_t a = 0; a < links.size(); ++a) {
    touching[static_cast<size_t>(links[a].tail)].push_back(static_cast<int>(a));
    touching[static_cast<size_t>(links[a].head)].push_back(static_cast<int>(a));
  }
  constexpr int64_t kFar = kForbidden / 4;
  std::vector<bool> used(links.size());
  // First potentials by dynamic programming in node order.
  std::vector<int64_t> potential(touching.size(), kFar);
  potential[static_cast<size_t>(source)] = 0;
  const auto relax = [&](int v) {
    for (const int a : touching[static_cast<size_t>(v)]) {
      const Link& link = links[static_cast<size_t>(a)];
      int64_t& there = potential[static_cast<size_t>(link.head)];
      if (link.tail == v && potential[static_cast<size_t>(v)] < kFar)
        there = std::min(there, potential[static_cast<size_t>(v)] + link.cost);
    }
  };
  relax(source);
  for (int v = 0; v < 2 * nodes; ++v) relax(v);
  int64_t total = 0;
  while (true) {
    std::vector<int64_t> distance(touching.size(), kFar);
    std::vector<int> parent(touching.size(), -1);
    using Entry = std::pair<int64_t, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    distance[static_cast<size_t>(source)] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
      const auto [d, v] = queue.top();
      queue.pop();
      if (d != distance[static_cast<size_t>(v)]) continue;
      for (const int a : touching[static_cast<size_t>(v)]) {
        const Link& link = links[static_cast<size_t>(a)];
        const bool forward = link.tail == v;
        if (forward == used[static_cast<size_t>(a)]) continue;
        const auto to = static_cast<size_t>(forward ? link.head : link.tail);
        if (potential[to] >= kFar) continue;
        const int64_t next =
            d + (forward ? link.cost : -link.cost) + potential[static_cast<size_t>(v)] - potential[to];
        if (next < distance[to])
          distance[to] = next, parent[to] = a, queue.push({next, static_cast<int>(to)});
      }
    }
    if (distance[static_cast<size_t>(sink)] >= kFar) return total;
    const int64_t cost = distance[static_cast<size_t>(sink)] + potential[static_cast<size_t>(sink)];
    if (cost >= 0) return total;
    total += cost;
    for (int v = sink; v != source;) {
      const int a = parent[static_cast<size_t>(v)];
      const Link& link = links[static_cast<size_t>(a)];
      v = link.head == v && !used[static_cast<size_t>(a)] ? link.tail : link.head;
      used[static_cast<size_t>(a)] = !used[static_cast<size_t>(a)];
    }
    for (size_t v = 0; v < potential.size(); ++v)
      potential[v] = distance[v] >= kFar ? kFar : potential[v] + distance[v];
  }
}

}  // namespace vantage::reference
