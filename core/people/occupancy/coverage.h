// Which cameras see which cell of the floor, from the calibration alone. Outside the common view a count of
// people is unknown, not 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

// Bit c is set when camera c sees the point in the sense of support_inside(), as in carving.
uint64_t cameras_that_see(std::span<const PinholeCamera<double>> cameras, double x_m, double y_m, double z_m);

// Bit c of a cell is set when camera c sees the cell's centre at that height.
struct FloorCoverage {
  static constexpr double kChest_m = 1.0;
  int nx = 0, ny = 0, cameras = 0;
  std::vector<uint64_t> floor, chest;  // at 0 m and at kChest_m; cell x + nx * y

  // Cameras out of `available` that see the cell at both heights; 0 outside the grid.
  int seeing(int x, int y, uint64_t available = ~uint64_t{0}) const;
  // Share of all cells that at least `needed` of the available cameras see.
  double covered_share(int needed, uint64_t available = ~uint64_t{0}) const;
  // Number of cells by how many cameras see them: cameras + 1 entries.
  std::vector<int64_t> cells_by_cameras() const;
};

// At most 64 cameras.
Result<FloorCoverage> make_floor_coverage(std::span<const PinholeCamera<double>> cameras,
                                          const VoxelGrid& grid);

}  // namespace vantage
