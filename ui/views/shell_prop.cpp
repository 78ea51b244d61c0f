#include "ui/views/shell_prop.h"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkRenderer.h>

#include <QMatrix4x4>
#include <QVector2D>
#include <QVector3D>
#include <cstddef>

#include "core/display/display_surface.h"
#include "core/image/color_map.h"
#include "ui/platform/gl_state.h"
#include "ui/views/vtk_view.h"

namespace vantage::ui {
namespace {

constexpr GLenum kProgramPointSize = 0x8642;  // desktop OpenGL only, so Qt has no constant

constexpr const char* kShellVertex = R"(
layout(location = 0) in vec4 point;  // metres; w: confidence
uniform mat4 clip_from_world;
uniform float size_px;               // of a voxel at clip w = 1
uniform vec3 ramp[9];
uniform float full_height_m;
uniform int people_count;            // below 0: by height
uniform vec3 nobody;
uniform float reach_m;
uniform vec2 people[32];
uniform vec3 people_color[32];
out vec3 base;
out float diameter_px;

vec3 by_height(float height_m) {
  float t = clamp(height_m / full_height_m, 0.0, 1.0) * 8.0;
  int i = min(int(t), 7);
  return mix(ramp[i], ramp[i + 1], t - float(i));
}

vec3 by_person(vec2 position) {
  vec3 color = nobody;
  float nearest = reach_m * reach_m;
  for (int i = 0; i < people_count; ++i) {
    vec2 d = position - people[i];
    if (dot(d, d) < nearest) {
      nearest = dot(d, d);
      color = people_color[i];
    }
  }
  return color;
}

void main() {
  gl_Position = clip_from_world * vec4(point.xyz, 1.0);
  diameter_px = clamp(size_px / gl_Position.w, 1.5, 96.0);
  gl_PointSize = diameter_px;
  base = people_count < 0 ? by_height(point.z) : by_person(point.xy);
}
)";

constexpr const char* kShellFragment = R"(
in vec3 base;
in float diameter_px;
out vec4 color;
void main() {
  vec2 from_middle = gl_PointCoord * 2.0 - 1.0;
  float r2 = dot(from_middle, from_middle);
  if (diameter_px > 3.0 && r2 > 1.0) discard;
  // ball_light() of core/display/shell_points.h.
  vec3 normal = vec3(from_middle.x, -from_middle.y, sqrt(max(0.0, 1.0 - r2)));
  float light = 0.6 + 0.4 * max(0.0, dot(normal, normalize(vec3(-0.5, 0.7, 0.6))));
  color = vec4(base * (diameter_px > 3.0 ? light : 0.9), 1.0);
}
)";

QVector3D vector_of(const MarkColor& color) {
  return QVector3D(color[0], color[1], color[2]) / 255;
}

}  // namespace

vtkStandardNewMacro(ShellProp);

void ShellProp::set_points(unsigned buffer, int64_t count, const VoxelGrid& grid) {
  buffer_ = buffer;
  count_ = count;
  grid_ = grid;
  const int size[3] = {grid.nx, grid.ny, grid.nz};
  for (int axis = 0; axis < 3; ++axis) {
    bounds_[2 * axis] = grid.origin_in_world_m[axis];
    bounds_[2 * axis + 1] = grid.origin_in_world_m[axis] + size[axis] * grid.voxel_size_m;
  }
  Modified();
}

double* ShellProp::GetBounds() {
  return count_ > 0 ? bounds_ : nullptr;
}

void ShellProp::prepare() {
  if (!program_ && state_) {
    auto linked = link_program("shell points", kShellVertex, kShellFragment);
    if (!linked) {
      state_ = fail(linked.error());
      return;
    }
    program_ = std::move(*linked);
    gl().glGenVertexArrays(1, &vertex_array_);
    bound_buffer_ = 0;
  }
  if (!program_ || bound_buffer_ == buffer_) return;
  gl().glBindVertexArray(vertex_array_);
  gl().glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  gl().glEnableVertexAttribArray(0);
  gl().glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(ShellPoint), nullptr);
  bound_buffer_ = buffer_;
}

void ShellProp::set_people(std::optional<std::vector<ShellPerson>> people) {
  people_ = std::move(people);
  Modified();
}

void ShellProp::set_color_uniforms() {
  program_->setUniformValue("full_height_m", static_cast<float>(kShellFullHeight_m));
  program_->setUniformValueArray("ramp", kViridis.front().data(), static_cast<int>(kViridis.size()), 3);
  if (!people_) return program_->setUniformValue("people_count", -1);
  program_->setUniformValue("nobody", vector_of(kShellNobody));
  program_->setUniformValue("reach_m", static_cast<float>(kShellPersonReach_m));
  std::vector<QVector2D> positions;
  std::vector<QVector3D> colors;
  for (const ShellPerson& person : *people_) {
    if (positions.size() == kMaxPeople) break;
    positions.emplace_back(static_cast<float>(person.x_m), static_cast<float>(person.y_m));
    colors.push_back(vector_of(person.color));
  }
  program_->setUniformValue("people_count", static_cast<int>(positions.size()));
  if (positions.empty()) return;
  program_->setUniformValueArray("people", positions.data(), static_cast<int>(positions.size()));
  program_->setUniformValueArray("people_color", colors.data(), static_cast<int>(colors.size()));
}

int ShellProp::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  if (!renderer || count_ == 0 || buffer_ == 0) return 0;
  const GlStateGuard guard;
  prepare();
  if (!program_) return 0;
  vtkCamera* camera = renderer->GetActiveCamera();
  const double aspect = renderer->GetTiledAspectRatio();
  const double projection = camera->GetProjectionTransformMatrix(aspect, -1, 1)->GetElement(1, 1);
  const double height_px = renderer->GetSize()[1];
  const double size_px = kShellBallSize * grid_.voxel_size_m * projection * height_px / 2;
  program_->bind();
  program_->setUniformValue("clip_from_world", clip_from_world(*camera, aspect));
  program_->setUniformValue("size_px", static_cast<float>(size_px));
  set_color_uniforms();
  gl().glEnable(GL_DEPTH_TEST);
  gl().glDepthMask(GL_TRUE);
  gl().glDisable(GL_BLEND);
  gl().glEnable(kProgramPointSize);
  gl().glBindVertexArray(vertex_array_);
  gl().glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count_));
  return 1;
}

void ShellProp::ReleaseGraphicsResources(vtkWindow* window) {
  program_.reset();
  if (vertex_array_ != 0 && QOpenGLContext::currentContext()) gl().glDeleteVertexArrays(1, &vertex_array_);
  vertex_array_ = bound_buffer_ = 0;
  vtkProp::ReleaseGraphicsResources(window);
}

}  // namespace vantage::ui
