#include "core/live/detail/pace.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <string>

#include "core/image/time_code.h"

namespace vantage {
namespace {

constexpr int64_t kSlack_ms = 1000;  // tolerance for a correct clock ahead of ours

int64_t ms_of_local_day(int64_t utc_ns) {
  const auto seconds = static_cast<std::time_t>(utc_ns / 1'000'000'000);
  std::tm local{};
  localtime_r(&seconds, &local);
  return ((local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec) * int64_t{1000} +
         utc_ns / 1'000'000 % 1000;
}

}  // namespace

ProcessorLoad::Times ProcessorLoad::times() {
  Times times;
  timespec own{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  times.own_s = static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9;
  std::ifstream file("/proc/stat");  // "cpu user nice system idle iowait irq softirq steal …"
  std::string name;
  file >> name;
  double ticks = 0;
  for (int field = 0; field < 8 && file >> ticks; ++field) {
    times.all += ticks;
    if (field != 3 && field != 4) times.busy += ticks;
  }
  return times;
}

void ProcessorLoad::sample(int64_t now_ns) {
  const bool first = begin_ns_ < 0;
  if (!first && now_ns - begin_ns_ < kSpan_ns) return;
  const Times now = times();
  if (!first) {
    cpu_set_t allowed;
    const int processors = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    const double span_s = static_cast<double>(now_ns - begin_ns_) * 1e-9;
    const double all = now.all > begin_.all ? (now.busy - begin_.busy) / (now.all - begin_.all) : 0;
    share_ = std::clamp(std::max(all, (now.own_s - begin_.own_s) / (span_s * processors)), 0.0, 1.0);
  }
  begin_ns_ = now_ns, begin_ = now;
}

CodeLatency::CodeLatency(double zero_utc_s) : zero_utc_ms_(std::llround(zero_utc_s * 1000)) {}

void CodeLatency::find_length(int64_t code_ms, int64_t capture_ns) {
  const int64_t ahead = code_ms - capture_ns / 1'000'000;
  const int64_t back = last_ms_.value_or(ahead) - ahead;
  last_ms_ = ahead;
  if (back < kLeap_ms || length_ms_ > 0) return;
  length_ms_ = std::llround(static_cast<double>(back) / kGrain_ms) * kGrain_ms;
  found_length_ = true;
}

std::optional<double> CodeLatency::add(int64_t code_ms, int64_t capture_ns, int64_t now_utc_ns) {
  int64_t passed = ms_of_local_day(now_utc_ns) - code_ms + kDay_ms, round = kDay_ms;
  if (zero_utc_ms_ > 0) {
    find_length(code_ms, capture_ns);
    passed = now_utc_ns / 1'000'000 - zero_utc_ms_ - code_ms;
    round = length_ms_;
  }
  if (round > 0) passed = (passed + kSlack_ms) % round - kSlack_ms;
  if (passed < -kSlack_ms || passed > kMax_ms) return std::nullopt;
  return static_cast<double>(passed);
}

}  // namespace vantage
