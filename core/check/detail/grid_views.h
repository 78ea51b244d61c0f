// Where the voxels of a grid fall in the cells of the cameras that see them: projected once for all instants
// and all checks of silhouettes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/check/detail/silhouette_cells.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

class GridViews {
 public:
  struct View {
    uint32_t camera;
    Footprint cells;
    float depth_m;
  };

  // `grid` is best coarse, some 100 000 voxels.
  GridViews(const std::vector<Camera>& cameras, const VoxelGrid& grid);

  const std::vector<Camera>& cameras() const { return cameras_; }
  size_t voxels() const { return begin_.size() - 1; }
  // The views of a voxel by camera, ascending.
  std::span<const View> of(size_t voxel) const {
    return {views_.data() + begin_[voxel], views_.data() + begin_[voxel + 1]};
  }

 private:
  std::vector<Camera> cameras_;
  std::vector<size_t> begin_ = {0};  // in views_, by voxel
  std::vector<View> views_;
};

}  // namespace vantage
