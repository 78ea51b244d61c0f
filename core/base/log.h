// The program's log. Every line passes through redact_credentials(), so that passwords in stream addresses
// never reach a file, the log dock or a terminal.
#pragma once

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

}  // namespace vantage
