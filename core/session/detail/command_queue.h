// Commands from a front end's threads to the session's, in order; of seeks only the newest. A command also
// interrupts work of the session according to its urgency.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/threads.h"
#include "core/session/commands.h"

namespace vantage {

// The kinds of work of a session.
enum class Work : uint8_t { refining, playing, analysing, showing };

class CommandQueue {
 public:
  void post(SessionCommand command) {
    const std::lock_guard lock(mutex_);
    const Urgency urgency = urgency_of(command);
    if (urgency == Urgency::seek)
      std::erase_if(commands_, [](const SessionCommand& c) { return urgency_of(c) == Urgency::seek; });
    if (current_ && interrupts(urgency, work_)) current_->request_stop();
    commands_.push_back(std::move(command));
    posted_.notify_one();
  }

  // Drops the waiting commands and posts this one.
  void post_last(SessionCommand command) {
    {
      const std::lock_guard lock(mutex_);
      commands_.clear();
    }
    post(std::move(command));
  }

  std::optional<SessionCommand> take() {
    const std::lock_guard lock(mutex_);
    return pop();
  }
  // True if one is waiting before the time has passed; it is left for take().
  bool wait_for_one(std::chrono::nanoseconds time) {
    std::unique_lock lock(mutex_);
    return posted_.wait_for(lock, time, [this] { return !commands_.empty(); });
  }
  // The next command, if it does not interrupt this work.
  std::optional<SessionCommand> take_beside(Work work) {
    const std::lock_guard lock(mutex_);
    if (commands_.empty() || interrupts(urgency_of(commands_.front()), work)) return std::nullopt;
    return pop();
  }

  // The stop for work that begins now; already requested where a waiting command interrupts it.
  StopSource begin(Work work) {
    const std::lock_guard lock(mutex_);
    work_ = work;
    current_ = StopSource();
    for (const SessionCommand& command : commands_)
      if (interrupts(urgency_of(command), work)) current_->request_stop();
    return *current_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    current_.reset();
  }

 private:
  static bool interrupts(Urgency urgency, Work work) {
    if (work == Work::showing) return urgency == Urgency::leave;
    if (work == Work::analysing) return urgency >= Urgency::change;
    return true;
  }
  std::optional<SessionCommand> pop() {
    if (commands_.empty()) return std::nullopt;
    SessionCommand command = std::move(commands_.front());
    commands_.pop_front();
    return command;
  }

  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<SessionCommand> commands_;
  std::optional<StopSource> current_;
  Work work_ = Work::showing;
};

}  // namespace vantage
