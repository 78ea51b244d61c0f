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
// reads() makes the stream wait until the buffer's content is ready, writes() until no one uses its block any
// more; finish() records one event as the ready event of what was written and the last use of what was read.
// A Work that ends without finish(), after an error, does that in its destructor. On the submission thread
// only.
#pragma once

#include <cuda_runtime_api.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/trace.h"
#include "gpu/runtime/device_buffer.h"
#include "gpu/runtime/launch_shapes.h"
#include "gpu/runtime/stream.h"

namespace vantage::gpu {

struct WorkLabel {
  std::string name;  // of the work's own span; empty: no span
  int64_t frame = -1;
  int camera = -1;
};

// How a kernel follows the one before it on its stream.
enum class Order : uint8_t {
  after_previous,
  // Programmatic dependent launch: begins while the kernel before still works, once all of that one's thread
  // blocks have called trigger_dependent_launch(); must itself call grid_dependency_sync() before it touches
  // what the kernel before reads or writes (dependent_launch.cuh). Where the device cannot, after_previous.
  dependent,
  // Cooperative launch, after the one before: all thread blocks run at the same time and may wait for one
  // another. Refused where they do not fit on the device together, or the device cannot.
  cooperative,
};

struct LaunchGrid {
  dim3 blocks, threads;
  Order order = Order::after_previous;
  unsigned shared_bytes = 0;  // dynamic shared memory; more than 48 KiB: see allow_shared_memory()
};

class Work {
 public:
  Work(Stream& stream, WorkLabel label);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  Status reads(const BufferRef& buffer);
  Status reads(std::initializer_list<BufferRef> buffers);
  Status writes(const BufferRef& buffer);
  Status writes(std::initializer_list<BufferRef> buffers);
  Status waits_for(const EventRef& event);

  // A span of kind `copy` with its bytes, always. `name` says from where to where: "copy host to device".
  Status copy(const char* name, void* to, const void* from, size_t size_bytes);
  Status copy_2d(const char* name, void* to, size_t to_stride, const void* from, size_t from_stride,
                 size_t row_bytes, int rows);
  // The first `count` elements.
  template <typename T>
  Status copy(const char* name, const TypedBuffer<T>& to, const TypedBuffer<T>& from, size_t count) {
    return copy(name, to.data(), from.data(), count * sizeof(T));
  }
  // Into the upper left of a mapped texture.
  Status copy_to_array(const char* name, cudaArray_t to, const void* from, size_t from_stride,
                       size_t row_bytes, int rows);
  Status fill(void* memory, int byte, size_t size_bytes);
  Status set_zero(void* memory, size_t size_bytes) { return fill(memory, 0, size_bytes); }
  template <typename T>
  Status set_zero(const TypedBuffer<T>& buffer) {
    return fill(buffer.data(), 0, buffer.size_bytes());
  }
  // The common part of launch() and KernelGraph. On sampled frames with a span of kind `kernel`, and its
  // shape is remembered (launch_shapes.h).
  Status launch_kernel(const char* name, const void* kernel, const LaunchGrid& grid, void** arguments);

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

// The one way to launch a kernel (several together: kernel_graph.h): arguments by value, converted to the
// kernel's own parameter types. `name` is the kernel's, as the Timings show it.
template <typename... Parameters, typename... Arguments>
Status launch(Work& work, const char* name, const LaunchGrid& grid, void (*kernel)(Parameters...),
              Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments) && sizeof...(Parameters) > 0);
  std::tuple<std::remove_cv_t<Parameters>...> values(
      static_cast<Parameters>(std::forward<Arguments>(arguments))...);
  return std::apply(
      [&](auto&... value) {
        void* pointers[] = {static_cast<void*>(&value)...};
        return work.launch_kernel(name, reinterpret_cast<const void*>(kernel), grid, pointers);
      },
      values);
}

// Lets the kernel's thread blocks have so much dynamic shared memory, of which they have 48 KiB unasked. On
// the submission thread, before its first launch or each time.
template <typename... Parameters>
Status allow_shared_memory(Context& context, void (*kernel)(Parameters...), size_t bytes) {
  return context.check(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes)),
      "allow a kernel more shared memory");
}

}  // namespace vantage::gpu
