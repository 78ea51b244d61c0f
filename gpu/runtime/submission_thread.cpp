#include "gpu/runtime/submission_thread.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace vantage::gpu {
namespace {

constexpr auto kIdlePeriod = std::chrono::milliseconds(2);

}  // namespace

// Owned by both sides, so that the thread can outlive its SubmissionThread by the end of its last task.
struct SubmissionThread::Shared {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::function<void()>> tasks;
  std::function<void()> start;
  std::function<bool()> idle;
  bool stop = false;

  void loop() {
    start();
    bool pending = false;
    std::unique_lock lock(mutex);
    while (true) {
      const auto ready = [this] { return stop || !tasks.empty(); };
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
  }
  shared->wake.notify_one();
}

void SubmissionThread::run(const std::function<void()>& task) {
  if (is_current()) {
    task();
    return;
  }
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  post([&] {
    task();
    // Notified under the lock: `finished` lives on the waiter's stack.
    const std::lock_guard lock(mutex);
    done = true;
    finished.notify_one();
  });
  std::unique_lock lock(mutex);
  finished.wait(lock, [&] { return done; });
}

}  // namespace vantage::gpu
