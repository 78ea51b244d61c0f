// Floor map: what stands on each cell of the floor, from the carved volume's occupancy seen from above.
//
//   columns(x, y) = number of occupied voxels over the cell, from the layer of lowest_m upwards
//   tops(x, y)    = 1 + index of the highest of them, 0 where there is none
//
// Both are whole numbers, so every implementation gives the same bits. A cell that too few cameras see has no
// meaningful value here: coverage.h says which ones those are.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/parameters.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

struct FloorMapParameters {
  double lowest_m = 0.15;
};
template <>
const ParameterTable& parameter_table<FloorMapParameters>();

// Both u16, width nx, height ny; host or device, as the mapper.
struct FloorMap {
  VoxelGrid grid;
  int64_t frame = -1;
  Image columns, tops;
};

class FloorMapper {
 public:
  static constexpr std::string_view kAlgorithm = "floor map";
  struct Arguments {
    VoxelGrid grid;  // at most 65535 layers
  };
  virtual ~FloorMapper() = default;
  virtual void set_parameters(const FloorMapParameters& parameters) = 0;
  // `occupancy` as in CarvedVolume: u32, width ceil(nx / 32), height ny * nz. Errors: another size or memory
  // (invalid_argument), out_of_memory, device_lost.
  virtual Result<FloorMap> map(const Image& occupancy, int64_t frame) = 0;
};

namespace floor_map {

// The first layer whose centre is at or above lowest_m; nz when there is none.
inline int first_layer(const VoxelGrid& grid, double lowest_m) {
  int layer = 0;
  while (layer < grid.nz && grid.center(2, layer) < lowest_m) ++layer;
  return layer;
}

Status check(const FloorMapper::Arguments& arguments);
Status check(const VoxelGrid& grid, const Image& occupancy, MemoryPlace place);

}  // namespace floor_map

}  // namespace vantage
