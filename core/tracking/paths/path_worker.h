// A PathFollower on a thread of its own: who hands frames over never waits for paths to be found.
//
// Frames wait in a queue of kMaxWaiting. `block` (recorded input): who hands over waits while it is full.
// `drop_oldest` (live input): the oldest frame that waits is left out, as a frame without people, and
// counted; so neither memory nor delay grows where paths cannot keep up.
#pragma once

#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/threads.h"
#include "core/tracking/paths/path_follower.h"

namespace vantage {

// Between a worker's thread and who asks now and then what is new.
class FinalizedQueue {
 public:
  void put(FinalPaths settled) {
    const std::lock_guard lock(mutex_);
    settled_.push_back(std::move(settled));
  }
  std::vector<FinalPaths> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(settled_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<FinalPaths> settled_;  // guarded by mutex_
};

// Paths that another owner continues, in the middle of a window.
struct RunningPaths {
  PathFollower follower;
  int64_t next_frame = 0;              // the follower has the frames before it
  std::vector<PersonPath> known = {};  // by ID: what it has already made final of the frames that are wanted
};

class PathWorker {
 public:
  static constexpr size_t kMaxWaiting = 1000;
  // Takes what is new, on the worker's thread; called only where something is. An error ends the work.
  using Sink = std::function<Status(FinalPaths)>;

  PathWorker(PathFollower follower, QueuePolicy policy, Sink sink);
  ~PathWorker();  // what was not begun is left
  PathWorker(const PathWorker&) = delete;
  PathWorker& operator=(const PathWorker&) = delete;

  // Errors: what ended the work.
  Status add(SeenFrame frame);
  // Settles everything and waits for it; nothing is added after it.
  Status finish();
  // After finish() without an error: goes on where it ended.
  PathFollower take_follower() { return std::move(follower_); }
  // In place of finish(): the frames that wait are added, and nothing else becomes final, so that anyone who
  // takes the follower finds the paths that this would have found. Errors: what ended the work.
  Result<PathFollower> release();
  int64_t left_out() const { return static_cast<int64_t>(queue_.dropped()); }

 private:
  void work();
  Status hand_on(Result<FinalPaths> settled);
  Status state() const;

  PathFollower follower_;
  const Sink sink_;
  BoundedQueue<SeenFrame> queue_;
  mutable std::mutex mutex_;
  Status state_;        // guarded by mutex_
  int64_t end_ = 0;     // of what the sink was told; the worker's own
  std::thread thread_;  // the last: it uses the others
};

}  // namespace vantage
