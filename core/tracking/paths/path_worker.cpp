#include "core/tracking/paths/path_worker.h"

#include <utility>

namespace vantage {

PathWorker::PathWorker(PathFollower follower, QueuePolicy policy, Sink sink)
    : follower_(std::move(follower)),
      sink_(std::move(sink)),
      queue_(kMaxWaiting, SIZE_MAX, policy),
      thread_([this] { work(); }) {}

PathWorker::~PathWorker() {
  queue_.abort();
  if (thread_.joinable()) thread_.join();
}

Status PathWorker::add(SeenFrame frame) {
  queue_.push(std::move(frame));
  return state();
}

Status PathWorker::finish() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  if (state()) state_ = hand_on(follower_.finish());
  return state_;
}

Result<PathFollower> PathWorker::release() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  VANTAGE_TRY(state());
  return std::move(follower_);
}

void PathWorker::work() {
  while (std::optional<SeenFrame> frame = queue_.pop()) {
    Status done = hand_on(follower_.add(std::move(*frame)));
    if (done) continue;
    const std::lock_guard lock(mutex_);
    state_ = std::move(done);
    queue_.abort();  // no one waits for room any more
    return;
  }
}

Status PathWorker::hand_on(Result<FinalPaths> settled) {
  if (!settled) return fail(settled.error());
  if (std::exchange(end_, settled->end) == settled->end) return {};
  return sink_(std::move(*settled));
}

Status PathWorker::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace vantage
