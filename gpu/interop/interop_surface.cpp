#include "gpu/interop/interop_surface.h"

#include <GL/gl.h>
#include <cuda_gl_interop.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <span>

#include "core/pipeline/frame_result.h"
#include "gpu/interop/gl_objects.h"
#include "gpu/interop/interop_kernels.h"

namespace vantage::gpu {
namespace {

const Picture* find_picture(const FrameResult& result, int camera) {
  const FrameSet* frames = result.frames();
  if (!frames || camera < 0 || static_cast<size_t>(camera) >= frames->cameras.size()) return nullptr;
  const Picture& picture = frames->cameras[static_cast<size_t>(camera)].picture;
  return picture ? &picture : nullptr;
}

const Image* find_indicator(const FrameResult& result, int camera) {
  const ForegroundArtifact* foreground = result.foreground();
  if (!foreground || camera < 0 || static_cast<size_t>(camera) >= foreground->cameras.size()) return nullptr;
  const Image& indicator = foreground->cameras[static_cast<size_t>(camera)].indicator;
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
      // The surface is no longer used, and what a lost device answers is known.
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

// Whether the current OpenGL context runs on the device.
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
