#include "core/tracking/paths/detail/grid_paths.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/path_problems.h"

namespace vantage {
namespace {

int64_t cost_of_paths(const SpaceTimeGrid& grid, const GridPaths& found) {
  int64_t cost = 0;
  std::set<std::pair<int, int32_t>> passed;
  const auto entrance = [&](int32_t cell) { return grid.entrances.at(cell) != 0; };
  for (const GridPath& path : found.paths) {
    const int last_frame = path.first_frame + static_cast<int>(path.cells.size()) - 1;
    EXPECT_TRUE(path.first_frame == 0 || entrance(path.cells.front()));
    EXPECT_TRUE(last_frame == grid.frames - 1 || entrance(path.cells.back()));
    cost += path.first_frame == 0 ? grid.first_entry_cost : grid.entry_cost;
    cost += last_frame == grid.frames - 1 ? grid.last_exit_cost : grid.exit_cost;
    for (size_t i = 0; i < path.cells.size(); ++i) {
      const int frame = path.first_frame + static_cast<int>(i);
      EXPECT_TRUE(passed.insert({frame, path.cells[i]}).second) << "a cell is passed twice";
      cost += grid.cost.at(frame * grid.nx * grid.ny + path.cells[i]);
      if (i == 0) continue;
      cost += test::move_cost(grid, path.cells[i - 1], path.cells[i]);
      EXPECT_LE(std::abs(path.cells[i] % grid.nx - path.cells[i - 1] % grid.nx), grid.reach);
      EXPECT_LE(std::abs(path.cells[i] / grid.nx - path.cells[i - 1] / grid.nx), grid.reach);
    }
  }
  return cost;
}

TEST(GridPaths, RandomGridsCostAsLemonAndTheGraphSolverSay) {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    SpaceTimeGrid grid = test::random_grid(random, draw(1, 9), draw(1, 6), draw(1, 5), draw(0, 4));
    grid.move_cost = draw(0, 2);
    const auto found = cheapest_grid_paths(grid);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->cost, cost_of_paths(grid, *found)) << "seed " << seed;
    const PathGraph graph = test::to_graph(grid);
    const auto by_graph = cheapest_disjoint_paths(graph);
    ASSERT_TRUE(by_graph);
    ASSERT_EQ(found->cost, by_graph->cost) << "seed " << seed;
    ASSERT_EQ(found->cost, reference::cost_by_lemon(test::to_flow_problem(graph))) << "seed " << seed;
  }
}

TEST(GridPaths, WalkingPeopleCostAsLemonSays) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    SpaceTimeGrid grid = test::walking_people(random, 60, 14, 12, 7, 1);
    grid.move_cost = 100 * static_cast<int32_t>(seed - 1);
    const auto found = cheapest_grid_paths(grid);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->cost, cost_of_paths(grid, *found)) << "seed " << seed;
    ASSERT_EQ(found->cost, reference::cost_by_lemon(test::to_flow_problem(test::to_graph(grid))))
        << "seed " << seed;
    EXPECT_GE(found->paths.size(), 5u) << "seed " << seed;
  }
}

TEST(GridPaths, AGapIsBridgedWhereThatCostsLessThanLeaving) {
  // One cell, nine frames, seen but in the middle; no entrance: leaving is only possible at the ends.
  SpaceTimeGrid grid{9, 1, 1, {-5, -5, -5, 4, 4, 4, -5, -5, -5}, {0}, 1, 1, 1, 0, 1, 1};
  auto found = cheapest_grid_paths(grid);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->paths.size(), 1u);
  EXPECT_EQ(found->paths[0].cells.size(), 9u);
  EXPECT_EQ(found->cost, -30 + 12 + 2);
  grid.entrances = {1};  // now two visits of three frames are cheaper
  found = cheapest_grid_paths(grid);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->paths.size(), 2u);
  EXPECT_EQ(found->cost, -30 + 4);
}

TEST(GridPaths, TheFirstPassGivesTheCheapestPath) {
  std::mt19937 random(3);
  const SpaceTimeGrid grid = test::walking_people(random, 40, 10, 10, 1, 1);
  const auto one = cheapest_single_path_cost(grid);
  const auto all = cheapest_grid_paths(grid);
  ASSERT_TRUE(one && all);
  EXPECT_LT(*one, 0);
  EXPECT_LE(all->cost, *one);
}

TEST(GridPaths, WrongGridsAreRefused) {
  EXPECT_FALSE(cheapest_grid_paths({}));
  EXPECT_FALSE(cheapest_grid_paths({2, 1, 1, {1}, {1}, 1, 0, 0}));
  EXPECT_FALSE(cheapest_grid_paths({1, 1, 1, {1 << 29}, {1}, 1, 0, 0}));
}

}  // namespace
}  // namespace vantage
