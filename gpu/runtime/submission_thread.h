// The one thread of a device on which its kernels, copies, event records and graph launches are enqueued. It
// and those who wait for it look for what they wait for some 50 us before they sleep: handing over then takes
// 1 us instead of 9 (H200's host).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace vantage::gpu {

class SubmissionThread {
 public:
  // `start` runs first on the thread. `idle` runs between tasks and, while it returns true, every few
  // milliseconds with nothing to do: it asks for more calls as long as it has something pending.
  SubmissionThread(std::function<void()> start, std::function<bool()> idle);
  // Runs what was posted, then ends. May happen on the thread itself (the last owner let go in a task).
  ~SubmissionThread();
  SubmissionThread(const SubmissionThread&) = delete;
  SubmissionThread& operator=(const SubmissionThread&) = delete;

  bool is_current() const { return std::this_thread::get_id() == id_; }
  void post(std::function<void()> task);
  // Runs the task and waits for it; at once when called on the thread itself. The task must not throw.
  void run(const std::function<void()>& task);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  std::thread thread_;
  std::thread::id id_;
};

}  // namespace vantage::gpu
