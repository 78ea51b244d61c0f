#include "core/live/code_latency.h"

#include <cmath>
#include <ctime>

#include "core/image/time_code.h"

namespace vantage {
namespace {

constexpr int64_t kSlack_ms = 1000;  // how far ahead of ours a right clock may be

int64_t ms_of_local_day(int64_t utc_ns) {
  const auto seconds = static_cast<std::time_t>(utc_ns / 1'000'000'000);
  std::tm local{};
  localtime_r(&seconds, &local);
  return ((local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec) * int64_t{1000} +
         utc_ns / 1'000'000 % 1000;
}

}  // namespace

CodeLatency::CodeLatency(double zero_utc_s) : zero_utc_ms_(std::llround(zero_utc_s * 1000)) {}

// Midnight may lie between.
double CodeLatency::day_latency_ms(int64_t code_ms, int64_t now_utc_ns) const {
  const int64_t passed = (ms_of_local_day(now_utc_ns) - code_ms + kDay_ms + kSlack_ms) % kDay_ms - kSlack_ms;
  return static_cast<double>(passed);
}

std::optional<double> CodeLatency::add(int64_t code_ms, int64_t capture_ns, int64_t now_utc_ns) {
  double latency_ms = 0;
  if (zero_utc_ms_ == 0) {
    latency_ms = day_latency_ms(code_ms, now_utc_ns);
  } else {
    const int64_t ahead = code_ms - capture_ns / 1'000'000;
    if (last_ms_ && std::llabs(ahead - *last_ms_) > kLeap_ms)
      leaps_ms_ += std::llround(static_cast<double>(*last_ms_ - ahead) / kGrain_ms) * kGrain_ms;
    last_ms_ = ahead;
    latency_ms = static_cast<double>(now_utc_ns / 1'000'000 - zero_utc_ms_ - code_ms - leaps_ms_);
  }
  if (latency_ms < -kSlack_ms || latency_ms > kMost_ms) return std::nullopt;
  return latency_ms;
}

}  // namespace vantage
