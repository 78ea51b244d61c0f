#include "core/people/occupancy/floor_map.h"

#include <limits>
#include <string>

namespace vantage {

namespace floor_map {

Status check(const FloorMapper::Arguments& arguments) {
  const VoxelGrid& grid = arguments.grid;
  if (grid.nx <= 0 || grid.ny <= 0 || grid.nz <= 0 || !(grid.voxel_size_m > 0))
    return fail(ErrorKind::invalid_argument, "the voxel grid is empty", "floor map",
                "Give a grid with at least one voxel.");
  if (grid.nz > std::numeric_limits<uint16_t>::max())
    return fail(ErrorKind::invalid_argument, "the grid has more than 65535 layers", "floor map",
                "Choose larger voxels.");
  return {};
}

Status check(const VoxelGrid& grid, const Image& occupancy, MemoryPlace place) {
  if (!occupancy || occupancy.type() != ImageType::u32 || occupancy.place() != place)
    return fail(ErrorKind::invalid_argument, "the occupancy is missing or lies in another memory",
                "floor map");
  if (occupancy.width() != (grid.nx + 31) / 32 || int64_t{occupancy.height()} != int64_t{grid.ny} * grid.nz)
    return fail(ErrorKind::invalid_argument,
                "the occupancy of " + std::to_string(occupancy.width()) + "x" +
                    std::to_string(occupancy.height()) + " words is not of this grid",
                "floor map");
  return {};
}

}  // namespace floor_map
}  // namespace vantage
