// A feed as server-sent events (WHATWG HTML, 9.2): "frame" with its number as the ID, "dropped", "end", and
// comments while nothing happens.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/server/feed.h"

namespace vantage::server {

class EventStream {
 public:
  explicit EventStream(std::unique_ptr<Feed> feed) : feed_(std::move(feed)) {}
  // The next text to send, after waiting for it; empty behind the event "end".
  std::optional<std::string> next();

 private:
  enum class State { begin, lines, over };
  const std::unique_ptr<Feed> feed_;
  State state_ = State::begin;
};

}  // namespace vantage::server
