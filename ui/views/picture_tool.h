// A tool that takes the mouse over the cameras' pictures, instead of dragging them; it gets the camera and
// its pixel.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>

#include "core/geometry/camera.h"

namespace vantage::ui {

// A view's reference to the tool that takes its mouse. A tool can end at any time, also between press and
// release (by a press, a key, an undo, a closed project); the reference is then cleared.

// Tool: press(Position), drag(Position), release(), abandon(), double_click(), as in FloorTool.
template <typename Tool, typename Position>
class ToolHold {
 public:
  // Null: none. Abandons the previous tool.
  void set_tool(Tool* tool) {
    if (tool == tool_) return;
    give_up();
    tool_ = tool;
  }
  // Ends the tool if it is still the current one.
  void drop(const Tool* tool) {
    if (tool == tool_) set_tool(nullptr);
  }
  bool has_tool() const { return tool_ != nullptr; }
  Tool* tool() const { return tool_; }  // null: none
  bool held() const { return held_; }

  // True if the tool took the press.
  bool press(const std::optional<Position>& place) {
    Tool* const pressed = tool_;
    if (!pressed || !place || !pressed->press(*place)) return false;
    held_ = tool_ == pressed;
    return true;
  }
  void drag(const std::optional<Position>& place) {
    if (held_ && place) tool_->drag(*place);
  }
  void release() {
    if (std::exchange(held_, false)) tool_->release();
  }
  void give_up() {
    if (std::exchange(held_, false)) tool_->abandon();
  }
  bool double_click() { return tool_ && tool_->double_click(); }

 private:
  Tool* tool_ = nullptr;
  bool held_ = false;  // tool_ has the mouse
};

struct PicturePosition {
  int camera = 0;
  Eigen::Vector2d at_px;  // (0, 0) is the centre of the first pixel
  double reach_px = 0;    // 10 px of the screen in pixels of the picture
};

class PictureTool {
 public:
  virtual ~PictureTool() = default;
  // True if the tool takes the mouse until release(), abandon(), or until it is no longer the view's tool.
  virtual bool press(const PicturePosition& place) = 0;
  virtual void drag(const PicturePosition& place) = 0;
  virtual void release() = 0;
  virtual void abandon() = 0;       // instead of release(): drops the drag
  virtual bool double_click() = 0;  // true if the tool took it
  // The wheel was turned by that many notches, positive away from the user. True if the tool took it; with
  // Ctrl the view takes it.
  virtual bool wheel(double /*notches*/) { return false; }
};

using PictureToolHold = ToolHold<PictureTool, PicturePosition>;

// A tool that takes the mouse over the floor to draw or move something there, instead of turning and dragging
// the view. It is the same in cameras and scene: a view only provides the position on the floor.

struct FloorPosition {
  Eigen::Vector2d at_m;
  double reach_m = 0;  // 10 px of the screen in metres
};

class FloorTool {
 public:
  virtual ~FloorTool() = default;
  // True if the tool takes the mouse until release(), abandon(), or until it is no longer the views' tool: a
  // press may end it.
  virtual bool press(const FloorPosition& place) = 0;
  virtual void drag(const FloorPosition& place) = 0;
  virtual void release() = 0;
  virtual void abandon() = 0;       // instead of release(): drops the drag
  virtual bool double_click() = 0;  // true if the tool took it
};

using FloorToolHold = ToolHold<FloorTool, FloorPosition>;

inline constexpr double kFloorReach_px = 10;
// The point where a view's ray meets the floor; `beside`: the ray kFloorReach_px away.
inline std::optional<FloorPosition> floor_position(const Ray& ray, const std::optional<Ray>& beside) {
  const auto at = intersect_horizontal_plane(ray, 0);
  if (!at) return std::nullopt;
  const auto near = beside ? intersect_horizontal_plane(*beside, 0) : std::nullopt;
  constexpr double kReachWhereNothingIsBeside_m = 0.2;
  return FloorPosition{at->head<2>(), near ? (*near - *at).norm() : kReachWhereNothingIsBeside_m};
}

}  // namespace vantage::ui
