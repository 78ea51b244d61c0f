// The program's log. Every line passes through redact_credentials(), so that passwords in stream addresses
// never reach a file, the log dock or a terminal.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/address_credentials.h"

namespace vantage {

enum class LogLevel { debug, info, warning, error };

void log(LogLevel level, std::string_view text);
inline void log_info(std::string_view text) {
  log(LogLevel::info, text);
}
inline void log_warning(std::string_view text) {
  log(LogLevel::warning, text);
}
inline void log_error(std::string_view text) {
  log(LogLevel::error, text);
}

void set_log_level(LogLevel level);

// Lines also go to `listener` (the log dock), on the thread that logs. An empty function removes it.
void set_log_listener(std::function<void(LogLevel, const std::string&)> listener);

// The last lines of the log in memory that a signal handler can read: fixed, and never freed.

class RecentLines {
 public:
  static constexpr size_t kLines = 40, kLength = 400;  // the rest of a longer line is cut

  // One caller at a time.
  void add(std::string_view line) {
    const size_t number = count_.load(std::memory_order_relaxed);
    auto& slot = lines_[number % kLines];
    const size_t length = line.size() < kLength - 1 ? line.size() : kLength - 1;
    std::memcpy(slot.data(), line.data(), length);
    slot[length] = '\0';
    count_.store(number + 1, std::memory_order_release);
  }

  // Starts with the oldest; a line that is being written meanwhile may be mixed.
  template <typename F>
  void for_each(F each) const {
    const size_t end = count_.load(std::memory_order_acquire);
    for (size_t i = end > kLines ? end - kLines : 0; i < end; ++i) each(lines_[i % kLines].data());
  }

 private:
  std::array<std::array<char, kLength>, kLines> lines_ = {};
  std::atomic<size_t> count_ = 0;
};

// The program's.
RecentLines& recent_log_lines();

}  // namespace vantage
