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

constexpr int64_t kFar = kForbidden / 4;

// Sends one path after the other along the cheapest way from source to sink, as long as that pays; a link
// that is used may be given back.
class CheapestPaths {
 public:
  explicit CheapestPaths(const FlowProblem& problem)
      : links_(links_of(problem)),
        source_(2 * static_cast<int>(problem.node_cost.size())),
        sink_(source_ + 1),
        touching_(static_cast<size_t>(sink_) + 1),
        used_(links_.size()),
        potential_(touching_.size(), kFar) {
    for (size_t a = 0; a < links_.size(); ++a) {
      touching_[links_[a].tail].push_back(static_cast<int>(a));
      touching_[links_[a].head].push_back(static_cast<int>(a));
    }
    // First potentials by dynamic programming in node order.
    potential_[source_] = 0;
    relax(source_);
    for (int v = 0; v < source_; ++v) relax(v);
  }

  int64_t total_cost() {
    for (int64_t total = 0;;) {
      search();
      if (distance_[sink_] >= kFar) return total;
      const int64_t cost = distance_[sink_] + potential_[sink_];
      if (cost >= 0) return total;
      total += cost;
      send();
    }
  }

 private:
  void relax(int v) {
    for (const int a : touching_[v]) {
      const Link& link = links_[a];
      int64_t& there = potential_[link.head];
      if (link.tail == v && potential_[v] < kFar) there = std::min(there, potential_[v] + link.cost);
    }
  }

  // Dijkstra over the costs less the potentials.
  void search() {
    using Entry = std::pair<int64_t, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    distance_.assign(touching_.size(), kFar);
    parent_.assign(touching_.size(), -1);
    distance_[source_] = 0;
    queue.push({0, source_});
    while (!queue.empty()) {
      const auto [d, v] = queue.top();
      queue.pop();
      if (d != distance_[v]) continue;
      for (const int a : touching_[v]) {
        const Link& link = links_[a];
        const bool forward = link.tail == v;
        if (forward == used_[a]) continue;
        const auto to = static_cast<size_t>(forward ? link.head : link.tail);
        if (potential_[to] >= kFar) continue;
        const int64_t next = d + (forward ? link.cost : -link.cost) + potential_[v] - potential_[to];
        if (next < distance_[to])
          distance_[to] = next, parent_[to] = a, queue.push({next, static_cast<int>(to)});
      }
    }
  }

  // Along the path that was found, and the potentials for the next.
  void send() {
    for (int v = sink_; v != source_;) {
      const int a = parent_[v];
      const Link& link = links_[a];
      v = link.head == v && !used_[a] ? link.tail : link.head;
      used_[a] = !used_[a];
    }
    for (size_t v = 0; v < potential_.size(); ++v)
      potential_[v] = distance_[v] >= kFar ? kFar : potential_[v] + distance_[v];
  }

  const std::vector<Link> links_;
  const int source_, sink_;
  std::vector<std::vector<int>> touching_;  // links, by node
  std::vector<bool> used_;
  std::vector<int64_t> potential_, distance_;
  std::vector<int> parent_;
};

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
  return CheapestPaths(problem).total_cost();
}

}  // namespace vantage::reference
