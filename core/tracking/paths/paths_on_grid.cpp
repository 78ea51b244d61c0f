#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/tracking/paths/detail/grid_paths.h"
#include "core/tracking/paths/detail/path_windows.h"

namespace vantage::path_detail {
namespace {

constexpr int64_t kMaxBytes = int64_t{6} << 30;

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

// Holds every node and entrance, with two cells around.
Floor floor_of(std::span<const Node> nodes, double cell_m, std::span<const FloorZone> entrances) {
  Eigen::AlignedBox2d box;
  for (const Node& node : nodes) box.extend(Eigen::Vector2d(node.person.x_m, node.person.y_m));
  for (const FloorZone& entrance : entrances)
    for (const Eigen::Vector2d& corner : entrance.corners_m) box.extend(corner);
  Floor floor{box.min().x() - 2 * cell_m, box.min().y() - 2 * cell_m, cell_m, 0, 0, nodes.front().frame};
  floor.nx = static_cast<int>((box.max().x() - floor.left_m) / cell_m) + 3;
  floor.ny = static_cast<int>((box.max().y() - floor.low_m) / cell_m) + 3;
  return floor;
}

// Cells with their middle in an entrance; where there is none, all cells.
std::vector<uint8_t> entrance_cells(const Floor& floor, std::span<const FloorZone> entrances) {
  std::vector<uint8_t> cells;
  for (int y = 0; y < floor.ny; ++y)
    for (int x = 0; x < floor.nx; ++x)
      cells.push_back(in_any(
          entrances, {floor.left_m + (x + 0.5) * floor.cell_m, floor.low_m + (y + 0.5) * floor.cell_m}));
  return cells;
}

}  // namespace

Result<NodePaths> paths_on_grid(const Problem& problem) {
  const auto& [nodes, looked, frame_rate, p, entrances, begin, end] = problem;
  if (nodes.empty()) return NodePaths{};
  const Floor floor = floor_of(nodes, p.cell_m, entrances);
  SpaceTimeGrid grid;
  grid.frames = static_cast<int>(nodes.back().frame - floor.first_frame) + 1;
  grid.nx = floor.nx, grid.ny = floor.ny;
  grid.reach = std::max(1, static_cast<int>(std::ceil(p.max_speed_m_per_s / frame_rate / p.cell_m)));
  const auto quantised_cost = [](double nats) { return static_cast<int32_t>(quantised(nats)); };
  grid.entry_cost = grid.exit_cost = quantised_cost(p.entry_cost);
  grid.first_entry_cost = grid.last_exit_cost = grid.entry_cost;
  // Frames before the first and after the last node are not in the grid.
  const auto unseen = [&](int64_t from, int64_t to) {
    return quantised_cost(
        std::min(p.entry_cost, p.missed_cost * static_cast<double>(problem.looks(from, to))));
  };
  if (begin) grid.first_entry_cost = unseen(*begin, floor.first_frame);
  if (end) grid.last_exit_cost = unseen(nodes.back().frame + 1, *end);
  const double walked_m2 = p.wander_m_per_s * p.wander_m_per_s / (2 * frame_rate);  // variance after a frame
  grid.move_cost = quantised_cost(p.cell_m * p.cell_m / (2 * walked_m2));
  if (const int64_t bytes = grid_paths_bytes(grid); bytes > kMaxBytes)
    return fail(ErrorKind::out_of_memory,
                std::to_string(grid.frames) + " frames of " + std::to_string(grid.nx) + " x " +
                    std::to_string(grid.ny) + " cells need " + std::to_string(bytes >> 20) + " MiB",
                "paths on a grid", "Set paths.window_s, or a larger paths.cell_m");
  grid.entrances = entrance_cells(floor, entrances);
  grid.cost.assign(grid.entrances.size() * static_cast<size_t>(grid.frames), 0);
  const int32_t missed = quantised_cost(p.missed_cost);
  for (const int64_t frame : looked)
    if (frame >= floor.first_frame && frame <= nodes.back().frame)
      std::fill_n(grid.cost.begin() + (frame - floor.first_frame) * std::ssize(grid.entrances),
                  grid.entrances.size(), missed);
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
