#include "core/project/fusion_floor.h"

namespace vantage {

FloorRectangle fusion_floor(const Project& project, const VoxelGrid& common) {
  VoxelGrid grid = common;
  const std::vector<Camera> cameras = project.calibrations();
  if (!project.grid && cameras.size() > 2)
    if (const auto wider = fit_grid_to_common_view(cameras, PeopleFusion::kCell_m, kDefaultGridHeight_m, 2))
      grid = *wider;
  const double x_m = grid.origin_in_world_m[0], y_m = grid.origin_in_world_m[1];
  return {x_m, y_m, x_m + grid.nx * grid.voxel_size_m, y_m + grid.ny * grid.voxel_size_m};
}

}  // namespace vantage
