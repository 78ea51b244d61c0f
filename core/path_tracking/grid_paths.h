// Cheapest node-disjoint paths on the space-time grid of a floor: K shortest paths (J. Berclaz, F. Fleuret,
// E. Türetken, P. Fua, "Multiple Object Tracking using K-Shortest Paths Optimization", PAMI 2011).
//
// A node is a cell at a frame. From one frame to the next a path stays or moves by at most `reach` cells
// along each axis, at no cost. It may start and end at entrances at any time, and anywhere in the first and
// the last frame.
//
//   minimise  sum over paths of  entry + sum of cell costs + exit,   cell cost = -log(p / (1 - p)), quantised
//   by the caller
//
// The same optimum as cheapest_disjoint_paths() on this graph, without ever writing the graph down, and by
// the same way: one dynamic-programming pass over all cells, then for each path only what hung below it in
// the shortest-path tree is searched again. The arcs into a frame are a square window, so the pass takes the
// minimum of rows, then of columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct SpaceTimeGrid {
  int frames = 0, nx = 0, ny = 0;
  std::vector<int32_t> cost;       // frames x ny x nx; frames * largest magnitude at most 2^28
  std::vector<uint8_t> entrances;  // ny x nx, not 0: paths start and end here at any time
  int reach = 1;                   // cells
  int32_t entry_cost = 0, exit_cost = 0;
};

struct GridPath {
  int first_frame = 0;
  std::vector<int32_t> cells;  // y * nx + x, one a frame
};

struct GridPaths {
  std::vector<GridPath> paths;  // by first frame, then cell
  int64_t cost = 0;
  // How often a cell's label was searched again, over the number of cells: what the paths cost beside the
  // first pass.
  double searched_again = 0;
};

// Bytes that cheapest_grid_paths() holds beside the costs.
int64_t grid_paths_bytes(const SpaceTimeGrid& grid);

// Errors (invalid_argument): sizes that do not fit, costs too large.
Result<GridPaths> cheapest_grid_paths(const SpaceTimeGrid& grid);

// One dynamic-programming pass over the grid, by itself: the cost of the cheapest single path. For tests and
// benches.
Result<int64_t> cheapest_single_path_cost(const SpaceTimeGrid& grid);

}  // namespace vantage
