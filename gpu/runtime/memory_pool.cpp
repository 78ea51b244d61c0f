#include "gpu/runtime/memory_pool.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/cuda_error.h"
#include "gpu/runtime/failing_memory.h"

namespace vantage::gpu {
namespace {

constexpr size_t kSmallest = 256;
constexpr size_t kLarge = size_t{32} << 20;     // above it, sizes are rounded less coarsely
constexpr size_t kLargeStep = size_t{2} << 20;  // the driver's own page size

size_t size_class(size_t bytes) {
  if (bytes > kLarge) return (bytes + kLargeStep - 1) / kLargeStep * kLargeStep;
  const size_t power = std::bit_ceil(std::max(bytes, kSmallest));
  return bytes <= power / 4 * 3 ? power / 4 * 3 : power;
}

std::string mebibytes(size_t bytes) {
  return bytes < (size_t{1} << 20) ? std::to_string(bytes) + " bytes" : std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

CudaBuffer::CudaBuffer(std::byte* data, size_t size_bytes, MemoryPlace place, std::vector<EventRef> before)
    : Buffer(data, size_bytes, place), uses_(std::move(before)) {}

EventRef CudaBuffer::ready() const {
  const std::lock_guard lock(mutex_);
  return ready_;
}

std::vector<EventRef> CudaBuffer::all_events() const {
  const std::lock_guard lock(mutex_);
  std::vector<EventRef> events = uses_;
  if (ready_) events.push_back(ready_);
  return events;
}

void CudaBuffer::set_ready(const EventRef& event) {
  const std::lock_guard lock(mutex_);
  ready_ = event;
  uses_.clear();
}

void CudaBuffer::add_use(const EventRef& event) {
  const std::lock_guard lock(mutex_);
  const auto same = std::find_if(uses_.begin(), uses_.end(),
                                 [&](const EventRef& use) { return use->stream_id() == event->stream_id(); });
  if (same != uses_.end()) {
    *same = event;
  } else {
    uses_.push_back(event);
  }
}

CudaBuffer* as_cuda(const BufferRef& buffer) {
  return dynamic_cast<CudaBuffer*>(buffer.get());
}

namespace {

std::atomic<int64_t> takes_until_failure[2];  // of device and pinned memory; below 0 once it failed

std::atomic<int64_t>& until_failure(MemoryPool::Kind kind) {
  return takes_until_failure[kind == MemoryPool::Kind::device ? 0 : 1];
}

bool fails_now(MemoryPool::Kind kind) {
  std::atomic<int64_t>& left = until_failure(kind);
  if (left.load(std::memory_order_relaxed) <= 0 || left.fetch_sub(1) != 1) return false;
  left = -1;
  return true;
}

}  // namespace

void fail_take(MemoryPool::Kind kind, int64_t n) {
  until_failure(kind) = n;
}

bool take_failed(MemoryPool::Kind kind) {
  return until_failure(kind) < 0;
}

struct MemoryPool::State {
  struct Block {
    std::byte* data;
    size_t size;
    std::vector<EventRef> events;
  };

  Context* context;  // alive while the pool is open or a buffer is out
  Kind kind;
  int device;
  size_t cap_bytes;
  mutable std::mutex mutex;
  std::list<Block> free_blocks;  // given back first, first
  PoolStatistics statistics;
  bool closed = false;

  MemoryPlace place() const {
    return kind == Kind::device ? MemoryPlace{MemoryKind::device, device} : MemoryPlace{};
  }

  // On the submission thread.
  cudaError_t allocate(size_t size, std::byte** data) const {
    void* memory = nullptr;
    const cudaError_t code =
        kind == Kind::device ? cudaMalloc(&memory, size) : cudaHostAlloc(&memory, size, cudaHostAllocDefault);
    *data = static_cast<std::byte*>(memory);
    return code;
  }

  // On the submission thread. cudaFree waits for the device; cudaFreeHost too, but both are waited for
  // explicitly, so that nothing depends on it. Errors of a lost device are known already.
  void release(const std::list<Block>& blocks) const noexcept {
    if (blocks.empty() || process_is_exiting()) return;
    cudaDeviceSynchronize();
    for (const Block& block : blocks) kind == Kind::device ? cudaFree(block.data) : cudaFreeHost(block.data);
  }

  std::list<Block> take_cached() {
    const std::lock_guard lock(mutex);
    statistics.cached_bytes = 0;
    return std::exchange(free_blocks, {});
  }

  // A cached block of the size, or none. Pinned blocks only when the device is done with them.
  std::optional<Block> find(size_t size, bool also_busy) {
    const std::lock_guard lock(mutex);
    for (auto block = free_blocks.begin(); block != free_blocks.end(); ++block) {
      if (block->size != size) continue;
      if (kind == Kind::pinned && !also_busy && !context->all_done(block->events)) continue;
      Block found = std::move(*block);
      free_blocks.erase(block);
      statistics.cached_bytes -= size;
      statistics.in_use_bytes += size;
      ++statistics.reuses;
      return found;
    }
    return std::nullopt;
  }

  bool reserve(size_t size) {
    const std::lock_guard lock(mutex);
    if (statistics.in_use_bytes + statistics.cached_bytes + size > cap_bytes) return false;
    statistics.in_use_bytes += size;
    statistics.peak_bytes =
        std::max(statistics.peak_bytes, statistics.in_use_bytes + statistics.cached_bytes);
    return true;
  }

  void unreserve(size_t size) {
    const std::lock_guard lock(mutex);
    statistics.in_use_bytes -= size;
  }

  tl::unexpected<Error> full(size_t size, const std::string& reason) const {
    const std::lock_guard lock(mutex);
    return fail(ErrorKind::out_of_memory,
                "no memory for a buffer of " + mebibytes(size) + ": " + mebibytes(statistics.in_use_bytes) +
                    " in use, the limit is " + mebibytes(cap_bytes) + reason,
                kind == Kind::device ? "cuda:" + std::to_string(device) + " memory" : "pinned host memory",
                "Close other programs on the GPU, or use fewer cameras, smaller pictures or larger voxels.");
  }

  void give_back(Block block) {
    std::list<Block> blocks;
    const size_t size = block.size;
    blocks.push_back(std::move(block));
    const std::lock_guard lock(mutex);
    statistics.in_use_bytes -= size;
    if (closed) {
      context->post([kind = kind, blocks] {
        if (process_is_exiting()) return;
        cudaDeviceSynchronize();
        for (const Block& b : blocks) kind == Kind::device ? cudaFree(b.data) : cudaFreeHost(b.data);
      });
    } else {
      statistics.cached_bytes += size;
      free_blocks.splice(free_blocks.end(), blocks);
    }
  }
};

MemoryPool::MemoryPool(Context& context, Kind kind, size_t cap_bytes) : state_(std::make_shared<State>()) {
  state_->context = &context;
  state_->kind = kind;
  state_->device = context.device();
  state_->cap_bytes = cap_bytes;
}

MemoryPool::~MemoryPool() {
  trim();
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
}

MemoryPlace MemoryPool::place() const {
  return state_->place();
}

PoolStatistics MemoryPool::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

size_t MemoryPool::cap_bytes() const {
  return state_->cap_bytes;
}

void MemoryPool::trim() {
  const std::list<State::Block> blocks = state_->take_cached();
  if (!blocks.empty()) state_->context->run_always([&] { state_->release(blocks); });
}

void MemoryPool::close() noexcept {
  state_->release(state_->take_cached());
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
}

Result<BufferRef> MemoryPool::take(size_t size_bytes) {
  VANTAGE_TRY(state_->context->status());
  const size_t size = size_class(size_bytes);
  if (fails_now(state_->kind)) return state_->full(size, "; the driver gave no more");
  std::optional<State::Block> block = state_->find(size, false);
  if (!block && !state_->reserve(size)) {
    // At the cap: a busy pinned block is waited for; other sizes' cached blocks make room otherwise.
    if (state_->kind == Kind::pinned) block = state_->find(size, true);
    if (block) {
      for (const EventRef& event : block->events) {
        if (const Status waited = state_->context->wait(event); !waited) {
          state_->give_back(std::move(*block));
          return fail(waited.error());
        }
      }
    } else {
      trim();
      if (!state_->reserve(size)) return state_->full(size, "");
    }
  }
  if (!block) {
    std::byte* data = nullptr;
    const Status allocated = state_->context->run([&]() -> Status {
      cudaError_t code = state_->allocate(size, &data);
      if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        state_->release(state_->take_cached());
        code = state_->allocate(size, &data);
      }
      return state_->context->check(code, "allocate");
    });
    if (!allocated) {
      state_->unreserve(size);
      if (allocated.error().kind != ErrorKind::out_of_memory) return fail(allocated.error());
      return state_->full(size, "; the driver gave no more");
    }
    const std::lock_guard lock(state_->mutex);
    ++state_->statistics.allocations;
    block = State::Block{data, size, {}};
  }
  if (state_->kind == Kind::pinned) block->events.clear();  // all done: the host may write
  auto buffer = std::make_unique<CudaBuffer>(block->data, size, place(), std::move(block->events));
  return BufferRef(buffer.release(),
                   [state = state_, context = state_->context->shared_from_this()](Buffer* given) {
                     const std::unique_ptr<CudaBuffer> owned(static_cast<CudaBuffer*>(given));
                     state->give_back({owned->data(), owned->size_bytes(), owned->all_events()});
                   });
}

}  // namespace vantage::gpu
