// Device memory and pinned host memory for reuse, with a cap.
//
// Reuse is stream-ordered: a buffer's ready event and last-use events go with its block into the free list,
// and the work that writes the block next makes its stream wait for them (Work::writes()). No one waits on
// the host for device memory. Pinned memory is written by the host, so take() hands out a pinned block only
// when its events are done; at the cap it waits for the block that was given back first.
#pragma once

#include <memory>
#include <vector>

#include "core/image/buffer.h"
#include "gpu/runtime/event.h"

namespace vantage::gpu {

// A block of device or pinned memory together with the events that order work on it. Any thread.
class CudaBuffer final : public Buffer {
 public:
  CudaBuffer(std::byte* data, size_t size_bytes, MemoryPlace place, std::vector<EventRef> before);

  EventRef ready() const;                    // null: nothing has been written yet
  std::vector<EventRef> all_events() const;  // ready, last uses, and those of the block's earlier life
  void set_ready(const EventRef& event);     // by a writer that is ordered behind all_events()
  void add_use(const EventRef& event);       // by a reader

 private:
  mutable std::mutex mutex_;
  EventRef ready_;
  std::vector<EventRef> uses_;  // at most one a stream: later events of a stream imply the earlier ones
};

// Null when the buffer is ordinary host memory.
CudaBuffer* as_cuda(const BufferRef& buffer);

class MemoryPool final : public BufferPool {
 public:
  enum class Kind { device, pinned };
  MemoryPool(Context& context, Kind kind, size_t cap_bytes);
  ~MemoryPool() override;

  // Called from any thread. ErrorKind::out_of_memory names what was asked, what is in use and the cap.
  Result<BufferRef> take(size_t size_bytes) override;
  MemoryPlace place() const override;
  PoolStatistics statistics() const;
  size_t cap_bytes() const;
  // Gives cached blocks back to the driver.
  void trim();

 private:
  friend class Context;
  struct State;
  // Frees what is cached; blocks given back later are freed at once. On the submission thread.
  void close() noexcept;
  std::shared_ptr<State> state_;
};

}  // namespace vantage::gpu
