// The lines that one client of the event stream has still to get.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace vantage::server {

// A line of results.jsonl, without its newline.
struct FrameLine {
  int64_t frame = 0;
  std::string text;
};
using FrameLineRef = std::shared_ptr<const FrameLine>;

struct FeedEvent {
  enum class Kind {
    line,   // `line` is next
    quiet,  // nothing came while it waited
    end,    // nothing will come
  };
  Kind kind = Kind::quiet;
  FrameLineRef line;
  bool dropped = false;                        // lines before this one are lost to this client,
  std::optional<uint64_t> dropped_lines = {};  // and how many; nothing: more than can be told
};

class Feed {
 public:
  virtual ~Feed() = default;
  // Waits for at most `wait`.
  virtual FeedEvent next(std::chrono::milliseconds wait) = 0;
};

}  // namespace vantage::server
