#include "ui/views/camera_painter.h"

#include <QColor>
#include <QVector2D>
#include <QVector4D>

#include "core/image/color_map.h"
#include "ui/platform/gl_program.h"
#include "ui/platform/gl_state.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr const char* kCompose = R"(
in vec2 position;
uniform sampler2D picture, indicator, heights;
uniform vec4 window;      // corner and size of the shown part, in picture coordinates
uniform vec2 pixel;       // one screen pixel in picture coordinates
uniform vec3 tint;
uniform bool overlay;
uniform int height_labels;  // 0: none are shown
uniform vec3 height_colors[9];
out vec4 color;

float inside(vec2 at) { return texture(indicator, at).r >= 0.5 ? 1.0 : 0.0; }

// Sum over eight places on a circle around `at`: 8 deep inside, 0 far outside.
float around(vec2 at, float radius) {
  vec2 r = pixel * radius, d = r * 0.7071;
  return inside(at + vec2(r.x, 0)) + inside(at - vec2(r.x, 0)) + inside(at + vec2(0, r.y)) + inside(at - vec2(0, r.y)) +
         inside(at + d) + inside(at - d) + inside(at + vec2(d.x, -d.y)) + inside(at + vec2(-d.x, d.y));
}

void main() {
  vec2 at = window.xy + vec2(position.x, 1.0 - position.y) * window.zw;
  vec3 rgb = texture(picture, at).rgb;
  if (overlay) {
    if (inside(at) > 0.5) {
      bool edge = around(at, 2.0) < 7.5;
      rgb = mix(rgb, tint, edge ? 1.0 : 0.35);
    } else if (around(at, 1.0) > 0.5) {
      rgb *= 0.25;
    }
  }
  if (height_labels > 0) {
    ivec2 size = textureSize(heights, 0);
    int label = int(255.0 * texelFetch(heights, clamp(ivec2(at * vec2(size)), ivec2(0), size - 1), 0).r + 0.5);
    if (label < height_labels) {
      float place = 8.0 * float(label) / float(max(height_labels - 1, 1));
      int low = min(int(place), 7);
      rgb = mix(rgb, mix(height_colors[low], height_colors[low + 1], place - float(low)), 0.75);
    }
  }
  color = vec4(rgb, 1.0);
}
)";

}  // namespace

Status CameraPainter::prepare() {
  if (program_) return {};
  VANTAGE_ASSIGN(program_, link_program("camera view", kCoveringTriangle, kCompose));
  gl().glGenVertexArrays(1, &vertex_array_);
  return {};
}

void CameraPainter::draw(const Job& job, int view_height_px) {
  const QRectF shown = job.cell_px.intersected(job.picture_px).toAlignedRect();
  if (shown.isEmpty() || !program_) return;
  QOpenGLExtraFunctions& f = gl();
  f.glViewport(static_cast<GLint>(shown.left()), view_height_px - static_cast<GLint>(shown.bottom()),
               static_cast<GLsizei>(shown.width()), static_cast<GLsizei>(shown.height()));
  f.glDisable(GL_BLEND);
  f.glDisable(GL_DEPTH_TEST);
  program_->bind();
  f.glActiveTexture(GL_TEXTURE2);
  f.glBindTexture(GL_TEXTURE_2D, job.heights);
  f.glActiveTexture(GL_TEXTURE1);
  f.glBindTexture(GL_TEXTURE_2D, job.indicator);
  f.glActiveTexture(GL_TEXTURE0);
  f.glBindTexture(GL_TEXTURE_2D, job.picture);
  const QRectF& all = job.picture_px;
  program_->setUniformValue("picture", 0);
  program_->setUniformValue("indicator", 1);
  program_->setUniformValue("heights", 2);
  program_->setUniformValue("height_labels", job.heights != 0 ? job.height_labels : 0);
  program_->setUniformValueArray("height_colors", kViridis.front().data(), static_cast<int>(kViridis.size()),
                                 3);
  program_->setUniformValue("window", QVector4D(static_cast<float>((shown.left() - all.left()) / all.width()),
                                                static_cast<float>((shown.top() - all.top()) / all.height()),
                                                static_cast<float>(shown.width() / all.width()),
                                                static_cast<float>(shown.height() / all.height())));
  program_->setUniformValue(
      "pixel", QVector2D(static_cast<float>(1 / all.width()), static_cast<float>(1 / all.height())));
  const QColor tint(kForegroundOverlay);
  program_->setUniformValue("tint", static_cast<float>(tint.redF()), static_cast<float>(tint.greenF()),
                            static_cast<float>(tint.blueF()));
  program_->setUniformValue("overlay", job.indicator != 0);
  f.glBindVertexArray(vertex_array_);
  f.glDrawArrays(GL_TRIANGLES, 0, 3);
  f.glBindVertexArray(0);
  program_->release();
}

void CameraPainter::release() {
  program_.reset();
  if (vertex_array_ != 0) gl().glDeleteVertexArrays(1, &vertex_array_);
  vertex_array_ = 0;
}

}  // namespace vantage::ui
