#include "core/image/buffer.h"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

#include "core/base/memory.h"
#include "core/base/trace.h"

namespace vantage {
namespace {

constexpr std::align_val_t kAlignment{256};

size_t size_class(size_t bytes) {
  const size_t power = std::bit_ceil(std::max<size_t>(bytes, 256));
  return bytes <= power / 4 * 3 ? power / 4 * 3 : power;
}

Error no_memory(size_t bytes) {
  return {ErrorKind::out_of_memory, "no memory for a buffer of " + std::to_string(bytes) + " bytes",
          "host memory", "Close other programs, or use fewer cameras or smaller pictures."};
}

class HostBuffer final : public Buffer {
 public:
  HostBuffer(std::byte* data, size_t size) : Buffer(data, size, {}) {}
};

}  // namespace

struct HostPool::State {
  std::mutex mutex;
  FreeBlocks free_blocks;
  size_t cache_limit_bytes = 0;
  PoolStatistics statistics;

  ~State() { release(free_blocks.take_all()); }

  static void release(const std::vector<std::byte*>& blocks) {
    for (std::byte* block : blocks) ::operator delete(block, kAlignment);
  }

  // Pictures give their blocks back wherever they go out of use, where nothing may be thrown.
  bool kept(std::byte* block, size_t size) {
    try {
      free_blocks.put(block, size, trace_now_ns());
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  void give_back(std::byte* block, size_t size) {
    const std::lock_guard lock(mutex);
    statistics.in_use_bytes -= size;
    if (free_blocks.bytes() + size > cache_limit_bytes || !kept(block, size))
      ::operator delete(block, kAlignment);
    statistics.cached_bytes = free_blocks.bytes();
  }
};

HostPool::HostPool(size_t cache_limit_bytes) : state_(std::make_shared<State>()) {
  state_->cache_limit_bytes = cache_limit_bytes;
}

HostPool::~HostPool() = default;

Result<BufferRef> HostPool::take(size_t size_bytes) {
  const size_t size = size_class(size_bytes);
  std::byte* block = nullptr;
  std::vector<std::byte*> idle;
  {
    const std::lock_guard lock(state_->mutex);
    block = state_->free_blocks.take(size);
    idle = state_->free_blocks.take_idle(trace_now_ns());
    state_->statistics.cached_bytes = state_->free_blocks.bytes();
    state_->statistics.reuses += block != nullptr;
  }
  if (!idle.empty()) {
    State::release(idle);
    give_back_free_memory();  // else the allocator keeps it
  }
  const bool allocated = block == nullptr;
  if (allocated) block = static_cast<std::byte*>(::operator new(size, kAlignment, std::nothrow));
  if (!block) return fail(no_memory(size));
  {
    const std::lock_guard lock(state_->mutex);
    PoolStatistics& statistics = state_->statistics;
    statistics.allocations += allocated;
    statistics.in_use_bytes += size;
    statistics.peak_bytes =
        std::max(statistics.peak_bytes, statistics.in_use_bytes + statistics.cached_bytes);
  }
  HostBuffer* const made = new (std::nothrow) HostBuffer(block, size);
  if (!made) {
    state_->give_back(block, size);
    return fail(no_memory(size));
  }
  // Not under the lock: where there is no memory for the count of references, the block is given back at
  // once.
  return BufferRef(made, [state = state_](HostBuffer* buffer) {
    state->give_back(buffer->data(), buffer->size_bytes());
    delete buffer;
  });
}

PoolStatistics HostPool::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

HostPool& HostPool::shared() {
  static HostPool pool;
  return pool;
}

}  // namespace vantage
