#include "tests/ui/gl_fixture.h"

#include <cstring>

#include "ui/platform/gl_state.h"

namespace vantage::ui {

GlFixture::GlFixture() {
  surface_.setFormat(QSurfaceFormat::defaultFormat());
  surface_.create();
  context_.setFormat(QSurfaceFormat::defaultFormat());
  valid_ = context_.create() && context_.makeCurrent(&surface_);
}

unsigned GlFixture::make_texture() const {
  unsigned texture = 0;
  gl().glGenTextures(1, &texture);
  return texture;
}

unsigned GlFixture::make_buffer() const {
  unsigned buffer = 0;
  gl().glGenBuffers(1, &buffer);
  return buffer;
}

std::vector<uint8_t> GlFixture::read_texture(unsigned texture, int width, int height) const {
  std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
  unsigned framebuffer = 0;
  gl().glGenFramebuffers(1, &framebuffer);
  gl().glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl().glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  gl().glPixelStorei(GL_PACK_ALIGNMENT, 1);
  gl().glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  gl().glBindFramebuffer(GL_FRAMEBUFFER, 0);
  gl().glDeleteFramebuffers(1, &framebuffer);
  return pixels;
}

std::vector<ShellPoint> GlFixture::read_points(unsigned buffer, int64_t count) const {
  std::vector<ShellPoint> points(static_cast<size_t>(count));
  const auto bytes = static_cast<GLsizeiptr>(points.size() * sizeof(ShellPoint));
  gl().glBindBuffer(GL_ARRAY_BUFFER, buffer);
  if (const void* mapped = gl().glMapBufferRange(GL_ARRAY_BUFFER, 0, bytes, GL_MAP_READ_BIT))
    std::memcpy(points.data(), mapped, static_cast<size_t>(bytes));
  gl().glUnmapBuffer(GL_ARRAY_BUFFER);
  gl().glBindBuffer(GL_ARRAY_BUFFER, 0);
  return points;
}

}  // namespace vantage::ui
