// The last lines of a run, for all clients together: each has its position among them, so a client costs no
// memory, and one that is too slow for them loses the oldest. Bounded by count and by bytes; adding never
// waits for anybody.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include "app/server/feed.h"
#include "core/results/frame_lines.h"

namespace vantage::server {

class KeptLines : public std::enable_shared_from_this<KeptLines> {
 public:
  KeptLines(size_t max_lines, size_t max_bytes) : max_lines_(max_lines), max_bytes_(max_bytes) {}

  void add(FrameLine line);  // frames ascend
  // No more will come: feeds end behind the last line.
  void close();

  FrameLineRef newest() const;             // null: none yet
  FrameLineRef find(int64_t frame) const;  // null: not among them
  int64_t added() const;                   // since the start

  // The kept lines of frames `from` to `to`, that one excluded, as FrameLines::range().
  FrameLines::Range range(int64_t from, int64_t to, int64_t max_lines, size_t max_bytes) const;
  // False where a line behind `after` is lost.
  bool reach_back_to(int64_t after) const;
  // Lines from the one behind `after` on; nothing: from the newest. Where they do not reach back so far, the
  // first event tells of lines that are dropped.
  std::unique_ptr<Feed> feed(std::optional<int64_t> after) const;

 private:
  class KeptFeed;
  std::deque<FrameLineRef>::const_iterator from(int64_t frame) const;
  bool holds_all_behind(int64_t frame) const;

  const size_t max_lines_, max_bytes_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<FrameLineRef> lines_;
  size_t bytes_ = 0;
  uint64_t first_ = 0;  // the place of lines_.front() among all that were added
  bool closed_ = false;
};

}  // namespace vantage::server
