// A scene in which nearer things cover farther ones, drawn without a window or a graphics card: the same
// pixels everywhere. Drawn at twice the size along both axes, so that edges are smooth.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "core/display/canvas.h"
#include "core/display/floor_picture.h"
#include "core/display/orbit_camera.h"
#include "core/display/scene_lines.h"

namespace vantage {

class DepthPicture {
 public:
  // `view` is of a picture as large as the area that is drawn.
  explicit DepthPicture(const SceneProjection& view) : view_(view) {}

  void add_lines(std::span<const WorldSegment> lines, const MarkColor& color, double width_px);
  // A shaded ball, facing the eye; at least a pixel and a half wide.
  void add_ball(const Eigen::Vector3d& center_in_world_m, double diameter_m, const MarkColor& color);
  // Lies behind what is nearer, and hides nothing; later ones over earlier ones. It outlives this object.
  void add_picture(const FloorPicture& picture) { pictures_.push_back(&picture); }

  // Covers the area. Deterministic, by several threads.
  void draw(const PixelArea& area, const MarkColor& ground, Canvas& canvas) const;

 private:
  struct Line {
    SceneProjection::Pixel from, to;
    double reach_px;
    MarkColor color;
  };
  struct Ball {
    double x_px, y_px, radius_px, depth;
    MarkColor color;
  };
  class Band;
  static void draw_line(const Line& line, Band& band);
  static void draw_ball(const Ball& ball, Band& band);
  void draw_picture(const FloorPicture& picture, const PixelArea& area, Band& band) const;

  const SceneProjection view_;
  std::vector<Line> lines_;
  std::vector<Ball> balls_;
  std::vector<const FloorPicture*> pictures_;
};

}  // namespace vantage
