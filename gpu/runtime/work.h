// A piece of work on a stream: what it reads and writes, its kernels and copies, its span.
//
//   context.run([&]() -> Status {
//     Work work(stream, {.name = "carving", .frame = frame});
//     VANTAGE_TRY(work.reads(indicator.buffer()));
//     VANTAGE_TRY(work.writes(ids.buffer()));
//     VANTAGE_TRY(launch(work, "write_ids", {blocks, threads}, write_ids, ...));
//     return work.finish();
//   });
//
// reads() makes the stream wait until the buffer's content is ready, writes() until nobody uses its block any
// more; finish() records one event as the ready event of what was written and the last use of what was read.
// A Work that ends without finish(), after an error, does that in its destructor. On the submission thread
// only.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/trace.h"
#include "gpu/runtime/blocks_for.h"
#include "gpu/runtime/stream.h"

namespace vantage::gpu {

struct WorkLabel {
  std::string name;  // of the work's own span; empty: no span
  int64_t frame = -1;
  int camera = -1;
};

enum class Order : uint8_t {
  after_previous,
  // May come onto the device while the kernel before, on the same stream, still works, once all of that
  // one's thread blocks have said griddepcontrol.launch_dependents; must itself say griddepcontrol.wait
  // before it touches what the kernel before reads or writes.
  beside_previous,
};
// Whether the current device can; on others kernels follow one another.
bool device_overlaps_kernels();

struct LaunchGrid {
  dim3 blocks, threads;
  Order order = Order::after_previous;
  unsigned shared_bytes = 0;  // dynamic shared memory
};

class Work {
 public:
  Work(Stream& stream, WorkLabel label);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  Status reads(const BufferRef& buffer);
  Status writes(const BufferRef& buffer);
  Status waits_for(const EventRef& event);

  // A span of kind `copy` with its bytes, always. `name` says from where to where: "copy host to device".
  Status copy(const char* name, void* to, const void* from, size_t size_bytes);
  Status copy_2d(const char* name, void* to, size_t to_stride, const void* from, size_t from_stride,
                 size_t row_bytes, int rows);
  Status fill(void* memory, int byte, size_t size_bytes);
  Status set_zero(void* memory, size_t size_bytes) { return fill(memory, 0, size_bytes); }
  // Calls enqueue(cudaStream_t), which returns a cudaError_t, with a span of kind `kernel` on sampled frames.
  template <typename F>
  Status enqueue(const char* name, F&& enqueue) {
    VANTAGE_TRY(context().status());
    const cudaEvent_t start = times_kernels() ? begin() : nullptr;
    const Status enqueued = context().check(enqueue(stream_.handle()), name);
    end(start, name, SpanKind::kernel, 0);
    return enqueued;
  }

  // Events around kernels of a few microseconds change what they measure and keep a frame from running as
  // graphs, so only every so many frames get them.
  static constexpr int64_t kTimedFrames = 64;
  bool times_kernels() const {
    return stream_.trace() && (label_.frame < 0 || label_.frame % kTimedFrames == 0);
  }

  // Ends the work; the event happens when all of it is done.
  Status finish();
  const EventRef& done() const { return done_; }  // after finish()

  Stream& stream() { return stream_; }
  Context& context() { return stream_.context(); }

 private:
  cudaEvent_t begin();
  void end(cudaEvent_t start, const std::string& name, SpanKind kind, size_t bytes);

  Stream& stream_;
  WorkLabel label_;
  cudaEvent_t start_ = nullptr;
  std::vector<BufferRef> read_, written_;
  EventRef done_;
  bool finished_ = false;
};

cudaError_t launch_kernel(const void* kernel, const LaunchGrid& grid, void** parameters, cudaStream_t stream);

// The one way to launch a kernel: by value, converted to the kernel's own parameter types.
template <typename... Parameters, typename... Arguments>
Status launch(Work& work, const char* name, const LaunchGrid& grid, void (*kernel)(Parameters...),
              Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments) && sizeof...(Parameters) > 0);
  std::tuple<std::remove_cv_t<Parameters>...> values(
      static_cast<Parameters>(std::forward<Arguments>(arguments))...);
  return work.enqueue(name, [&](cudaStream_t stream) {
    return std::apply(
        [&](auto&... value) {
          void* pointers[] = {static_cast<void*>(&value)...};
          return launch_kernel(reinterpret_cast<const void*>(kernel), grid, pointers, stream);
        },
        values);
  });
}

}  // namespace vantage::gpu
