// path_tracking_bench [FRAMES]: prints JSON. A grid of 6 m x 6 m at 10 cm with 30 people, 100 s at 25
// frames/s unless FRAMES says less, in units of one dynamic-programming pass over it, and a detection graph
// of about 40,000 nodes and 100,000 arcs against plain successive shortest paths with Dijkstra and LEMON's
// cost scaling. Best of three where it is quick.
#include <fmt/core.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "core/base/json.h"
#include "tests/support/choose_instruction_set.h"
#include "tests/support/path_problems.h"

namespace vantage {
namespace {

template <typename Run>
double seconds(int times, const Run& run) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

nlohmann::ordered_json grid_figures(int frames) {
  std::mt19937 random(1);
  SpaceTimeGrid grid = test::walking_people(random, frames, 60, 60, 30, 2);
  grid.move_cost = 111;  // the program's at 25 frames/s
  GridPaths found;
  const double pass_s = seconds(3, [&] { (void)cheapest_single_path_cost(grid).value(); });
  const double solve_s = seconds(1, [&] { found = cheapest_grid_paths(grid).value(); });
  return {{"frames", grid.frames},
          {"cells", grid.nx * grid.ny},
          {"reach", grid.reach},
          {"paths", found.paths.size()},
          {"cost", found.cost},
          {"one_pass_s", pass_s},
          {"solve_s", solve_s},
          {"solve_in_passes", solve_s / pass_s},
          {"bytes", grid_paths_bytes(grid)}};
}

// Detections of people on a floor, linked over up to three frames.
PathGraph detection_graph() {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(0, 1);
  constexpr int kPeople = 40, kFrames = 1000;
  struct Seen {
    double x, y;
    int frame;
  };
  std::vector<Seen> seen;
  std::vector<std::array<double, 4>> ways;
  for (int i = 0; i < kPeople; ++i)
    ways.push_back({unit(random), unit(random), 6.28 * unit(random), 6.28 * unit(random)});
  PathGraph graph;
  for (int frame = 0; frame < kFrames; ++frame)
    for (const auto& w : ways) {
      const double t = 0.02 * frame;
      if (unit(random) < 0.1) continue;
      const bool clutter = unit(random) < 0.1;
      const double x = clutter ? 12 * unit(random) : 6 + 6 * std::sin(w[0] * t + w[2]) + 0.05 * unit(random);
      const double y = clutter ? 12 * unit(random) : 6 + 6 * std::sin(w[1] * t + w[3]) + 0.05 * unit(random);
      seen.push_back({x, y, frame});
      graph.node_cost.push_back(static_cast<int64_t>(-2000 + 2500 * unit(random)));
      graph.entry_cost.push_back(6000), graph.exit_cost.push_back(6000);
    }
  for (size_t i = 0; i < seen.size(); ++i)
    for (size_t j = i + 1; j < seen.size() && seen[j].frame <= seen[i].frame + 3; ++j) {
      const int gap = seen[j].frame - seen[i].frame;
      const double distance = std::hypot(seen[j].x - seen[i].x, seen[j].y - seen[i].y);
      if (gap > 0 && distance < 0.3 + 0.1 * gap)
        graph.arcs.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j),
                              static_cast<int64_t>(1500 * distance / 0.3 + 1500 * (gap - 1))});
    }
  return graph;
}

nlohmann::ordered_json graph_figures() {
  const PathGraph graph = detection_graph();
  const reference::FlowProblem problem = test::to_flow_problem(graph);
  DisjointPaths found;
  int64_t lemon = 0, plain = 0;
  const double ours_s = seconds(3, [&] { found = cheapest_disjoint_paths(graph).value(); });
  const double lemon_s = seconds(1, [&] { lemon = reference::cost_by_lemon(problem); });
  const double plain_s = seconds(1, [&] { plain = reference::cost_by_plain_shortest_paths(problem); });
  return {{"nodes", graph.node_cost.size()},
          {"arcs", graph.arcs.size()},
          {"paths", found.paths.size()},
          {"cost", found.cost},
          {"same_cost", found.cost == lemon && found.cost == plain},
          {"ours_s", ours_s},
          {"lemon_cost_scaling_s", lemon_s},
          {"plain_shortest_paths_s", plain_s},
          {"faster_than_plain", plain_s / ours_s}};
}

}  // namespace
}  // namespace vantage

int main(int count, char** arguments) {
  vantage::test::choose_instruction_set();
  nlohmann::ordered_json json;
  json["grid"] = vantage::grid_figures(count > 1 ? std::atoi(arguments[1]) : 2500);
  json["graph"] = vantage::graph_figures();
  fmt::print("{}\n", vantage::json_text(json, 2));
}
