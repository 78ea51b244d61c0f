#include "gpu/runtime/submission_thread.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace vantage::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kIdlePeriod = std::chrono::milliseconds(2);
// Sleeping and waking takes some 10 us a thread, most tasks take less: so both sides poll for this long
// before they sleep.
constexpr auto kLooking = std::chrono::microseconds(50);

// Leaves the core to its other thread for a short time.
void breathe() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Polls `there`; true if it became true in time.
template <typename F>
bool look_for(const F& there) {
  const Clock::time_point until = Clock::now() + kLooking;
  do {
    for (int i = 0; i < 32; ++i) {
      if (there()) return true;
      breathe();
    }
  } while (Clock::now() < until);
  return false;
}

// Owned by the waiter and the task: either may end first.
struct Finished {
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<bool> done = false;
};

}  // namespace

// Owned by both sides, so that the thread can outlive its SubmissionThread by the end of its last task.
struct SubmissionThread::Shared {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::function<void()>> tasks;
  std::atomic<bool> called = false;  // there are tasks, or the end
  std::function<void()> start;
  std::function<bool()> idle;
  bool stop = false;

  void loop() {
    start();
    bool pending = false;
    std::unique_lock lock(mutex);
    while (true) {
      const auto ready = [this] { return stop || !tasks.empty(); };
      if (!ready()) {
        called = false;
        lock.unlock();
        look_for([this] { return called.load(std::memory_order_acquire); });
        lock.lock();
      }
      if (pending) {
        wake.wait_for(lock, kIdlePeriod, ready);
      } else {
        wake.wait(lock, ready);
      }
      std::function<void()> task;
      if (!tasks.empty()) {
        task = std::move(tasks.front());
        tasks.pop_front();
      } else if (stop) {
        return;
      }
      lock.unlock();
      if (task) task();
      task = nullptr;  // what the task owned may end here, and with it the owner of this thread
      lock.lock();
      if (stop) continue;
      lock.unlock();
      pending = idle();
      lock.lock();
    }
  }
};

SubmissionThread::SubmissionThread(std::function<void()> start, std::function<bool()> idle)
    : shared_(std::make_shared<Shared>()) {
  shared_->start = std::move(start);
  shared_->idle = std::move(idle);
  thread_ = std::thread([shared = shared_] { shared->loop(); });
  id_ = thread_.get_id();
}

SubmissionThread::~SubmissionThread() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stop = true;
    shared_->called = true;
  }
  shared_->wake.notify_one();
  if (is_current()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void SubmissionThread::post(std::function<void()> task) {
  const std::shared_ptr<Shared> shared = shared_;  // the task may end this object before we are through
  {
    const std::lock_guard lock(shared->mutex);
    shared->tasks.push_back(std::move(task));
    shared->called = true;
  }
  shared->wake.notify_one();
}

void SubmissionThread::run(const std::function<void()>& task) {
  if (is_current()) {
    task();
    return;
  }
  const auto finished = std::make_shared<Finished>();
  post([&task, finished] {
    task();
    const std::lock_guard lock(finished->mutex);
    finished->done = true;
    finished->wake.notify_one();
  });
  const auto is_done = [&] { return finished->done.load(std::memory_order_acquire); };
  if (look_for(is_done)) return;
  std::unique_lock lock(finished->mutex);
  finished->wake.wait(lock, is_done);
}

}  // namespace vantage::gpu
