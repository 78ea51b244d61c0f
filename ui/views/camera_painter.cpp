#include "ui/views/camera_painter.h"

#include <QColor>
#include <QVector2D>
#include <QVector4D>

#include "core/image/color_map.h"
#include "ui/platform/gl_state.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr const char* kCompose = R"(
in vec2 position;
uniform sampler2D picture, indicator, heights, unsettled;
uniform vec4 window;      // corner and size of the shown part, in picture coordinates
uniform vec2 pixel;       // one screen pixel in picture coordinates
uniform vec3 tint;
uniform bool overlay, subdued;
uniform int height_levels;  // 0: none are shown
uniform vec2 heights_size;  // the picture's in the map's pixels
uniform float heights_opacity;
uniform vec3 height_colors[9];
uniform bool hatched, hatched_everywhere;
out vec4 color;

float inside(vec2 at) { return texture(indicator, at).r >= 0.5 ? 1.0 : 0.0; }

// Sum over eight positions on a circle around `at`: 8 deep inside, 0 far outside.
float around(vec2 at, float radius) {
  vec2 r = pixel * radius, d = r * 0.7071;
  return inside(at + vec2(r.x, 0)) + inside(at - vec2(r.x, 0)) + inside(at + vec2(0, r.y)) + inside(at - vec2(0, r.y)) +
         inside(at + d) + inside(at - d) + inside(at + vec2(d.x, -d.y)) + inside(at + vec2(-d.x, d.y));
}

vec3 height_color(int level) {
  float place = 8.0 * float(level) / float(max(height_levels - 1, 1));
  int low = min(int(place), 7);
  return mix(height_colors[low], height_colors[low + 1], place - float(low));
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
  if (subdued) rgb = vec3(0.4 * dot(rgb, vec3(0.299, 0.587, 0.114)));
  if (height_levels > 0) {
    ivec2 there = clamp(ivec2(at * heights_size), ivec2(0), textureSize(heights, 0) - 1);
    int level = int(255.0 * texelFetch(heights, there, 0).r + 0.5);
    bool head = level < height_levels;
    bool changing = hatched && (hatched_everywhere || head) && texelFetch(unsettled, there, 0).r > 0.5;
    if (changing && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 7.0) < 2.0)
      rgb = mix(rgb, vec3(1.0), heights_opacity);
    else if (head)
      rgb = mix(rgb, height_color(level), heights_opacity);
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
  set_heights(job.heights);
  f.glActiveTexture(GL_TEXTURE1);
  f.glBindTexture(GL_TEXTURE_2D, job.indicator);
  f.glActiveTexture(GL_TEXTURE0);
  f.glBindTexture(GL_TEXTURE_2D, job.picture);
  const QRectF& all = job.picture_px;
  program_->setUniformValue("picture", 0);
  program_->setUniformValue("indicator", 1);
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
  program_->setUniformValue("subdued", job.subdued);
  f.glBindVertexArray(vertex_array_);
  f.glDrawArrays(GL_TRIANGLES, 0, 3);
  f.glBindVertexArray(0);
  program_->release();
}

void CameraPainter::set_heights(const Heights& heights) {
  QOpenGLExtraFunctions& f = gl();
  f.glActiveTexture(GL_TEXTURE3);
  f.glBindTexture(GL_TEXTURE_2D, heights.unsettled);
  f.glActiveTexture(GL_TEXTURE2);
  f.glBindTexture(GL_TEXTURE_2D, heights.levels);
  program_->setUniformValue("heights", 2);
  program_->setUniformValue("unsettled", 3);
  program_->setUniformValue("height_levels", heights.levels != 0 ? heights.count : 0);
  program_->setUniformValue("heights_size", QVector2D(static_cast<float>(heights.size.width()),
                                                      static_cast<float>(heights.size.height())));
  program_->setUniformValue("heights_opacity", heights.opacity);
  program_->setUniformValue("hatched", heights.unsettled != 0);
  program_->setUniformValue("hatched_everywhere", heights.hatched_everywhere);
  program_->setUniformValueArray("height_colors", kViridis.front().data(), static_cast<int>(kViridis.size()),
                                 3);
}

void CameraPainter::release() {
  program_.reset();
  if (vertex_array_ != 0) gl().glDeleteVertexArrays(1, &vertex_array_);
  vertex_array_ = 0;
}

}  // namespace vantage::ui
