// Times of host functions.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace vantage::bench {

// Median time of a call in microseconds; calls for about `seconds`, at least five times after one to warm up.
template <typename F>
double host_time_us(const F& call, double seconds = 0.15) {
  using Clock = std::chrono::steady_clock;
  call();
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 5 || Clock::now() - begin < std::chrono::duration<double>(seconds)) {
    const auto start = Clock::now();
    call();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace vantage::bench
