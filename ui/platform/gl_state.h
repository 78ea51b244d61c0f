// Saves and restores the state of an OpenGL context that our drawing changes, so that VTK, QPainter and the
// views can share it.
#pragma once

#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <array>
#include <memory>

#include "core/base/result.h"

namespace vantage::ui {

// The functions of the current context. Only valid while it is current.
QOpenGLExtraFunctions& gl();

class GlStateGuard {
 public:
  GlStateGuard();
  ~GlStateGuard();
  GlStateGuard(const GlStateGuard&) = delete;
  GlStateGuard& operator=(const GlStateGuard&) = delete;

 private:
  static constexpr std::array<GLenum, 7> kSwitches = {GL_BLEND,     GL_DEPTH_TEST,   GL_SCISSOR_TEST,
                                                      GL_CULL_FACE, GL_STENCIL_TEST, GL_DITHER,
                                                      0x8642 /* GL_PROGRAM_POINT_SIZE */};
  static constexpr std::array<GLenum, 4> kBlend = {GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA,
                                                   GL_BLEND_DST_ALPHA};
  static constexpr int kUnits = 3;
  std::array<bool, kSwitches.size()> enabled_{};
  std::array<GLint, kUnits> textures_{};
  GLint viewport_[4]{};
  GLint draw_framebuffer_ = 0, read_framebuffer_ = 0, program_ = 0, vertex_array_ = 0, active_unit_ = 0,
        array_buffer_ = 0;
  std::array<GLint, 4> blend_{};
  GLint unpack_alignment_ = 4, unpack_row_length_ = 0;
  GLboolean color_mask_[4]{}, depth_mask_ = 1;
};

// A linked pair of shaders in the current context, and the triangle that covers a viewport.

// GLSL 3.30 sources without the #version line. The error has the compiler's log.
Result<std::unique_ptr<QOpenGLShaderProgram>> link_program(const char* name, const char* vertex,
                                                           const char* fragment);

// A vertex shader without attributes: draws one triangle over the viewport and passes `position` in [0,1]^2,
// y up.
extern const char* const kCoveringTriangle;

// The OpenGL of all views.

// OpenGL 3.3, core, with lines wider than a pixel and contexts that share resources. Call before the
// QApplication.
void choose_gl_format();

}  // namespace vantage::ui
