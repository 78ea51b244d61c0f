#include "core/base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <mutex>

namespace vantage {
namespace {

std::mutex listener_mutex;
std::function<void(LogLevel, const std::string&)> log_listener;

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made =
        std::make_shared<spdlog::logger>("vantage", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%^%l%$: %v");
    return made;
  }();
  return *instance;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

}  // namespace

RecentLines& recent_log_lines() {
  static RecentLines lines;
  return lines;
}

void log(LogLevel level, std::string_view text) {
  const std::string line = redact_credentials(text);
  logger().log(to_spdlog(level), "{}", line);
  const std::lock_guard lock(listener_mutex);
  recent_log_lines().add(line);
  if (log_listener) log_listener(level, line);
}

void set_log_level(LogLevel level) {
  logger().set_level(to_spdlog(level));
}

void set_log_listener(std::function<void(LogLevel, const std::string&)> listener) {
  const std::lock_guard lock(listener_mutex);
  log_listener = std::move(listener);
}

}  // namespace vantage
