// An OpenGL context without a window, and reading textures and buffers back.
#pragma once

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <cstdint>
#include <vector>

#include "core/display/display_surface.h"

namespace vantage::ui {

class GlFixture {
 public:
  GlFixture();  // valid() says whether it worked; the context is current then
  bool valid() const { return valid_; }

  unsigned make_texture() const;
  unsigned make_buffer() const;
  // RGBA, row 0 first as the texture stores it.
  std::vector<uint8_t> read_texture(unsigned texture, int width, int height) const;
  std::vector<ShellPoint> read_points(unsigned buffer, int64_t count) const;

 private:
  QOffscreenSurface surface_;
  QOpenGLContext context_;
  bool valid_ = false;
};

}  // namespace vantage::ui
