// Composes a camera's picture with its foreground overlay in one shader, so that switching the overlay costs
// nothing upstream. The overlay is where the indicator is at least one half: tinted at 35 %, outlined 2 px
// wide with a 1 px black halo, in screen pixels whatever the zoom. Heights of heads lie over that in viridis.
#pragma once

#include <QOpenGLShaderProgram>
#include <QRectF>
#include <memory>

#include "core/base/result.h"

namespace vantage::ui {

class CameraPainter {
 public:
  struct Job {
    QRectF cell_px, picture_px;  // device pixels, y down
    unsigned picture = 0;        // texture, row 0 on top
    unsigned indicator = 0;      // 0: no overlay
    unsigned heights = 0;        // labels of a height map; 0: none
    int height_labels = 0;       // how many there are; from there on: no head
  };
  // Both with a current context. draw() fills the part of picture_px inside cell_px.
  Status prepare();
  void draw(const Job& job, int view_height_px);
  void release();

 private:
  std::unique_ptr<QOpenGLShaderProgram> program_;
  unsigned vertex_array_ = 0;
};

}  // namespace vantage::ui
