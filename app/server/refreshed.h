// A value for many who ask: made again for the first who asks once it is older than it may be.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace vantage::server {

template <typename T>
class Refreshed {
 public:
  Refreshed(std::chrono::milliseconds max_age, std::function<T()> make)
      : max_age_(max_age), make_(std::move(make)) {}

  // Called from any thread; who asks meanwhile waits for it.
  T get() const {
    const std::lock_guard lock(mutex_);
    if (!value_ || Clock::now() - made_ > max_age_) {
      value_ = make_();
      made_ = Clock::now();
    }
    return *value_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::chrono::milliseconds max_age_;
  const std::function<T()> make_;
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
  mutable Clock::time_point made_;
};

}  // namespace vantage::server
