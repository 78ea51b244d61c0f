// Times of host functions.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace vantage::bench {

struct HostTime {
  double median_us = 0, min_us = 0;
};

// How long is measured: for so many seconds a call, but for so many rounds at least.
struct Effort {
  double seconds = 0.15;
  size_t rounds = 5;
};

// Times of calls that take turns, so that what else the machine does meets all of them alike. One round more,
// the first, warms up.
inline std::vector<HostTime> times_in_turn(const std::vector<std::function<void()>>& calls,
                                           const Effort& effort = {}) {
  using Clock = std::chrono::steady_clock;
  for (const auto& call : calls) call();
  const std::chrono::duration<double> limit(effort.seconds * static_cast<double>(calls.size()));
  std::vector<std::vector<double>> times(calls.size());
  const auto begin = Clock::now();
  while (times.front().size() < effort.rounds || Clock::now() - begin < limit)
    for (size_t i = 0; i < calls.size(); ++i) {
      const auto start = Clock::now();
      calls[i]();
      times[i].push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
  std::vector<HostTime> result;
  for (std::vector<double>& of_call : times) {
    std::sort(of_call.begin(), of_call.end());
    result.push_back({of_call[of_call.size() / 2], of_call.front()});
  }
  return result;
}

}  // namespace vantage::bench
