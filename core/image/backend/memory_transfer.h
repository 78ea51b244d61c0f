// Copies between host and device memory. Every copy is recorded as a span of kind `copy` with its bytes.
// The CPU's hands back what it is given, so that no caller has to ask which device there is; content of a
// device is then an error (unsupported).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

// May be called from several threads.
class MemoryTransfer {
 public:
  static constexpr std::string_view kAlgorithm = "memory_transfer";
  struct Arguments {};
  virtual ~MemoryTransfer() = default;
  // The layout is kept, except that an I420 picture becomes NV12 on its way to a device (the decoder's native
  // layout there), and an NV12 picture stays NV12 on its way back. Uploads are enqueued (the result's ready
  // event says when it is valid); downloads return when the content is on the host. `frame` and `camera`
  // label the span.
  virtual Result<Picture> upload(const Picture& picture, int64_t frame, int camera) = 0;
  virtual Result<Picture> download(const Picture& picture, int64_t frame, int camera) = 0;
  virtual Result<Image> upload(const Image& image, int64_t frame, int camera) = 0;
  virtual Result<Image> download(const Image& image, int64_t frame, int camera) = 0;
  // One image a camera, side by side: one wait for all, and their rows brought into place by several threads.
  // Empty ones stay empty.
  virtual Result<std::vector<Image>> download_all(std::span<const Image> images, int64_t frame) = 0;
  // Returns when what was enqueued to write the image is done.
  virtual Status wait_for(const Image& image) = 0;
  // Free bytes of the device's memory (on the CPU: the machine's): what this process could still take, with
  // what it keeps there for reuse.
  virtual Result<double> free_bytes() = 0;
};

// The CPU's.
std::shared_ptr<MemoryTransfer> host_memory();

}  // namespace vantage
