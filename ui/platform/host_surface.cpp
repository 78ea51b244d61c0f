#include "ui/platform/host_surface.h"

#include <QMatrix3x3>
#include <QVector3D>

#include "core/display/color_conversion.h"
#include "core/display/shell_points.h"
#include "core/pipeline/frame_result.h"
#include "ui/platform/gl_state.h"

namespace vantage::ui {
namespace {

constexpr const char* kConvert = R"(
uniform sampler2D plane0, plane1, plane2;
uniform bool interleaved;
uniform mat3 rgb_from_ycbcr;
uniform vec3 offset;
out vec4 color;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 chroma = pixel / 2;
  vec3 ycbcr;
  ycbcr.x = texelFetch(plane0, pixel, 0).r;
  if (interleaved) ycbcr.yz = texelFetch(plane1, chroma, 0).rg;
  else ycbcr.yz = vec2(texelFetch(plane1, chroma, 0).r, texelFetch(plane2, chroma, 0).r);
  color = vec4(clamp(rgb_from_ycbcr * (ycbcr - offset), 0.0, 1.0), 1.0);
}
)";

// A result made before the chain began to copy for the window is in device memory: there is nothing to draw
// yet, the next one has copies.
bool on_host(MemoryPlace place) {
  return place.kind == MemoryKind::host;
}

void set_sampling(GLint filter) {
  QOpenGLExtraFunctions& f = gl();
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

template <typename T>
const T* element(const std::vector<T>& list, int index) {
  return index >= 0 && static_cast<size_t>(index) < list.size() ? &list[index] : nullptr;
}

const Picture* find_picture(const FrameResult& result, int camera) {
  if (const DisplayArtifact* display = result.display()) return element(display->pictures, camera);
  if (const FrameSet* frames = result.frames())
    if (const CameraFrame* frame = element(frames->cameras, camera)) return &frame->picture;
  return nullptr;
}

const Image* find_indicator(const FrameResult& result, int camera) {
  if (const DisplayArtifact* display = result.display()) return element(display->indicators, camera);
  if (const ForegroundArtifact* foreground = result.foreground())
    if (const ForegroundImages* images = element(foreground->cameras, camera)) return &images->indicator;
  return nullptr;
}

const Image* find_bytes(const FrameResult& result, int camera, DisplayLayer layer) {
  if (layer == DisplayLayer::foreground) return find_indicator(result, camera);
  // Height maps are on the host for every device.
  const HeightEstimate* map = result.height_map();
  if (!map || camera < 0 || static_cast<size_t>(camera) != map->reference) return nullptr;
  return layer == DisplayLayer::heights ? &map->levels : &map->map.unsettled;
}

}  // namespace

HostSurface::HostSurface(std::string description) : description_(std::move(description)) {}

Result<DrawnSize> HostSurface::draw(unsigned texture, const FrameResult& result, int camera,
                                    DisplayLayer layer) {
  const GlStateGuard guard;
  if (layer == DisplayLayer::picture) {
    const Picture* picture = find_picture(result, camera);
    if (!picture || !*picture || !on_host(picture->place())) return DrawnSize{};
    VANTAGE_TRY(draw_picture(texture, *picture));
    return DrawnSize{picture->width(), picture->height()};
  }
  const Image* bytes = find_bytes(result, camera, layer);
  if (!bytes || !*bytes || !on_host(bytes->place())) return DrawnSize{};
  upload_bytes(texture, bytes->view<uint8_t>());
  return DrawnSize{bytes->width(), bytes->height()};
}

Status HostSurface::ensure_program() {
  if (program_) return {};
  VANTAGE_ASSIGN(program_, link_program("picture conversion", kCoveringTriangle, kConvert));
  gl().glGenVertexArrays(1, &vertex_array_);
  gl().glGenFramebuffers(1, &framebuffer_);
  return {};
}

Status HostSurface::draw_picture(unsigned texture, const Picture& picture) {
  VANTAGE_TRY(ensure_program());
  QOpenGLExtraFunctions& f = gl();
  Target& target = targets_[texture];
  if (target.planes[0] == 0)
    f.glGenTextures(static_cast<GLsizei>(target.planes.size()), target.planes.data());
  f.glActiveTexture(GL_TEXTURE0);
  f.glBindTexture(GL_TEXTURE_2D, texture);
  if (target.width != picture.width() || target.height != picture.height()) {
    target.width = picture.width();
    target.height = picture.height();
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, target.width, target.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   nullptr);
    set_sampling(GL_LINEAR);
  }
  upload_planes(target, picture);
  convert(texture, picture);
  return {};
}

void HostSurface::upload_planes(const Target& target, const Picture& picture) {
  QOpenGLExtraFunctions& f = gl();
  f.glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (int i = 0; i < picture.plane_count(); ++i) {
    const ImageView<const uint8_t> plane = picture.plane(i);
    const int channels = i == 1 && picture.format().layout == PictureLayout::nv12 ? 2 : 1;
    f.glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
    f.glBindTexture(GL_TEXTURE_2D, target.planes[i]);
    f.glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(plane.stride_bytes) / channels);
    f.glTexImage2D(GL_TEXTURE_2D, 0, channels == 2 ? GL_RG8 : GL_R8, plane.width / channels, plane.height, 0,
                   channels == 2 ? GL_RG : GL_RED, GL_UNSIGNED_BYTE, plane.data);
    set_sampling(GL_NEAREST);
  }
}

void HostSurface::convert(unsigned texture, const Picture& picture) {
  QOpenGLExtraFunctions& f = gl();
  const RgbFromYcbcr conversion = rgb_from_ycbcr(picture.format().range, picture.format().matrix);
  f.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  f.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  f.glViewport(0, 0, picture.width(), picture.height());
  for (const GLenum off :
       {GL_BLEND, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_CULL_FACE, GL_STENCIL_TEST, GL_DITHER})
    f.glDisable(off);
  f.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  program_->bind();
  program_->setUniformValue("plane0", 0);
  program_->setUniformValue("plane1", 1);
  program_->setUniformValue("plane2", 2);
  program_->setUniformValue("interleaved", picture.format().layout == PictureLayout::nv12);
  program_->setUniformValue("rgb_from_ycbcr", QMatrix3x3(conversion.matrix));
  program_->setUniformValue("offset",
                            QVector3D(conversion.offset[0], conversion.offset[1], conversion.offset[2]));
  f.glBindVertexArray(vertex_array_);
  f.glDrawArrays(GL_TRIANGLES, 0, 3);
  f.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
}

void HostSurface::upload_bytes(unsigned texture, const ImageView<const uint8_t>& view) {
  QOpenGLExtraFunctions& f = gl();
  f.glActiveTexture(GL_TEXTURE0);
  f.glBindTexture(GL_TEXTURE_2D, texture);
  f.glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  f.glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(view.stride_bytes));
  f.glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, view.width, view.height, 0, GL_RED, GL_UNSIGNED_BYTE, view.data);
  set_sampling(GL_LINEAR);
}

Result<int64_t> HostSurface::draw_points(unsigned buffer, const FrameResult& result) {
  const CarvedVolume* volume = result.volume();
  if (!volume || volume->grid.count() == 0) return 0;
  const DisplayArtifact* display = result.display();
  Image ids;
  int64_t count = 0;
  if (display) {
    ids = display->shell_ids;
    count = display->shell_count;
  } else {
    VANTAGE_ASSIGN(const VolumeCounts counts, Result<VolumeCounts>(volume->counts.get()));
    VANTAGE_ASSIGN(ids, Result<Image>(volume->shell_ids.get()));
    count = counts.shell;
  }
  if (!ids || count == 0 || !on_host(ids.place())) return 0;
  const std::vector<ShellPoint> points =
      shell_points(volume->grid, {ids.view<uint32_t>().data, static_cast<size_t>(count)}, volume->confidence);
  const GlStateGuard guard;
  gl().glBindBuffer(GL_ARRAY_BUFFER, buffer);
  gl().glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(points.size() * sizeof(ShellPoint)),
                    points.data(), GL_STREAM_DRAW);
  return count;
}

void HostSurface::release() {
  QOpenGLExtraFunctions& f = gl();
  for (auto& [texture, target] : targets_)
    if (target.planes[0] != 0)
      f.glDeleteTextures(static_cast<GLsizei>(target.planes.size()), target.planes.data());
  targets_.clear();
  program_.reset();
  if (vertex_array_ != 0) f.glDeleteVertexArrays(1, &vertex_array_);
  if (framebuffer_ != 0) f.glDeleteFramebuffers(1, &framebuffer_);
  vertex_array_ = framebuffer_ = 0;
}

}  // namespace vantage::ui
