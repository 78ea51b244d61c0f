// Blocks of memory that came back to a pool, by size, last in first out: those at the other end have been
// unused longest. Does not own them; bookkeeping on the times that it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace vantage {

class FreeBlocks {
 public:
  // Blocks that nobody has needed for so long go back to the system, so that a burst does not hold memory for
  // days.
  static constexpr int64_t kIdle_ns = 5'000'000'000;

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
  // Those that have been unused for kIdle_ns, looked for every quarter of it; they are no longer in here.
  std::vector<std::byte*> take_idle(int64_t now_ns) {
    std::vector<std::byte*> idle;
    if (now_ns < next_look_ns_) return idle;
    next_look_ns_ = now_ns + kIdle_ns / 4;
    for (auto& [size, blocks] : blocks_)
      for (; !blocks.empty() && now_ns - blocks.front().since_ns > kIdle_ns; blocks.pop_front()) {
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
