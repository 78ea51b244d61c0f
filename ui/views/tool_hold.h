// A view's hold on a tool that takes its mouse. Tools end themselves or are ended from outside at any time
// (by a press, a key, an undo, a project that closes), also between press and release: what is held is never
// a tool that is gone.
#pragma once

#include <optional>
#include <utility>

namespace vantage::ui {

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

}  // namespace vantage::ui
