// Draws a camera's picture with its foreground overlay in one shader, so that switching the overlay costs
// nothing upstream. The overlay is where the indicator is at least one half: tinted at 35 %, outlined 2 px
// wide with a 1 px black halo, in screen pixels at any zoom. Heights of heads are drawn over that in viridis;
// pixels that may still change are hatched in white, also in screen pixels.
#pragma once

#include <QOpenGLShaderProgram>
#include <QRectF>
#include <QSizeF>
#include <memory>

#include "core/base/result.h"

namespace vantage::ui {

class CameraPainter {
 public:
  struct Heights {
    unsigned levels = 0;  // texture, as DisplayLayer::heights; 0: none
    int count = 0;        // number of levels; from there on: no head
    QSizeF size = {};     // the whole picture's, in the map's pixels
    float opacity = 0.75f;
    unsigned unsettled = 0;          // texture, as DisplayLayer::unsettled; 0: nothing is hatched
    bool hatched_everywhere = true;  // false: heads only
  };
  struct Job {
    QRectF cell_px, picture_px;  // device pixels, y down
    unsigned picture = 0;        // texture, row 0 on top
    unsigned indicator = 0;      // 0: no overlay
    Heights heights = {};
    bool subdued = false;  // grey and dark, as a background for the heights
  };
  // Both with a current context. draw() fills the part of picture_px inside cell_px.
  Status prepare();
  void draw(const Job& job, int view_height_px);
  void release();

 private:
  void set_heights(const Heights& heights);

  std::unique_ptr<QOpenGLShaderProgram> program_;
  unsigned vertex_array_ = 0;
};

}  // namespace vantage::ui
