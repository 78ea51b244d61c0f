// One GPU: its primary CUDA context, the submission thread, memory pools and events. One object a device,
// shared by everything that works there and gone with the last of them.
//
// Threads: work is enqueued on the submission thread only, inside run(). Other threads make two kinds of CUDA
// calls, which enqueue nothing: they wait for an event (wait()) or ask whether it is done (all_done()). The
// third exception is gpu/interop, which maps OpenGL objects on the thread that holds the OpenGL context.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/result.h"
#include "gpu/runtime/device_limits.h"
#include "gpu/runtime/event.h"
#include "gpu/runtime/memory_pool.h"

// Every .cu file includes this header: it names no thread, queue or map of the standard library.
namespace vantage::gpu {

class SubmissionThread;
class Tracer;

// The first CUDA call of the process: has every kernel loaded with its context.
cudaError_t count_devices(int* count);

class Context : public std::enable_shared_from_this<Context> {
 public:
  // The device's context, made on first use.
  static Result<std::shared_ptr<Context>> get(int device_index);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  int device() const { return device_; }
  const std::string& name() const { return name_; }  // "NVIDIA H200"
  const DeviceLimits& limits() const { return limits_; }

  // Calls work() on the submission thread and returns what it returns, a Status or Result<T>; with a lost
  // device its error, at once. Everything work() enqueues is enqueued then. May be called from inside work().
  template <typename F>
  std::invoke_result_t<F> run(F&& work) {
    std::optional<std::invoke_result_t<F>> result;
    if (Status usable = status(); !usable) return fail(std::move(usable).error());
    run_always([&] {
      try {
        result.emplace(work());
      } catch (const std::exception& exception) {
        result.emplace(fail(ErrorKind::out_of_memory, exception.what(), where()));
      }
    });
    return std::move(*result);
  }
  // Cleaning up, which goes on after the device is lost: waits, or returns at once.
  void run_always(const std::function<void()>& work);
  void post(std::function<void()> work);

  // Ok, or the error that lost the device.
  Status status() const;
  // Turns a CUDA return code into a Status; the first sticky error marks the device lost.
  Status check(cudaError_t code, std::string_view what);

  // Waits on the calling thread, asleep, until the event has happened.
  Status wait(const EventRef& event);
  bool all_done(const std::vector<EventRef>& events);
  // Makes the device the calling thread's current one; for gpu/interop.
  void use_on_this_thread() const;

  MemoryPool& device_pool() { return *device_pool_; }
  MemoryPool& pinned_pool() { return *pinned_pool_; }
  const std::shared_ptr<EventPool>& events() { return events_; }
  Tracer& tracer() { return *tracer_; }  // on the submission thread
  uint64_t next_stream_id() { return ++stream_ids_; }

 private:
  explicit Context(int device);
  Status start();
  std::string where() const { return "cuda:" + std::to_string(device_); }

  int device_;
  std::string name_;
  DeviceLimits limits_;
  std::shared_ptr<EventPool> events_;
  std::unique_ptr<Tracer> tracer_;
  std::unique_ptr<MemoryPool> device_pool_, pinned_pool_;
  std::atomic<uint64_t> stream_ids_{0};
  std::atomic<bool> lost_{false};
  mutable std::mutex error_mutex_;
  Error lost_error_;
  std::unique_ptr<SubmissionThread> thread_;
};

}  // namespace vantage::gpu
