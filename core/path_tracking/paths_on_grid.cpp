#include <algorithm>
#include <cmath>
#include <string>

#include "core/path_tracking/grid_paths.h"
#include "core/path_tracking/path_windows.h"

namespace vantage::path_detail {
namespace {

constexpr int64_t kMostBytes = int64_t{6} << 30;

struct Floor {
  double left_m = 0, low_m = 0, cell_m = 0.1;
  int nx = 0, ny = 0;
  int64_t first_frame = 0;

  size_t index(const Node& node) const {
    const auto x = static_cast<int64_t>((node.person.x_m - left_m) / cell_m);
    const auto y = static_cast<int64_t>((node.person.y_m - low_m) / cell_m);
    return static_cast<size_t>(((node.frame - first_frame) * ny + y) * nx + x);
  }
};

// Holds every node, with two cells around.
Floor floor_of(std::span<const Node> nodes, double cell_m) {
  const auto [left, right] = std::minmax_element(
      nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.person.x_m < b.person.x_m; });
  const auto [low, high] = std::minmax_element(
      nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.person.y_m < b.person.y_m; });
  Floor floor{left->person.x_m - 2 * cell_m, low->person.y_m - 2 * cell_m, cell_m, 0, 0, nodes.front().frame};
  floor.nx = static_cast<int>((right->person.x_m - floor.left_m) / cell_m) + 3;
  floor.ny = static_cast<int>((high->person.y_m - floor.low_m) / cell_m) + 3;
  return floor;
}

}  // namespace

Result<NodePaths> paths_on_grid(std::span<const Node> nodes, double frame_rate, const PathParameters& p) {
  if (nodes.empty()) return NodePaths{};
  const Floor floor = floor_of(nodes, p.cell_m);
  SpaceTimeGrid grid;
  grid.frames = static_cast<int>(nodes.back().frame - floor.first_frame) + 1;
  grid.nx = floor.nx, grid.ny = floor.ny;
  grid.reach = std::clamp(static_cast<int>(std::ceil(p.max_speed_m_per_s / frame_rate / p.cell_m)), 1, 7);
  grid.entry_cost = grid.exit_cost = static_cast<int32_t>(quantised(p.entry_cost));
  if (const int64_t bytes = grid_paths_bytes(grid); bytes > kMostBytes)
    return fail(ErrorKind::out_of_memory,
                std::to_string(grid.frames) + " frames of " + std::to_string(grid.nx) + " x " +
                    std::to_string(grid.ny) + " cells need " + std::to_string(bytes >> 20) + " MiB",
                "paths on a grid", "Set paths.window_s, or a larger paths.cell_m");
  grid.entrances.assign(static_cast<size_t>(grid.nx) * static_cast<size_t>(grid.ny), 1);
  grid.cost.assign(grid.entrances.size() * static_cast<size_t>(grid.frames),
                   static_cast<int32_t>(quantised(p.missed_cost)));
  std::vector<int32_t> node_at(grid.cost.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const size_t at = floor.index(nodes[i]);
    const auto cost = static_cast<int32_t>(detection_cost(nodes[i], p));
    if (node_at[at] >= 0 && cost >= grid.cost[at]) continue;  // the more certain of two in one cell
    grid.cost[at] = cost, node_at[at] = static_cast<int32_t>(i);
  }
  VANTAGE_ASSIGN(const GridPaths found, cheapest_grid_paths(grid));
  NodePaths paths;
  for (const GridPath& path : found.paths) {
    std::vector<int32_t> passed;
    for (size_t i = 0; i < path.cells.size(); ++i) {
      const size_t frame = static_cast<size_t>(path.first_frame) + i;
      const int32_t node = node_at[frame * grid.entrances.size() + static_cast<size_t>(path.cells[i])];
      if (node >= 0) passed.push_back(node);
    }
    if (!passed.empty()) paths.push_back(std::move(passed));
  }
  return paths;
}

}  // namespace vantage::path_detail
