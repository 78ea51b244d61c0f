#include "core/carving/arguments.h"

#include <limits>

namespace vantage {

Status check_arguments(const Carver::Arguments& arguments) {
  const VoxelGrid& grid = arguments.grid;
  if (arguments.cameras.empty())
    return fail(ErrorKind::invalid_argument, "carving needs at least one camera", "carving");
  if (grid.nx <= 0 || grid.ny <= 0 || grid.nz <= 0 || !(grid.voxel_size_m > 0))
    return fail(ErrorKind::invalid_argument, "the voxel grid is empty", "carving",
                "Give a grid with at least one voxel.");
  const double count = static_cast<double>(grid.nx) * grid.ny * grid.nz;
  if (count > std::numeric_limits<int32_t>::max())
    return fail(ErrorKind::invalid_argument, "the grid holds more than 2^31 - 1 voxels", "carving",
                "Choose larger voxels.");
  return {};
}

}  // namespace vantage
