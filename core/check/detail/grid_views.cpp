#include "core/check/detail/grid_views.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace vantage {
namespace {

// A camera as it is needed to project many voxels.
struct Projector {
  const Camera& camera;
  Eigen::Isometry3d cam_from_world;
  int width, height;  // cells

  std::optional<GridViews::View> view(uint32_t number, const Eigen::Vector3d& point, double voxel_m) const {
    const auto pixel = camera.project(point);
    if (!pixel || pixel->x() < -0.5 || pixel->y() < -0.5 || pixel->x() >= camera.width_px() - 0.5 ||
        pixel->y() >= camera.height_px() - 0.5)
      return std::nullopt;
    const double depth_m = (cam_from_world * point).z();
    const double radius_px = 0.5 * voxel_m * camera.model().fx_px / depth_m;
    const auto cell = [](double px, int count) {
      return static_cast<int16_t>(
          std::clamp(static_cast<int>(std::floor((px + 0.5) / kCell_px)), 0, count - 1));
    };
    const Footprint cells{cell(pixel->x() - radius_px, width), cell(pixel->y() - radius_px, height),
                          cell(pixel->x() + radius_px, width), cell(pixel->y() + radius_px, height)};
    return GridViews::View{number, cells, static_cast<float>(depth_m)};
  }
};

struct Layer {
  std::vector<size_t> counts;  // by voxel
  std::vector<GridViews::View> views;
};

Layer layer_of(const std::vector<Projector>& projectors, const VoxelGrid& grid, int z) {
  Layer layer;
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      const Eigen::Vector3d point(grid.center(0, x), grid.center(1, y), grid.center(2, z));
      const size_t before = layer.views.size();
      for (size_t c = 0; c < projectors.size(); ++c)
        if (const auto view = projectors[c].view(static_cast<uint32_t>(c), point, grid.voxel_size_m))
          layer.views.push_back(*view);
      layer.counts.push_back(layer.views.size() - before);
    }
  return layer;
}

}  // namespace

GridViews::GridViews(const std::vector<Camera>& cameras, const VoxelGrid& grid) : cameras_(cameras) {
  std::vector<Projector> projectors;
  for (const Camera& camera : cameras_)
    projectors.push_back(
        {camera, camera.cam_from_world(), cells_of(camera.width_px()), cells_of(camera.height_px())});
  std::vector<Layer> layers(static_cast<size_t>(std::max(0, grid.nz)));
  tbb::parallel_for(size_t{0}, layers.size(),
                    [&](size_t z) { layers[z] = layer_of(projectors, grid, static_cast<int>(z)); });
  for (Layer& layer : layers) {
    for (const size_t count : layer.counts) begin_.push_back(begin_.back() + count);
    views_.insert(views_.end(), layer.views.begin(), layer.views.end());
    layer = {};
  }
}

}  // namespace vantage
