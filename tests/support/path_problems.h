// Problems for the path solvers: random graphs, and people who walk over a floor and are seen with gaps and
// clutter.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/tracking/paths/detail/disjoint_paths.h"
#include "core/tracking/paths/detail/grid_paths.h"
#include "tests/reference/path_flow.h"

namespace vantage::test {

inline reference::FlowProblem to_flow_problem(const PathGraph& graph) {
  reference::FlowProblem problem{graph.node_cost, graph.entry_cost, graph.exit_cost, {}};
  for (const PathGraph::Arc& arc : graph.arcs) problem.arcs.push_back({arc.from, arc.to, arc.cost});
  return problem;
}

// Small whole costs: many ties.
inline PathGraph random_graph(std::mt19937& random, int nodes, double density) {
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  PathGraph graph;
  for (int v = 0; v < nodes; ++v) {
    graph.node_cost.push_back(draw(-12, 4));
    graph.entry_cost.push_back(draw(0, 9) == 0 ? PathGraph::kForbidden : draw(0, 12));
    graph.exit_cost.push_back(draw(0, 9) == 0 ? PathGraph::kForbidden : draw(0, 12));
    for (int w = v + 1; w < nodes; ++w)
      if (std::bernoulli_distribution(density)(random)) graph.arcs.push_back({v, w, draw(-2, 10)});
  }
  return graph;
}

inline SpaceTimeGrid random_grid(std::mt19937& random, int frames, int nx, int ny, int reach) {
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random);
  };
  SpaceTimeGrid grid{frames, nx, ny, {}, {}, reach, draw(0, 10), draw(0, 10)};
  grid.first_entry_cost = draw(0, 10), grid.last_exit_cost = draw(0, 10);
  for (int i = 0; i < frames * nx * ny; ++i) grid.cost.push_back(draw(0, 3) ? draw(0, 6) : draw(-12, 0));
  for (int i = 0; i < nx * ny; ++i) grid.entrances.push_back(draw(0, 4) == 0);
  return grid;
}

inline int64_t move_cost(const SpaceTimeGrid& grid, int from, int to) {
  const int64_t dx = to % grid.nx - from % grid.nx, dy = to / grid.nx - from / grid.nx;
  return grid.move_cost * (dx * dx + dy * dy);
}

// The same problem with every arc written down.
inline PathGraph to_graph(const SpaceTimeGrid& grid) {
  PathGraph graph;
  const int cells = grid.nx * grid.ny;
  for (int frame = 0; frame < grid.frames; ++frame)
    for (int cell = 0; cell < cells; ++cell) {
      const bool entrance = grid.entrances[cell] != 0;
      graph.node_cost.push_back(grid.cost[frame * cells + cell]);
      graph.entry_cost.push_back(frame == 0 ? grid.first_entry_cost
                                 : entrance ? grid.entry_cost
                                            : PathGraph::kForbidden);
      graph.exit_cost.push_back(frame == grid.frames - 1 ? grid.last_exit_cost
                                : entrance               ? grid.exit_cost
                                                         : PathGraph::kForbidden);
      if (frame + 1 == grid.frames) continue;
      for (int to = 0; to < cells; ++to)
        if (std::abs(to % grid.nx - cell % grid.nx) <= grid.reach &&
            std::abs(to / grid.nx - cell / grid.nx) <= grid.reach)
          graph.arcs.push_back({frame * cells + cell, (frame + 1) * cells + to, move_cost(grid, cell, to)});
    }
  return graph;
}

// People on smooth random ways over nx x ny cells, entering and leaving at the border; each cell's cost is
// that of its probability, in thousandths of a nat.
inline SpaceTimeGrid walking_people(std::mt19937& random, int frames, int nx, int ny, int people, int reach) {
  SpaceTimeGrid grid{frames, nx, ny, {}, {}, reach, 2000, 2000, 0, 2000, 2000};
  std::uniform_real_distribution<double> unit(0, 1);
  grid.entrances.assign(static_cast<size_t>(nx * ny), 0);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) grid.entrances[y * nx + x] = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  grid.cost.resize(static_cast<size_t>(frames) * static_cast<size_t>(nx * ny));
  for (int32_t& cost : grid.cost) cost = 4000 + static_cast<int32_t>(600 * unit(random));
  for (int person = 0; person < people; ++person) {
    const double fx = 0.3 + unit(random), fy = 0.3 + unit(random), px = 6.28 * unit(random),
                 py = 6.28 * unit(random);
    for (int frame = 0; frame < frames; ++frame) {
      const double t = 6.28 * frame / 1000.0;
      const auto x = static_cast<int>((0.5 + 0.47 * std::sin(fx * t + px)) * (nx - 1));
      const auto y = static_cast<int>((0.5 + 0.47 * std::sin(fy * t + py)) * (ny - 1));
      const bool seen = unit(random) > 0.1;
      const size_t cell =
          static_cast<size_t>(frame) * static_cast<size_t>(nx * ny) + static_cast<size_t>(y * nx + x);
      if (seen) grid.cost[cell] = -3000 + static_cast<int32_t>(2500 * unit(random));
    }
  }
  for (int i = 0; i < frames * people / 5; ++i) {  // clutter
    const auto at = static_cast<size_t>(unit(random) * static_cast<double>(grid.cost.size() - 1));
    grid.cost[at] = -1000;
  }
  return grid;
}

}  // namespace vantage::test
