// Marks of people and the floor as they are drawn without a window: into exported videos and figures. A
// surface only draws lines and labels.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "core/display/trails.h"
#include "core/display/world_lines.h"
#include "core/geometry/floor_shapes.h"

namespace vantage {

using MarkColor = std::array<uint8_t, 3>;  // red, green, blue
inline constexpr MarkColor kMarkWhite = {255, 255, 255};

// The window's colours, by ID.
MarkColor person_rgb(int64_t id);

class MarkSurface {
 public:
  virtual ~MarkSurface() = default;
  // Parts outside are left out.
  virtual void polyline(std::span<const Eigen::Vector2d> points_px, double width_px,
                        const MarkColor& color) = 0;
  // White letters on black; (left, top) is the ground's corner.
  virtual void label(const std::string& text, int left, int top, int height_px) = 0;
};

struct MarkSizes {
  double line_px = 1.5;
  int text_px = 12;
  static MarkSizes of(int picture_height_px);
};

struct MarkedView {
  MarkSurface& surface;
  WorldView view;
  MarkSizes sizes;
  MarkColor shape_color = kMarkWhite;

  void draw_shapes(std::span<const FloorZone> zones, std::span<const FloorLine> lines) const;
  void draw_trails(std::span<const Trail> trails) const;
  // A rectangle around a person of that height, with the label above it.
  void draw_person(const Eigen::Vector3d& place_in_world_m, double height_m, const MarkColor& color,
                   const std::string& label) const;
  // The same from above: a ring around the position.
  void draw_ring(const Eigen::Vector2d& place_m, const MarkColor& color, const std::string& label) const;
  // A rectangle of the picture with a label above it.
  void draw_box(const Eigen::AlignedBox2d& box_px, const MarkColor& color, const std::string& label) const;
  void draw_floor_line(std::span<const Eigen::Vector2d> floor_m, bool closed, const MarkColor& color) const;
};

}  // namespace vantage
