// What takes the mouse over the floor while something is drawn or moved there, in place of turning and
// dragging the view. The same in cameras and scene: a view only says which place on the floor the mouse is
// at.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/geometry/camera.h"

namespace vantage::ui {

struct FloorPlace {
  Eigen::Vector2d at_m;
  double reach_m = 0;  // what 10 px are there
};

class FloorTool {
 public:
  virtual ~FloorTool() = default;
  // True when the tool takes the mouse until release().
  virtual bool press(const FloorPlace& place) = 0;
  virtual void drag(const FloorPlace& place) = 0;
  virtual void release() = 0;
  virtual bool double_click() = 0;  // true when it was the tool's
};

inline constexpr double kFloorReach_px = 10;
// Where a view's ray meets the floor; `beside` is the ray kFloorReach_px beside it.
inline std::optional<FloorPlace> floor_place(const Ray& ray, const std::optional<Ray>& beside) {
  const auto at = intersect_horizontal_plane(ray, 0);
  if (!at) return std::nullopt;
  const auto near = beside ? intersect_horizontal_plane(*beside, 0) : std::nullopt;
  constexpr double kReachWhereNothingIsBeside_m = 0.2;
  return FloorPlace{at->head<2>(), near ? (*near - *at).norm() : kReachWhereNothingIsBeside_m};
}

}  // namespace vantage::ui
