// Cheapest node-disjoint paths on the space-time grid of a floor: K shortest paths (J. Berclaz, F. Fleuret,
// E. Türetken, P. Fua, "Multiple Object Tracking using K-Shortest Paths Optimization", PAMI 2011). How the
// optimum is found without the graph: resources/docs/algorithms/path-tracking.md.
//
// A node is a cell at a frame. From one frame to the next a path stays or moves by at most `reach` cells
// along each axis. It may start and end at entrances at any time, and anywhere in the first and the last
// frame, at costs of their own.
//
//   minimise  sum over paths of  entry + sum of cell costs + sum of moves + exit
//
// Cell cost = -log(p / (1 - p)); a move by (dx, dy) cells costs move_cost (dx^2 + dy^2), in the source
// nothing. All are quantised by the caller. The optimum is that of cheapest_disjoint_paths() on this graph.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct SpaceTimeGrid {
  int frames = 0, nx = 0, ny = 0;
  std::vector<int32_t> cost;              // frames x ny x nx; frames * largest magnitude at most 2^28
  std::vector<uint8_t> entrances;         // ny x nx, not 0: paths start and end here at any time
  int reach = 1;                          // cells
  int32_t entry_cost = 0, exit_cost = 0;  // at entrances
  int32_t move_cost = 0;                  // of one cell, not negative
  int32_t first_entry_cost = 0, last_exit_cost = 0;  // anywhere in the first and the last frame
};

struct GridPath {
  int first_frame = 0;
  std::vector<int32_t> cells;  // y * nx + x, one a frame
};

struct GridPaths {
  std::vector<GridPath> paths;  // by first frame, then cell
  int64_t cost = 0;
};

// About how many bytes cheapest_grid_paths() holds in addition to the costs.
int64_t grid_paths_bytes(const SpaceTimeGrid& grid);

// Errors (invalid_argument): sizes that do not fit, costs too large.
Result<GridPaths> cheapest_grid_paths(const SpaceTimeGrid& grid);

// One dynamic-programming pass over the grid, by itself: the cost of the cheapest single path. For tests and
// benches.
Result<int64_t> cheapest_single_path_cost(const SpaceTimeGrid& grid);

}  // namespace vantage
