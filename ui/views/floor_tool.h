// A tool that takes the mouse over the floor while something is drawn or moved there, in place of turning and
// dragging the view. It is the same in cameras and scene: a view only says which position on the floor the
// mouse is at.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/geometry/camera.h"
#include "ui/views/tool_hold.h"

namespace vantage::ui {

struct FloorPosition {
  Eigen::Vector2d at_m;
  double reach_m = 0;  // what 10 px are there
};

class FloorTool {
 public:
  virtual ~FloorTool() = default;
  // True when the tool takes the mouse until release(), or abandon(), or until it is no longer the views'
  // tool: a press may end it.
  virtual bool press(const FloorPosition& place) = 0;
  virtual void drag(const FloorPosition& place) = 0;
  virtual void release() = 0;
  virtual void abandon() = 0;       // in place of release(): nothing of the drag is to be kept
  virtual bool double_click() = 0;  // true when it was the tool's
};

using FloorToolHold = ToolHold<FloorTool, FloorPosition>;

inline constexpr double kFloorReach_px = 10;
// The point where a view's ray meets the floor; `beside` is the ray kFloorReach_px away.
inline std::optional<FloorPosition> floor_position(const Ray& ray, const std::optional<Ray>& beside) {
  const auto at = intersect_horizontal_plane(ray, 0);
  if (!at) return std::nullopt;
  const auto near = beside ? intersect_horizontal_plane(*beside, 0) : std::nullopt;
  constexpr double kReachWhereNothingIsBeside_m = 0.2;
  return FloorPosition{at->head<2>(), near ? (*near - *at).norm() : kReachWhereNothingIsBeside_m};
}

}  // namespace vantage::ui
