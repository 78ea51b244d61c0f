#include "gpu/runtime/event.h"

#include <new>

#include "gpu/runtime/cuda_error.h"

namespace vantage::gpu {

cudaError_t EventPool::take(cudaEvent_t* event) {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      *event = free_.back();
      free_.pop_back();
      return cudaSuccess;
    }
  }
  return cudaEventCreateWithFlags(event, flags_);
}

void EventPool::give_back(cudaEvent_t event) noexcept {
  const std::lock_guard lock(mutex_);
  if (!closed_) {
    try {
      free_.push_back(event);
      return;
    } catch (const std::bad_alloc&) {  // destroyed below instead of kept
    }
  }
  if (!process_is_exiting()) cudaEventDestroy(event);
}

void EventPool::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (!process_is_exiting())
    for (cudaEvent_t event : free_) cudaEventDestroy(event);
  free_.clear();
}

}  // namespace vantage::gpu
