#include "ui/platform/gl_state.h"

#include <QCoreApplication>
#include <QOpenGLContext>
#include <QSurfaceFormat>

namespace vantage::ui {

QOpenGLExtraFunctions& gl() {
  return *QOpenGLContext::currentContext()->extraFunctions();
}

GlStateGuard::GlStateGuard() {
  QOpenGLExtraFunctions& f = gl();
  for (size_t i = 0; i < kSwitches.size(); ++i) enabled_[i] = f.glIsEnabled(kSwitches[i]) == GL_TRUE;
  f.glGetIntegerv(GL_ACTIVE_TEXTURE, &active_unit_);
  for (int unit = 0; unit < kUnits; ++unit) {
    f.glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    f.glGetIntegerv(GL_TEXTURE_BINDING_2D, &textures_[unit]);
  }
  f.glGetIntegerv(GL_VIEWPORT, viewport_);
  f.glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_framebuffer_);
  f.glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_framebuffer_);
  f.glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
  f.glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array_);
  f.glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &array_buffer_);
  for (size_t i = 0; i < kBlend.size(); ++i) f.glGetIntegerv(kBlend[i], &blend_[i]);
  f.glGetIntegerv(GL_UNPACK_ALIGNMENT, &unpack_alignment_);
  f.glGetIntegerv(GL_UNPACK_ROW_LENGTH, &unpack_row_length_);
  f.glGetBooleanv(GL_COLOR_WRITEMASK, color_mask_);
  f.glGetBooleanv(GL_DEPTH_WRITEMASK, &depth_mask_);
}

GlStateGuard::~GlStateGuard() {
  QOpenGLExtraFunctions& f = gl();
  for (size_t i = 0; i < kSwitches.size(); ++i)
    enabled_[i] ? f.glEnable(kSwitches[i]) : f.glDisable(kSwitches[i]);
  for (int unit = 0; unit < kUnits; ++unit) {
    f.glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    f.glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(textures_[unit]));
  }
  f.glActiveTexture(static_cast<GLenum>(active_unit_));
  f.glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  f.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_framebuffer_));
  f.glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_framebuffer_));
  f.glUseProgram(static_cast<GLuint>(program_));
  f.glBindVertexArray(static_cast<GLuint>(vertex_array_));
  f.glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(array_buffer_));
  f.glBlendFuncSeparate(static_cast<GLenum>(blend_[0]), static_cast<GLenum>(blend_[1]),
                        static_cast<GLenum>(blend_[2]), static_cast<GLenum>(blend_[3]));
  f.glPixelStorei(GL_UNPACK_ALIGNMENT, unpack_alignment_);
  f.glPixelStorei(GL_UNPACK_ROW_LENGTH, unpack_row_length_);
  f.glColorMask(color_mask_[0], color_mask_[1], color_mask_[2], color_mask_[3]);
  f.glDepthMask(depth_mask_);
}

const char* const kCoveringTriangle = R"(
out vec2 position;
void main() {
  position = vec2(float((gl_VertexID & 1) << 1), float(gl_VertexID & 2));
  gl_Position = vec4(position * 2.0 - 1.0, 0.0, 1.0);
}
)";

Result<std::unique_ptr<QOpenGLShaderProgram>> link_program(const char* name, const char* vertex,
                                                           const char* fragment) {
  auto program = std::make_unique<QOpenGLShaderProgram>();
  const QByteArray version = "#version 330 core\n";
  if (!program->addShaderFromSourceCode(QOpenGLShader::Vertex, version + vertex) ||
      !program->addShaderFromSourceCode(QOpenGLShader::Fragment, version + fragment) || !program->link())
    return fail(ErrorKind::unsupported, "a shader did not compile: " + program->log().toStdString(), name,
                "OpenGL 3.3 is needed; update the graphics driver.");
  return program;
}

void choose_gl_format() {
  QSurfaceFormat format;
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setOption(QSurfaceFormat::DeprecatedFunctions);  // wide lines
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  QSurfaceFormat::setDefaultFormat(format);
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

}  // namespace vantage::ui
