#include "gpu/interop/interop_surface.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <map>
#include <span>

#include "core/base/result.h"
#include "core/display/display_surface.h"
#include "core/pipeline/frame_result.h"
#include "gpu/interop/interop_kernels.h"
#include "gpu/runtime/stream.h"

namespace vantage::gpu {
namespace {

// OpenGL textures and buffers that CUDA writes into: storage, registration, mapping. Every function is called
// with the OpenGL context current, on its thread, as CUDA requires for registration and mapping. These are
// the only CUDA calls outside the submission thread. Mapping and unmapping use the surface's own stream.
// Between them, it only gets work that the submission thread has finished enqueueing. So the stream's order
// is: map (behind OpenGL's earlier commands), kernels, unmap (ahead of OpenGL's later ones).

// Mapped for CUDA until unmap() or the end of the object.
class Mapping {
 public:
  Mapping(Stream& stream, cudaGraphicsResource_t resource) : stream_(stream), resource_(resource) {}
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Status map();
  Status unmap();
  Result<cudaArray_t> array();
  struct Range {
    void* data = nullptr;
    size_t size_bytes = 0;
  };
  Result<Range> range();

 private:
  Stream& stream_;
  cudaGraphicsResource_t resource_;
  bool mapped_ = false;
};

class GlObjects {
 public:
  explicit GlObjects(Stream& stream) : stream_(stream) {}
  // The texture with storage of that size and the layer's format, registered.
  Result<cudaGraphicsResource_t> texture(unsigned name, int width_px, int height_px, DisplayLayer layer);
  // The buffer with at least that many bytes, registered.
  Result<cudaGraphicsResource_t> buffer(unsigned name, size_t size_bytes);
  // Unregisters everything. The stream's work must be done.
  void clear();

  static bool context_is_current();

 private:
  struct Texture {
    cudaGraphicsResource_t resource = nullptr;
    int width_px = 0, height_px = 0;
    DisplayLayer layer = DisplayLayer::picture;
  };
  struct BufferObject {
    cudaGraphicsResource_t resource = nullptr;
    size_t size_bytes = 0;
  };
  void unregister(cudaGraphicsResource_t& resource);

  Stream& stream_;
  std::map<unsigned, Texture> textures_;
  std::map<unsigned, BufferObject> buffers_;
};

constexpr size_t kSmallestBuffer = size_t{1} << 20;

// OpenGL functions beyond 1.1 are looked up. The vendor-neutral loader gives the same entry points for GLX
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
  // OpenGL is queried too: the view may have deleted a texture and been given its name again.
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
  // Spare size: a shell that grows a little keeps its registration.
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

const Picture* find_picture(const FrameResult& result, int camera) {
  const FrameSet* frames = result.frames();
  if (!frames || camera < 0 || static_cast<size_t>(camera) >= frames->cameras.size()) return nullptr;
  const Picture& picture = frames->cameras[camera].picture;
  return picture ? &picture : nullptr;
}

const Image* find_indicator(const FrameResult& result, int camera) {
  const ForegroundArtifact* foreground = result.foreground();
  if (!foreground || camera < 0 || static_cast<size_t>(camera) >= foreground->cameras.size()) return nullptr;
  const Image& indicator = foreground->cameras[camera].indicator;
  return indicator ? &indicator : nullptr;
}

const Image* find_heights(const FrameResult& result, int camera, DisplayLayer layer) {
  const HeightEstimate* map = result.height_map();
  if (!map || camera < 0 || static_cast<size_t>(camera) != map->reference) return nullptr;
  const Image& image = layer == DisplayLayer::heights ? map->device_levels : map->device_unsettled;
  return image ? &image : nullptr;
}

class InteropSurface final : public DisplaySurface {
 public:
  InteropSurface(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : context_(std::move(context)), stream_(std::move(stream)), objects_(*stream_) {}

  ~InteropSurface() override {
    if (GlObjects::context_is_current()) release_all();
  }

  std::string description() const override { return "CUDA-OpenGL interop on " + context_->name(); }

  Result<DrawnSize> draw(unsigned texture, const FrameResult& result, int camera,
                         DisplayLayer layer) override {
    VANTAGE_TRY(enter());
    if (layer == DisplayLayer::picture) {
      const Picture* picture = find_picture(result, camera);
      if (!picture) return DrawnSize{};
      VANTAGE_TRY(expect_here(picture->place(), camera));
      VANTAGE_TRY(draw_picture(texture, *picture, result.frame, camera));
      return DrawnSize{picture->width(), picture->height()};
    }
    const Image* bytes = layer == DisplayLayer::foreground ? find_indicator(result, camera)
                                                           : find_heights(result, camera, layer);
    if (!bytes) return DrawnSize{};
    VANTAGE_TRY(expect_here(bytes->place(), camera));
    VANTAGE_TRY(draw_bytes(texture, *bytes, layer, result.frame, camera));
    return DrawnSize{bytes->width(), bytes->height()};
  }

  Result<int64_t> draw_points(unsigned buffer, const FrameResult& result) override {
    VANTAGE_TRY(enter());
    const CarvedVolume* volume = result.volume();
    if (!volume) return 0;
    VANTAGE_ASSIGN(const VolumeCounts counts, Result<VolumeCounts>(volume->counts.get()));
    if (counts.shell == 0) return 0;
    VANTAGE_ASSIGN(const Image shell_ids, Result<Image>(volume->shell_ids.get()));
    if (!shell_ids) return 0;
    VANTAGE_TRY(expect_here(shell_ids.place(), -1));
    const size_t size = static_cast<size_t>(counts.shell) * sizeof(ShellPoint);
    VANTAGE_ASSIGN(const cudaGraphicsResource_t resource, objects_.buffer(buffer, size));
    Mapping mapping(*stream_, resource);
    VANTAGE_TRY(mapping.map());
    VANTAGE_ASSIGN(const Mapping::Range range, mapping.range());
    if (range.size_bytes < size)
      return fail(ErrorKind::bad_data, "the mapped buffer is smaller than its storage", "display");
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "draw shell", .frame = result.frame});
      VANTAGE_TRY(work.reads(shell_ids.buffer()));
      if (volume->confidence) VANTAGE_TRY(work.reads(volume->confidence.buffer()));
      VANTAGE_TRY(
          enqueue_points(work, *volume, shell_ids, counts.shell, static_cast<ShellPoint*>(range.data)));
      return finish(work);
    }));
    VANTAGE_TRY(mapping.unmap());
    return counts.shell;
  }

  void release() override {
    context_->use_on_this_thread();
    release_all();
  }

 private:
  struct HeldSurface {
    cudaSurfaceObject_t surface;
    EventRef done;  // null: nothing was enqueued
  };

  Status enter() {
    VANTAGE_TRY(context_->status());
    context_->use_on_this_thread();
    destroy_surfaces(false);
    return {};
  }

  Status expect_here(MemoryPlace place, int camera) const {
    if (place == context_->device_pool().place()) return {};
    return fail(ErrorKind::invalid_argument,
                "what is to be drawn is not in the memory of cuda:" + std::to_string(context_->device()),
                camera < 0 ? "scene" : "camera " + std::to_string(camera + 1));
  }

  Status finish(Work& work) {
    VANTAGE_TRY(work.finish());
    last_ = work.done();
    return {};
  }

  Status draw_picture(unsigned texture, const Picture& picture, int64_t frame, int camera) {
    VANTAGE_ASSIGN(const cudaGraphicsResource_t resource,
                   objects_.texture(texture, picture.width(), picture.height(), DisplayLayer::picture));
    Mapping mapping(*stream_, resource);
    VANTAGE_TRY(mapping.map());
    VANTAGE_ASSIGN(const cudaArray_t array, mapping.array());
    VANTAGE_ASSIGN(HeldSurface* const surface, make_surface(array));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "draw picture", .frame = frame, .camera = camera});
      VANTAGE_TRY(work.reads(picture.buffer()));
      const Status enqueued = enqueue_rgba(work, picture, surface->surface);
      VANTAGE_TRY(finish(work));
      surface->done = last_;
      return enqueued;
    }));
    return mapping.unmap();
  }

  Status draw_bytes(unsigned texture, const Image& bytes, DisplayLayer layer, int64_t frame, int camera) {
    VANTAGE_ASSIGN(const cudaGraphicsResource_t resource,
                   objects_.texture(texture, bytes.width(), bytes.height(), layer));
    Mapping mapping(*stream_, resource);
    VANTAGE_TRY(mapping.map());
    VANTAGE_ASSIGN(const cudaArray_t array, mapping.array());
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = layer == DisplayLayer::foreground ? "draw foreground" : "draw heights",
                           .frame = frame,
                           .camera = camera});
      VANTAGE_TRY(work.reads(bytes.buffer()));
      const ImageView<const uint8_t> view = bytes.view<uint8_t>();
      VANTAGE_TRY(work.copy_to_array("copy to texture", array, view.data, view.stride_bytes,
                                     static_cast<size_t>(view.width), view.height));
      return finish(work);
    }));
    return mapping.unmap();
  }

  // A surface object for a mapped texture. It is kept until the kernel that writes through it is done.
  Result<HeldSurface*> make_surface(cudaArray_t array) {
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = array;
    HeldSurface held{};
    VANTAGE_TRY(
        context_->check(cudaCreateSurfaceObject(&held.surface, &description), "make a surface object"));
    surfaces_.push_back(std::move(held));
    return &surfaces_.back();
  }

  void destroy_surfaces(bool all) {
    surfaces_.remove_if([&](const HeldSurface& held) {
      if (!all && held.done && !context_->all_done({held.done})) return false;
      // The surface is no longer used; the error of a lost device is known already.
      static_cast<void>(context_->check(cudaDestroySurfaceObject(held.surface), "destroy a surface object"));
      return true;
    });
  }

  void release_all() {
    static_cast<void>(context_->wait(last_));  // fails on a lost device only, which does nothing any more
    destroy_surfaces(true);
    objects_.clear();
    last_ = nullptr;
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  GlObjects objects_;
  std::list<HeldSurface> surfaces_;
  EventRef last_;
};

// Fails unless the current OpenGL context runs on the device.
Status expect_same_device(Context& context) {
  const std::string where = "cuda:" + std::to_string(context.device());
  if (!GlObjects::context_is_current())
    return fail(ErrorKind::unsupported, "no OpenGL context is current", where);
  context.use_on_this_thread();
  unsigned count = 0;
  int devices[16] = {};
  const cudaError_t code = cudaGLGetDevices(&count, devices, std::size(devices), cudaGLDeviceListAll);
  cudaGetLastError();
  const auto listed = std::span(devices).first(std::min<size_t>(count, std::size(devices)));
  if (code == cudaSuccess && std::find(listed.begin(), listed.end(), context.device()) != listed.end())
    return {};
  const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return fail(ErrorKind::unsupported,
              std::string("OpenGL runs on another device (") + (renderer ? renderer : "unknown") +
                  ") than the analysis",
              where);
}

}  // namespace

Result<std::unique_ptr<DisplaySurface>> make_interop_surface(std::shared_ptr<Context> context,
                                                             TraceRecorder* trace) {
  VANTAGE_TRY(expect_same_device(*context));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "display", trace));
  return std::make_unique<InteropSurface>(std::move(context), std::move(stream));
}

}  // namespace vantage::gpu
