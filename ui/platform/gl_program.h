// A linked pair of shaders in the current context, and the triangle that covers a viewport.
#pragma once

#include <QOpenGLShaderProgram>
#include <memory>

#include "core/base/result.h"

namespace vantage::ui {

// GLSL 3.30 sources without the #version line. The error carries the compiler's log.
Result<std::unique_ptr<QOpenGLShaderProgram>> link_program(const char* name, const char* vertex,
                                                           const char* fragment);

// A vertex shader that needs no attributes: draws one triangle over the viewport and passes `position` in
// [0,1]^2, y up.
extern const char* const kCoveringTriangle;

}  // namespace vantage::ui
