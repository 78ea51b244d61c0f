#include "gpu/interop/gl_objects.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cuda_gl_interop.h>

#include <algorithm>

namespace vantage::gpu {
namespace {

constexpr size_t kSmallestBuffer = size_t{1} << 20;

// Beyond OpenGL 1.1 functions are looked up. The vendor-neutral loader gives the same entry points for GLX
// contexts.
struct BufferFunctions {
  PFNGLBINDBUFFERPROC bind = reinterpret_cast<PFNGLBINDBUFFERPROC>(eglGetProcAddress("glBindBuffer"));
  PFNGLBUFFERDATAPROC data = reinterpret_cast<PFNGLBUFFERDATAPROC>(eglGetProcAddress("glBufferData"));
  PFNGLGETBUFFERPARAMETERIVPROC parameter =
      reinterpret_cast<PFNGLGETBUFFERPARAMETERIVPROC>(eglGetProcAddress("glGetBufferParameteriv"));
};

Result<BufferFunctions> buffer_functions() {
  static const BufferFunctions functions;
  if (functions.bind && functions.data && functions.parameter) return functions;
  return fail(ErrorKind::unsupported, "this OpenGL has no buffer objects", "display");
}

class BoundTexture {
 public:
  explicit BoundTexture(unsigned name) {
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &previous_);
    glBindTexture(GL_TEXTURE_2D, name);
  }
  ~BoundTexture() { glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(previous_)); }
  BoundTexture(const BoundTexture&) = delete;
  BoundTexture& operator=(const BoundTexture&) = delete;

 private:
  GLint previous_ = 0;
};

class BoundBuffer {
 public:
  BoundBuffer(const BufferFunctions& functions, unsigned name) : functions_(functions) {
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &previous_);
    functions_.bind(GL_ARRAY_BUFFER, name);
  }
  ~BoundBuffer() { functions_.bind(GL_ARRAY_BUFFER, static_cast<GLuint>(previous_)); }
  BoundBuffer(const BoundBuffer&) = delete;
  BoundBuffer& operator=(const BoundBuffer&) = delete;

 private:
  const BufferFunctions& functions_;
  GLint previous_ = 0;
};

// The bound texture's storage.
bool has_storage(int width_px, int height_px, GLint format) {
  GLint width = 0, height = 0, internal_format = 0;
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &internal_format);
  return width == width_px && height == height_px && internal_format == format;
}

void allocate(int width_px, int height_px, bool rgba) {
  glTexImage2D(GL_TEXTURE_2D, 0, rgba ? GL_RGBA8 : GL_R8, width_px, height_px, 0, rgba ? GL_RGBA : GL_RED,
               GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace

Mapping::~Mapping() {
  // The error that led here is being returned already.
  if (mapped_) static_cast<void>(unmap());
}

Status Mapping::map() {
  VANTAGE_TRY(
      stream_.context().check(cudaGraphicsMapResources(1, &resource_, stream_.handle()), "map for drawing"));
  mapped_ = true;
  return {};
}

Status Mapping::unmap() {
  mapped_ = false;
  return stream_.context().check(cudaGraphicsUnmapResources(1, &resource_, stream_.handle()),
                                 "unmap after drawing");
}

Result<cudaArray_t> Mapping::array() {
  cudaArray_t array = nullptr;
  VANTAGE_TRY(stream_.context().check(cudaGraphicsSubResourceGetMappedArray(&array, resource_, 0, 0),
                                      "map a texture"));
  return array;
}

Result<Mapping::Range> Mapping::range() {
  Range range;
  VANTAGE_TRY(stream_.context().check(
      cudaGraphicsResourceGetMappedPointer(&range.data, &range.size_bytes, resource_), "map a buffer"));
  return range;
}

Result<cudaGraphicsResource_t> GlObjects::texture(unsigned name, int width_px, int height_px,
                                                  DisplayLayer layer) {
  Texture& texture = textures_[name];
  const bool rgba = layer == DisplayLayer::picture;
  const BoundTexture bound(name);
  // OpenGL is asked too: the view may have deleted a texture and been given its name again.
  const bool fits = texture.resource && texture.width_px == width_px && texture.height_px == height_px &&
                    texture.layer == layer && has_storage(width_px, height_px, rgba ? GL_RGBA8 : GL_R8);
  if (fits) return texture.resource;
  unregister(texture.resource);
  allocate(width_px, height_px, rgba);
  // Pictures are written by a kernel, the others by a copy.
  const unsigned flags =
      rgba ? cudaGraphicsRegisterFlagsSurfaceLoadStore : cudaGraphicsRegisterFlagsWriteDiscard;
  VANTAGE_TRY(stream_.context().check(
      cudaGraphicsGLRegisterImage(&texture.resource, name, GL_TEXTURE_2D, flags), "register a texture"));
  texture = {texture.resource, width_px, height_px, layer};
  return texture.resource;
}

Result<cudaGraphicsResource_t> GlObjects::buffer(unsigned name, size_t size_bytes) {
  VANTAGE_ASSIGN(const BufferFunctions functions, buffer_functions());
  BufferObject& buffer = buffers_[name];
  const BoundBuffer bound(functions, name);
  GLint allocated = 0;
  functions.parameter(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &allocated);
  const bool intact = buffer.resource && static_cast<size_t>(allocated) == buffer.size_bytes;
  if (intact && buffer.size_bytes >= size_bytes) return buffer.resource;
  unregister(buffer.resource);
  // With room to grow, so that a shell that changes a little keeps its registration.
  buffer.size_bytes = std::max(kSmallestBuffer, size_bytes + size_bytes / 2);
  functions.data(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(buffer.size_bytes), nullptr, GL_DYNAMIC_DRAW);
  VANTAGE_TRY(stream_.context().check(
      cudaGraphicsGLRegisterBuffer(&buffer.resource, name, cudaGraphicsRegisterFlagsWriteDiscard),
      "register a buffer"));
  return buffer.resource;
}

void GlObjects::clear() {
  for (auto& [name, texture] : textures_) unregister(texture.resource);
  for (auto& [name, buffer] : buffers_) unregister(buffer.resource);
  textures_.clear();
  buffers_.clear();
}

// A resource whose texture is gone already gives an error, which changes nothing.
void GlObjects::unregister(cudaGraphicsResource_t& resource) {
  if (resource)
    static_cast<void>(stream_.context().check(cudaGraphicsUnregisterResource(resource), "unregister"));
  resource = nullptr;
}

bool GlObjects::context_is_current() {
  return glGetString(GL_VERSION) != nullptr;
}

}  // namespace vantage::gpu
