// Cheapest node-disjoint paths through an acyclic graph: the global optimum of following many people at once,
// as a minimum-cost flow of unit capacities. How it is solved: resources/docs/algorithms/path-tracking.md.
//
//   minimise  sum over paths of  entry(first) + sum of node costs + sum of arc costs + exit(last)
//   over every number of paths (none is a choice: cost 0) that share no node
//
// J. Berclaz, F. Fleuret, E. Türetken, P. Fua, "Multiple Object Tracking using K-Shortest Paths
// Optimization", PAMI 2011; L. Zhang, Y. Li, R. Nevatia, "Global data association for multi-object tracking
// using network flows", CVPR 2008. Solved node by node, in their order, as P. Lenz, A. Geiger, R. Urtasun,
// "FollowMe", ICCV 2015: after each node the paths are optimal for the nodes so far.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// Costs are whole numbers, quantised once by the caller; their sum over any path must stay within 2^60.
struct PathGraph {
  static constexpr int64_t kForbidden = std::numeric_limits<int64_t>::max();
  struct Arc {
    int32_t from = 0, to = 0;  // from < to
    int64_t cost = 0;
  };
  std::vector<int64_t> node_cost;              // negative: it pays to pass here
  std::vector<int64_t> entry_cost, exit_cost;  // of a path that starts, ends here; or kForbidden
  std::vector<Arc> arcs;                       // in any order
};

struct DisjointPaths {
  std::vector<std::vector<int32_t>> paths;  // node numbers, by first node
  int64_t cost = 0;                         // of all together, 0 or less
};

// The costs of getting to a node's entry and exit in the graph that the paths leave: through arcs that no
// path takes and backwards over those that one does. kForbidden: not at all. With them no arc that a path
// could take costs less than nothing, and those that paths take cost nothing: an arc that is not in the graph
// cannot make the paths cheaper where left(from) + cost >= entered(to).
struct NodePotentials {
  std::vector<int64_t> entered, left;
};

// Errors (invalid_argument): lists of unequal length, an arc that does not lead to a larger number.
Result<DisjointPaths> cheapest_disjoint_paths(const PathGraph& graph);
Result<DisjointPaths> cheapest_disjoint_paths(const PathGraph& graph, NodePotentials* potentials);

}  // namespace vantage
