// Where the same scene lies in two pictures of one camera: corners of the first found again in the second.
//
// Corners (J. Shi, C. Tomasi, "Good features to track", 1994), one for each tile, are found by normalised
// correlation, which no change of exposure touches: at once where nothing moved, else from coarse to fine.
// Those that a similarity explains together count; people and moved things are outvoted.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/check/silhouettes.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"

namespace vantage {

// Luma of a picture, reduced.
struct SceneLuma {
  int width = 0, height = 0;
  std::vector<float> values;  // row by row

  float at(int x, int y) const {
    return values[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
};
SceneLuma scene_luma(const ImageView<const uint8_t>& luma);
// The median of each pixel; of pictures of one size, at least one.
SceneLuma median_luma(std::span<const SceneLuma* const> pictures);

// A corner, and where it lies in the other picture; pixels of the reduced pictures.
struct ScenePlace {
  Eigen::Vector2d before, after;
};

// Fewer corners, or corners in fewer than three quarters of the picture, do not tell.
inline constexpr int kMinPlaces = 12;
bool has_texture(const SceneLuma& luma);

// Nothing: too little texture, or most of it is not found again, as where it lies farther off than a seventh
// of the picture's width.
std::optional<std::vector<ScenePlace>> find_places(const SceneLuma& before, const SceneLuma& after);

// How well the places' surroundings in `before` fit a picture, at where they lay before and at where they lay
// after: medians of the correlations, -1 to 1.
struct PlacesFit {
  double before = 0, after = 0;
};
PlacesFit fit_places(const SceneLuma& before, const std::vector<ScenePlace>& places,
                     const SceneLuma& picture);

// The median way of the places.
double median_way(const std::vector<ScenePlace>& places);

// Where the voxels of a grid fall in the cells of the cameras that see them: projected once for all instants
// and all checks of silhouettes.

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
