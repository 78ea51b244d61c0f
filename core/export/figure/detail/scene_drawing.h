// The 3-D scene of a figure, as the window's scene draws it (ui/views/scene_view.h).
#pragma once

#include <string>
#include <vector>

#include "core/display/scene_lines.h"
#include "core/export/figure/detail/figure_drawing.h"

namespace vantage::figure_detail {

inline constexpr double kSceneHeightShare = 0.625;  // of the view, by its width

// The room of a project, constant over the frames.
class SceneRoom {
 public:
  SceneRoom(const Project& project, const VoxelGrid& grid);

  // `film_share`: the share of the film that has passed.
  void draw(const FigureScene& scene, const FigureFrame& frame, double film_share, Canvas& canvas) const;
  // Lines of the caption: the point of view, and the meaning of the colours.
  std::vector<std::string> notes(const FigureScene& scene) const;

 private:
  void draw_names(const FigureScene& scene, const std::vector<Camera>& cameras, const SceneProjection& view,
                  Canvas& canvas) const;

  const VoxelGrid grid_;
  FloorArea floor_;
  OrbitCamera fitted_;
};

// Scales of the scene's colours, as bars one above the other.
std::vector<ColorScale> scene_scales(const FigureScene& scene);

}  // namespace vantage::figure_detail
