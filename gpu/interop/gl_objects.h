// OpenGL textures and buffers that CUDA writes into: storage, registration, mapping. Every function is called
// with the OpenGL context current, on its thread: CUDA wants registration and mapping there. This is the one
// place where CUDA calls are made outside the submission thread. Mapping and unmapping go on the surface's
// own stream and nothing else is enqueued on it meanwhile but what the submission thread was asked to and has
// finished enqueueing, so the stream holds: map (behind OpenGL's earlier commands), kernels, unmap (ahead of
// OpenGL's later ones).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>

#include "core/base/result.h"
#include "core/display/display_surface.h"
#include "gpu/runtime/stream.h"

namespace vantage::gpu {

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
  // The buffer with room for that many bytes, registered.
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

}  // namespace vantage::gpu
