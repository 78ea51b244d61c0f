// A tool that takes the mouse over the cameras' pictures, in place of dragging them: it is told the camera
// and its pixel.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>

#include "core/geometry/camera.h"

namespace vantage::ui {

// A view's hold on a tool that takes its mouse. Tools end themselves or are ended from outside at any time
// (by a press, a key, an undo, a project that closes), also between press and release: what is held is never
// a tool that is gone.

// Tool: press(Position), drag(Position), release(), abandon(), double_click(), as FloorTool has them.
template <typename Tool, typename Position>
class ToolHold {
 public:
  // Null: none. Another one than the tool that is held: that one is abandoned.
  void set_tool(Tool* tool) {
    if (tool == tool_) return;
    give_up();
    tool_ = tool;
  }
  // Ends it where it is still this one: another may have come in its place.
  void drop(const Tool* tool) {
    if (tool == tool_) set_tool(nullptr);
  }
  bool has_tool() const { return tool_ != nullptr; }
  Tool* tool() const { return tool_; }  // null: none
  bool held() const { return held_; }

  // True when the press was the tool's.
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
  double reach_px = 0;    // what 10 px of the screen are there
};

class PictureTool {
 public:
  virtual ~PictureTool() = default;
  // True when the tool takes the mouse until release(), or abandon(), or until it is no longer the view's
  // tool.
  virtual bool press(const PicturePosition& place) = 0;
  virtual void drag(const PicturePosition& place) = 0;
  virtual void release() = 0;
  virtual void abandon() = 0;       // in place of release(): nothing of the drag is to be kept
  virtual bool double_click() = 0;  // true when it was the tool's
  // The wheel was turned by so many notches, away from the user: positive. True when it was the tool's; with
  // Ctrl it stays the view's.
  virtual bool wheel(double /*notches*/) { return false; }
};

using PictureToolHold = ToolHold<PictureTool, PicturePosition>;

// A tool that takes the mouse over the floor while something is drawn or moved there, in place of turning and
// dragging the view. It is the same in cameras and scene: a view only says which position on the floor the
// mouse is at.

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
