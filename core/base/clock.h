// The time of day, which cameras and recordings share.
#pragma once

#include <fmt/core.h>
#include <chrono>
#include <cstdint>
#include <string>

namespace vantage {

// Nanoseconds since 1970, UTC.
inline int64_t utc_now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// "2026-11-22": the day of that instant, seconds since 1970.
inline std::string utc_date(double utc_s) {
  const std::chrono::sys_days days = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_seconds(std::chrono::seconds(static_cast<int64_t>(utc_s))));
  const std::chrono::year_month_day date(days);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// "2026-11-22T09:30:05Z"
inline std::string utc_time(double utc_s) {
  const auto of_day_s = static_cast<int>(static_cast<int64_t>(utc_s) % 86'400);
  return utc_date(utc_s) +
         fmt::format("T{:02}:{:02}:{:02}Z", of_day_s / 3600, of_day_s / 60 % 60, of_day_s % 60);
}

// A camera's frames a second, where its setting, its file or nothing tells them.

// Assumed where no rate is stated: that of image sequences in FFmpeg.
inline constexpr double kUnknownFrameRate = 25;

// `own`: the project's for this camera; `stated`: the file's, or another camera's. 0 or less: not known.
inline double effective_frame_rate(double own, double stated, double otherwise = kUnknownFrameRate) {
  if (own > 0) return own;
  return stated > 0 ? stated : otherwise;
}

}  // namespace vantage
