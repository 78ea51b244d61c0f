// Lines that one client of the event stream has not received yet.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

#include "core/results/frame_lines.h"

namespace vantage::server {

// A line of results.jsonl, without its newline.
struct FrameLine {
  int64_t frame = 0;
  std::string text;
};
using FrameLineRef = std::shared_ptr<const FrameLine>;

struct FeedEvent {
  enum class Kind {
    line,   // `line` is the next one
    quiet,  // nothing arrived during the wait
    end,    // no more will come
  };
  Kind kind = Kind::quiet;
  FrameLineRef line;
  bool dropped = false;                        // lines before this one are lost to this client,
  std::optional<uint64_t> dropped_lines = {};  // their number; nothing: unknown
};

class Feed {
 public:
  virtual ~Feed() = default;
  // Waits up to `wait`.
  virtual FeedEvent next(std::chrono::milliseconds wait) = 0;
};

// A feed as server-sent events (WHATWG HTML, 9.2): "frame" with its number as the ID, "dropped", "end", and
// comments while nothing happens.

class EventStream {
 public:
  explicit EventStream(std::unique_ptr<Feed> feed) : feed_(std::move(feed)) {}
  // Waits for the next text to send; nothing after the event "end".
  std::optional<std::string> next();

 private:
  enum class State { begin, lines, over };
  const std::unique_ptr<Feed> feed_;
  State state_ = State::begin;
};

// The last lines of a run, shared by all clients: each line has a position, so a client costs no memory, and
// one that is too slow misses the oldest. Bounded by number and bytes; adding never blocks.

class KeptLines : public std::enable_shared_from_this<KeptLines> {
 public:
  KeptLines(size_t max_lines, size_t max_bytes) : max_lines_(max_lines), max_bytes_(max_bytes) {}

  void add(FrameLine line);  // frames ascend
  // No more will come: feeds end after the last line.
  void close();

  FrameLineRef newest() const;             // null: none yet
  FrameLineRef find(int64_t frame) const;  // null: not among them
  int64_t added() const;                   // since the start

  // The kept lines of frames `from` to `to` (excluded), as FrameLines::range().
  FrameLines::Range range(int64_t from, int64_t to, int64_t max_lines, size_t max_bytes) const;
  // False if a line after `after` is lost.
  bool reach_back_to(int64_t after) const;
  // Lines after `after`; nothing: from the newest. If they do not reach back so far, the first event reports
  // dropped lines.
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
  uint64_t first_ = 0;  // position of lines_.front() among all added lines
  bool closed_ = false;
};

// Lines of a results file as a client's feed, and a feed that continues with a run's lines in memory. Both
// deliver everything in the file, however slow the client.

// Ends after the last existing line, or at once when `closed` is set.
class FileFeed final : public Feed {
 public:
  FileFeed(std::shared_ptr<const FrameLines> file, std::shared_ptr<const std::atomic<bool>> closed,
           std::optional<int64_t> after);
  FeedEvent next(std::chrono::milliseconds wait) override;

 private:
  bool read_block();

  const std::shared_ptr<const FrameLines> file_;
  const std::shared_ptr<const std::atomic<bool>> closed_;
  int64_t from_;  // the first frame not read yet
  std::istringstream block_;
};

// Lines from the file until the kept ones reach back to the client, then these. Lines missing between both
// are reported as dropped.
class ResumedFeed final : public Feed {
 public:
  // `after`: the client's last frame.
  ResumedFeed(FileFeed file, std::shared_ptr<const KeptLines> lines, int64_t after);
  FeedEvent next(std::chrono::milliseconds wait) override;

 private:
  FileFeed file_;
  const std::shared_ptr<const KeptLines> lines_;
  int64_t after_;
  std::unique_ptr<Feed> kept_;  // null: the file is still being read
};

}  // namespace vantage::server
