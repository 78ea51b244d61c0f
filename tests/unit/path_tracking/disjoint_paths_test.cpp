#include "core/tracking/paths/detail/disjoint_paths.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/path_problems.h"

namespace vantage {
namespace {

// The cost of the paths as the definition says it; every node at most once, every arc there.
int64_t cost_of_paths(const PathGraph& graph, const DisjointPaths& found) {
  int64_t cost = 0;
  std::set<int32_t> passed;
  for (const std::vector<int32_t>& path : found.paths) {
    cost += graph.entry_cost.at(path.front());
    cost += graph.exit_cost.at(path.back());
    for (size_t i = 0; i < path.size(); ++i) {
      EXPECT_TRUE(passed.insert(path[i]).second) << "node " << path[i] << " is passed twice";
      cost += graph.node_cost.at(path[i]);
      if (i == 0) continue;
      int64_t cheapest = PathGraph::kForbidden;
      for (const PathGraph::Arc& arc : graph.arcs)
        if (arc.from == path[i - 1] && arc.to == path[i]) cheapest = std::min(cheapest, arc.cost);
      EXPECT_NE(cheapest, PathGraph::kForbidden) << "no arc " << path[i - 1] << " to " << path[i];
      cost += cheapest;
    }
  }
  return cost;
}

TEST(DisjointPaths, NothingPays) {
  const auto found = cheapest_disjoint_paths({{1, 2}, {0, 0}, {0, 0}, {{0, 1, 0}}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->paths.empty());
  EXPECT_EQ(found->cost, 0);
  EXPECT_TRUE(cheapest_disjoint_paths({}));
}

TEST(DisjointPaths, ALaterPathTakesAnEarlierOneApart) {
  // The cheapest single path 0 1 4 5 blocks both others; two paths 0 1 3 5' and 2 4 ... cost less together.
  //   0 -> 1 -> 3      1 -> 4 is cheapest
  //   2 -> 4 -> 5
  const PathGraph graph{{-6, -6, -6, -6, -6, -6},
                        {1, 20, 1, 20, 20, 20},
                        {20, 20, 20, 1, 20, 1},
                        {{0, 1, 0}, {1, 3, 4}, {1, 4, 0}, {2, 4, 4}, {4, 5, 0}}};
  const auto found = cheapest_disjoint_paths(graph);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->paths, (std::vector<std::vector<int32_t>>{{0, 1, 3}, {2, 4, 5}}));
  EXPECT_EQ(found->cost, 2 * (-18 + 2 + 4));
}

TEST(DisjointPaths, RandomGraphsCostAsLemonAndPlainShortestPathsSay) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const int nodes = std::uniform_int_distribution<int>(1, 60)(random);
    const PathGraph graph = test::random_graph(random, nodes, seed % 3 ? 0.1 : 0.5);
    const auto found = cheapest_disjoint_paths(graph);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->cost, cost_of_paths(graph, *found)) << "seed " << seed;
    const reference::FlowProblem problem = test::to_flow_problem(graph);
    ASSERT_EQ(found->cost, reference::cost_by_lemon(problem)) << "seed " << seed;
    ASSERT_EQ(found->cost, reference::cost_by_plain_shortest_paths(problem)) << "seed " << seed;
  }
}

TEST(DisjointPaths, WrongGraphsAreRefused) {
  EXPECT_FALSE(cheapest_disjoint_paths({{1, 2}, {0}, {0, 0}, {}}));
  EXPECT_FALSE(cheapest_disjoint_paths({{1, 2}, {0, 0}, {0, 0}, {{1, 0, 0}}}));
  EXPECT_FALSE(cheapest_disjoint_paths({{1, 2}, {0, 0}, {0, 0}, {{0, 2, 0}}}));
}

}  // namespace
}  // namespace vantage
