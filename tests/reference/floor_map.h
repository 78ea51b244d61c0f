// The floor map from its definition in core/people/occupancy/floor_map.h, voxel by voxel. Slow and obvious;
// for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/voxel_grid.h"

namespace vantage::reference {

struct FloorMap {
  std::vector<int> columns, tops;  // cell x + nx * y
};

// `occupied` by linear ID.
inline FloorMap floor_map(const VoxelGrid& grid, const std::vector<bool>& occupied, double lowest_m) {
  FloorMap map;
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      int count = 0, top = 0;
      for (int z = 0; z < grid.nz; ++z) {
        if (grid.center(2, z) < lowest_m) continue;
        if (!occupied[grid.linear_id(x, y, z)]) continue;
        ++count;
        top = z + 1;
      }
      map.columns.push_back(count);
      map.tops.push_back(top);
    }
  return map;
}

}  // namespace vantage::reference
