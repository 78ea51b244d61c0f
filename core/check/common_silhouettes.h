// Silhouettes without what only some cameras show.
#pragma once

#include <span>
#include <vector>

#include "core/check/detail/silhouette_cells.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/picture.h"

namespace vantage {

class CommonSilhouettes {
 public:
  // `grid` is best coarse, some 100 000 voxels.
  CommonSilhouettes(const std::vector<Camera>& cameras, const VoxelGrid& grid, double tolerance_px);

  // The masks (u8, 0 or 255, host memory; an empty Image: none) without what does not lie, to the tolerance,
  // before the silhouettes of all others that see it, three or more seeing it where there are three, and
  // without specks. Calls may overlap.
  std::vector<Image> of(std::span<const Image> masks) const;

 private:
  struct Seen {
    Footprint footprint;
    float depth_m;
  };

  std::vector<Camera> cameras_;
  double tolerance_px_;
  std::vector<std::vector<Seen>> seen_;  // by camera and voxel
};

}  // namespace vantage
