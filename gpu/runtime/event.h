// A point in a stream's work. Recorded once, waited for by other streams or by the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/result.h"

namespace vantage::gpu {

class Context;

// CUDA events for reuse. Without timing: such events are cheaper, and host waits sleep instead of spinning.
class EventPool {
 public:
  explicit EventPool(unsigned flags) : flags_(flags) {}
  // On the submission thread.
  cudaError_t take(cudaEvent_t* event);
  // Called from any thread.
  void give_back(cudaEvent_t event) noexcept;
  // Destroys the free ones; those given back later are destroyed at once. On the submission thread.
  void close() noexcept;

 private:
  unsigned flags_;
  std::mutex mutex_;
  std::vector<cudaEvent_t> free_;
  bool closed_ = false;
};

class Event {
 public:
  Event(std::shared_ptr<EventPool> pool, cudaEvent_t handle, uint64_t stream_id)
      : pool_(std::move(pool)), handle_(handle), stream_id_(stream_id) {}
  ~Event() { pool_->give_back(handle_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  cudaEvent_t handle() const { return handle_; }
  uint64_t stream_id() const { return stream_id_; }  // Stream::id() of the stream it was recorded on

 private:
  std::shared_ptr<EventPool> pool_;
  cudaEvent_t handle_;
  uint64_t stream_id_;
};
using EventRef = std::shared_ptr<const Event>;

}  // namespace vantage::gpu
