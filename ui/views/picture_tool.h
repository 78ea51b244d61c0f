// A tool that takes the mouse over the cameras' pictures, in place of dragging them: it is told the camera
// and its pixel.
#pragma once

#include <Eigen/Core>

#include "ui/views/tool_hold.h"

namespace vantage::ui {

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

}  // namespace vantage::ui
