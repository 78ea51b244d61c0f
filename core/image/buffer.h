// Memory that pictures and images live in: counted, pooled, on the host or on a device.
//
// A Buffer is taken from a BufferPool and goes back to it when its last owner lets go. Reuse is
// stream-ordered: a device buffer carries a ready event (its content is valid for other streams after it) and
// last-use events (recorded by each reader), and the pool hands it out again only to work ordered after them.
// How that is done is gpu/runtime's business; core sees only where the memory is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/result.h"

namespace vantage {

enum class MemoryKind : uint8_t { host, device };

struct MemoryPlace {
  MemoryKind kind = MemoryKind::host;
  int device = -1;  // CUDA device ordinal of device memory, -1 on the host
  bool operator==(const MemoryPlace&) const = default;
};

class Buffer {
 public:
  virtual ~Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }  // a device address when place().kind is device
  size_t size_bytes() const { return size_bytes_; }
  MemoryPlace place() const { return place_; }

 protected:
  Buffer(std::byte* data, size_t size_bytes, MemoryPlace place)
      : data_(data), size_bytes_(size_bytes), place_(place) {}

 private:
  std::byte* data_;
  size_t size_bytes_;
  MemoryPlace place_;
};

using BufferRef = std::shared_ptr<Buffer>;

class BufferPool {
 public:
  virtual ~BufferPool() = default;
  // At least size_bytes, aligned to 256 bytes; the content is undefined. ErrorKind::out_of_memory names the
  // size and the limit.
  virtual Result<BufferRef> take(size_t size_bytes) = 0;
  virtual MemoryPlace place() const = 0;
};

struct PoolStatistics {
  size_t in_use_bytes = 0;
  size_t cached_bytes = 0;   // free, kept for reuse
  size_t peak_bytes = 0;     // largest in use + cached so far
  uint64_t allocations = 0;  // requests that had to ask the system
  uint64_t reuses = 0;
};

// Host memory. Free blocks are kept by size class (powers of two and the halves between) up to
// cache_limit_bytes.
class HostPool final : public BufferPool {
 public:
  explicit HostPool(size_t cache_limit_bytes = size_t{1} << 30);
  ~HostPool() override;
  Result<BufferRef> take(size_t size_bytes) override;
  MemoryPlace place() const override { return {}; }
  PoolStatistics statistics() const;

  // The process-wide pool.
  static HostPool& shared();

 private:
  struct State;
  std::shared_ptr<State> state_;  // outlives the pool while buffers are out
};

}  // namespace vantage
