// The minimum cost of node-disjoint paths, by ways that share nothing with core/tracking/paths: LEMON's cost
// scaling (push-relabel), and plain successive shortest paths with Dijkstra and no tree kept between paths.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage::reference {

// As PathGraph, without its header: this is compiled as C++17, which LEMON 1.3 needs.
struct FlowProblem {
  struct Arc {
    int from, to;
    int64_t cost;
  };
  std::vector<int64_t> node_cost, entry_cost, exit_cost;  // INT64_MAX: forbidden
  std::vector<Arc> arcs;
};

int64_t cost_by_lemon(const FlowProblem& problem);
int64_t cost_by_plain_shortest_paths(const FlowProblem& problem);

}  // namespace vantage::reference
