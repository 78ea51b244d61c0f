// The time of day, which cameras and recordings share.
#pragma once

#include <chrono>
#include <cstdint>

namespace vantage {

// Nanoseconds since 1970, UTC.
inline int64_t utc_now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace vantage
