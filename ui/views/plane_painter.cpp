#include "ui/views/plane_painter.h"

#include <cstddef>

#include "ui/platform/gl_state.h"

namespace vantage::ui {
namespace {

constexpr const char* kPlaneVertex = R"(
layout(location = 0) in vec4 point;
layout(location = 1) in vec2 position;
uniform mat4 clip_from_mesh;
out vec2 at;
void main() {
  gl_Position = clip_from_mesh * point;
  at = position;
}
)";

constexpr const char* kPlaneFragment = R"(
in vec2 at;
uniform sampler2D picture;
out vec4 color;
void main() { color = texture(picture, at); }
)";

// Cells are interpolated, so colours are weighted by alpha: transparent cells have none.
std::vector<uint8_t> premultiplied(const std::vector<uint8_t>& rgba) {
  std::vector<uint8_t> out(rgba.size());
  for (size_t i = 0; i < rgba.size(); ++i)
    out[i] = i % 4 == 3 ? rgba[i] : static_cast<uint8_t>((rgba[i] * rgba[i | 3] + 127) / 255);
  return out;
}

}  // namespace

Status PlanePainter::prepare() {
  if (program_) return {};
  VANTAGE_ASSIGN(program_, link_program("floor picture", kPlaneVertex, kPlaneFragment));
  return {};
}

void PlanePainter::set_mesh(int key, const std::vector<PlanePoint>& points,
                            const std::vector<uint32_t>& triangles) {
  QOpenGLExtraFunctions& f = gl();
  Mesh& mesh = meshes_[key];
  if (mesh.array == 0) {
    f.glGenVertexArrays(1, &mesh.array);
    f.glGenBuffers(1, &mesh.points);
    f.glGenBuffers(1, &mesh.triangles);
  }
  mesh.count = static_cast<int>(triangles.size());
  f.glBindVertexArray(mesh.array);
  f.glBindBuffer(GL_ARRAY_BUFFER, mesh.points);
  f.glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(points.size() * sizeof(PlanePoint)), points.data(),
                 GL_STATIC_DRAW);
  f.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.triangles);
  f.glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(triangles.size() * sizeof(uint32_t)),
                 triangles.data(), GL_STATIC_DRAW);
  f.glEnableVertexAttribArray(0);
  f.glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(PlanePoint), nullptr);
  f.glEnableVertexAttribArray(1);
  f.glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, sizeof(PlanePoint),
                          reinterpret_cast<const void*>(offsetof(PlanePoint, u)));
  f.glBindVertexArray(0);
}

void PlanePainter::upload(Slot& slot, const FloorPictureRef& picture) {
  QOpenGLExtraFunctions& f = gl();
  if (slot.texture == 0) f.glGenTextures(1, &slot.texture);
  f.glBindTexture(GL_TEXTURE_2D, slot.texture);
  if (slot.picture == picture) return;
  slot.picture = picture;
  // Restores OpenGL's defaults, on which text drawn later relies.
  f.glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  f.glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture->nx, picture->ny, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 premultiplied(picture->rgba).data());
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void PlanePainter::draw(int slot, const FloorPictureRef& picture, int mesh,
                        const QMatrix4x4& clip_from_mesh) {
  const auto found = meshes_.find(mesh);
  if (!program_ || !picture || picture->empty() || found == meshes_.end() || found->second.count == 0) return;
  QOpenGLExtraFunctions& f = gl();
  f.glActiveTexture(GL_TEXTURE0);
  upload(slots_[slot], picture);
  f.glEnable(GL_BLEND);
  f.glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  program_->bind();
  program_->setUniformValue("picture", 0);
  program_->setUniformValue("clip_from_mesh", clip_from_mesh);
  f.glBindVertexArray(found->second.array);
  f.glDrawElements(GL_TRIANGLES, found->second.count, GL_UNSIGNED_INT, nullptr);
  f.glBindVertexArray(0);
  program_->release();
  f.glDisable(GL_BLEND);
}

void PlanePainter::release() {
  program_.reset();
  for (auto& [key, mesh] : meshes_) {
    gl().glDeleteVertexArrays(1, &mesh.array);
    gl().glDeleteBuffers(1, &mesh.points);
    gl().glDeleteBuffers(1, &mesh.triangles);
  }
  for (auto& [key, slot] : slots_) gl().glDeleteTextures(1, &slot.texture);
  meshes_.clear();
  slots_.clear();
}

}  // namespace vantage::ui
