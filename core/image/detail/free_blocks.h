// Blocks of memory that came back to a pool, by size, last in first out: those at the other end have been
// unused longest. Does not own them; bookkeeping on the times that it is given.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace vantage {

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
