// Finds corners of the scene in one picture of a camera again in another one.
//
// Corners (J. Shi, C. Tomasi, "Good features to track", 1994), one for each tile, are found by normalised
// correlation, which a change of exposure does not affect: near their position, or else from coarse to fine.
// Places that one similarity explains count; people and moved things are outvoted.
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

// A corner and its position in the other picture; pixels of the reduced pictures.
struct ScenePlace {
  Eigen::Vector2d before, after;
};

// Minimum number of corners for an answer; they must also lie in at least three quarters of the picture.
inline constexpr int kMinPlaces = 12;
bool has_texture(const SceneLuma& luma);

// Nothing: too little texture, or most corners were not found again, for instance because they moved by more
// than a seventh of the picture's width.
std::optional<std::vector<ScenePlace>> find_places(const SceneLuma& before, const SceneLuma& after);

// Agreement of the corners' surroundings in `before` with a picture, at the positions before and after:
// medians of the correlations, -1 to 1.
struct PlacesFit {
  double before = 0, after = 0;
};
PlacesFit fit_places(const SceneLuma& before, const std::vector<ScenePlace>& places,
                     const SceneLuma& picture);

// The median displacement of the corners.
double median_way(const std::vector<ScenePlace>& places);

// The cells of each camera that a grid's voxels project to: computed once for all instants and all checks of
// silhouettes.

class GridViews {
 public:
  struct View {
    uint32_t camera;
    Footprint cells;
    float depth_m;
  };

  // `grid`: coarse, about 100 000 voxels.
  GridViews(const std::vector<Camera>& cameras, const VoxelGrid& grid);

  const std::vector<Camera>& cameras() const { return cameras_; }
  size_t voxels() const { return begin_.size() - 1; }
  // The views of a voxel, by camera, ascending.
  std::span<const View> of(size_t voxel) const {
    return {views_.data() + begin_[voxel], views_.data() + begin_[voxel + 1]};
  }

 private:
  std::vector<Camera> cameras_;
  std::vector<size_t> begin_ = {0};  // in views_, by voxel
  std::vector<View> views_;
};

}  // namespace vantage
