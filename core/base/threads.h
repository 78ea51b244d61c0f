// A request to stop that long work polls. Copies share one flag.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/result.h"

namespace vantage {

class StopSource {
 public:
  void request_stop() { flag_->store(true, std::memory_order_relaxed); }
  bool stop_requested() const { return flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

// For what belongs to one thread: assert(check.here()) stops a debug build where another one calls it.

class ThreadCheck {
 public:
  bool here() const { return std::this_thread::get_id() == thread_; }

 private:
  std::thread::id thread_ = std::this_thread::get_id();  // the one that made it
};

// A value that may still be on its way from a device. get() waits for it once, on whichever thread asks
// first, and gives the same answer ever after. Copies share the value. get() may be called from several
// threads.

template <typename T>
class Deferred {
 public:
  Deferred() : Deferred(T{}) {}
  Deferred(T value) : future_(ready(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  explicit Deferred(std::function<Result<T>()> wait)
      : future_(std::async(std::launch::deferred, std::move(wait)).share()) {}

  const Result<T>& get() const { return future_.get(); }

 private:
  static std::shared_future<Result<T>> ready(T value) {
    std::promise<Result<T>> promise;
    promise.set_value(std::move(value));
    return promise.get_future().share();
  }
  std::shared_future<Result<T>> future_;
};

// A queue between two threads, bounded by count and by bytes, that names its policy: `block` makes the
// producer wait (recorded input), `drop_oldest` discards the oldest entry and counts it (live input).

enum class QueuePolicy { block, drop_oldest };

template <typename T>
class BoundedQueue {
 public:
  BoundedQueue(size_t max_count, size_t max_bytes, QueuePolicy policy)
      : max_count_(max_count), max_bytes_(max_bytes), policy_(policy) {}

  // False when the queue was closed; the value is then dropped. One entry is always admitted, however large.
  bool push(T value, size_t bytes = 0) {
    std::unique_lock lock(mutex_);
    const auto full = [&] {
      return !entries_.empty() && (entries_.size() >= max_count_ || bytes_ + bytes > max_bytes_);
    };
    if (policy_ == QueuePolicy::block) {
      not_full_.wait(lock, [&] { return closed_ || !full(); });
    } else {
      while (full()) {
        bytes_ -= entries_.front().second;
        entries_.pop_front();
        ++dropped_;
      }
    }
    if (closed_) return false;
    bytes_ += bytes;
    entries_.emplace_back(std::move(value), bytes);
    not_empty_.notify_one();
    return true;
  }

  // Waits for an entry. Empty when the queue is closed and drained.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return closed_ || !entries_.empty(); });
    return take(lock);
  }
  // Likewise, and empty when none came in that time; *timed_out tells which.
  template <typename Duration>
  std::optional<T> pop_within(Duration longest, bool* timed_out) {
    std::unique_lock lock(mutex_);
    *timed_out = !not_empty_.wait_for(lock, longest, [&] { return closed_ || !entries_.empty(); });
    return take(lock);
  }
  // No more entries will come: consumers drain what is there. Idempotent.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
    not_full_.notify_all();
  }

  // Closes and discards what is there.
  void abort() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    entries_.clear();
    bytes_ = 0;
    not_empty_.notify_all();
    not_full_.notify_all();
  }

  uint64_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  std::optional<T> take(std::unique_lock<std::mutex>&) {
    if (entries_.empty()) return std::nullopt;
    std::pair<T, size_t> entry = std::move(entries_.front());
    entries_.pop_front();
    bytes_ -= entry.second;
    not_full_.notify_one();
    return std::move(entry.first);
  }

  mutable std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  std::deque<std::pair<T, size_t>> entries_;
  size_t bytes_ = 0;
  const size_t max_count_, max_bytes_;
  const QueuePolicy policy_;
  uint64_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace vantage
