// Memory that pictures and images live in: counted, pooled, on the host or on a device.
//
// A Buffer is taken from a BufferPool and goes back to it when its last owner lets go. Reuse is
// stream-ordered: a device buffer carries a ready event (its content is valid for other streams after it) and
// last-use events (recorded by each reader), and the pool hands it out again only to work ordered after them.
// How that is done is gpu/runtime's business; core sees only where the memory is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
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

// Blocks of memory that came back to a pool, by size, last in first out: those at the other end have been
// unused longest. Does not own them; bookkeeping on the times that it is given.

class FreeBlocks {
 public:
  // Blocks that no one has needed for so long go back to the system, so that a burst does not hold memory for
  // days; fewer bytes than that are not worth it.
  static constexpr int64_t kIdle_ns = 60'000'000'000;
  static constexpr size_t kWorth_bytes = size_t{3} << 20;

  void put(std::byte* block, size_t size, int64_t now_ns) {
    blocks_[size].push_back({block, now_ns});
    bytes_ += size;
  }
  // Null: there is none of that size.
  std::byte* take(size_t size) {
    const auto found = blocks_.find(size);
    if (found == blocks_.end() || found->second.empty()) return nullptr;
    std::byte* block = found->second.back().data;
    found->second.pop_back();
    bytes_ -= size;
    return block;
  }
  // The blocks that have been unused for kIdle_ns, if they are worth it; they are no longer in here.
  std::vector<std::byte*> take_idle(int64_t now_ns) {
    std::vector<std::byte*> idle;
    if (now_ns < next_look_ns_) return idle;
    next_look_ns_ = now_ns + kIdle_ns / 30;
    const auto unused = [&](const Block& block) { return now_ns - block.since_ns > kIdle_ns; };
    size_t unused_bytes = 0;
    for (const auto& [size, blocks] : blocks_)
      unused_bytes += size * static_cast<size_t>(std::count_if(blocks.begin(), blocks.end(), unused));
    if (unused_bytes < kWorth_bytes) return idle;
    for (auto& [size, blocks] : blocks_)
      for (; !blocks.empty() && unused(blocks.front()); blocks.pop_front()) {
        idle.push_back(blocks.front().data);
        bytes_ -= size;
      }
    return idle;
  }
  std::vector<std::byte*> take_all() {
    std::vector<std::byte*> all;
    for (auto& [size, blocks] : blocks_)
      for (const Block& block : blocks) all.push_back(block.data);
    blocks_.clear();
    bytes_ = 0;
    return all;
  }
  size_t bytes() const { return bytes_; }

 private:
  struct Block {
    std::byte* data = nullptr;
    int64_t since_ns = 0;
  };
  std::map<size_t, std::deque<Block>> blocks_;  // the longest unused first
  size_t bytes_ = 0;
  int64_t next_look_ns_ = 0;
};

}  // namespace vantage
