#include "ui/platform/gl_program.h"

namespace vantage::ui {

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

}  // namespace vantage::ui
