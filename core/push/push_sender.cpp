#include "core/push/push_sender.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/log.h"

namespace vantage {
namespace {

constexpr double kIdle_s = 2;  // until the queue is read again: another program may have added something

}  // namespace

PushSender::PushSender(PushTarget target, PushQueue& queue, std::filesystem::path lock_file,
                       TransportMaker make, PushRetry retry)
    : target_(std::move(target)),
      queue_(queue),
      lock_file_(std::move(lock_file)),
      make_(std::move(make)),
      retry_(retry) {
  state_.target = target_.name;
  state_.destination = destination_text(target_);
  thread_ = std::thread([this] { work(); });
}

PushSender::~PushSender() {
  stop_.request_stop();
  wake();
  thread_.join();
  if (lock_ >= 0) ::close(lock_);
}

void PushSender::wake() {
  const std::lock_guard lock(mutex_);
  news_ = true;
  changed_.notify_all();
}

PushState PushSender::state() const {
  std::unique_lock lock(mutex_);
  PushState state = state_;
  const int64_t done = done_;
  lock.unlock();
  state.waiting = queue_.waiting(target_.name, done).value_or(0);
  return state;
}

void PushSender::work() {
  int64_t failures = 0;
  while (!stop_.stop_requested()) {
    if (!take_lock()) {
      set_problem("another program sends for this project", 0);
      pause(kIdle_s, false);
      continue;
    }
    bool sent = false;
    const Status status = send_next(&sent);
    if (status) {
      if (std::exchange(failures, 0) > 0) {
        static_cast<void>(queue_.note_problem(target_.name, {}));
        set_problem({}, 0);
      }
      if (!sent) pause(kIdle_s, true);
      continue;
    }
    if (status.error().kind == ErrorKind::cancelled) break;
    set_problem(status.error().message(), ++failures);
    if (failures == 1) {
      log_warning("push to " + target_.name + ": " + status.error().message());
      static_cast<void>(queue_.note_problem(target_.name, status.error().message()));
    }
    const double doubled =
        retry_.first_s * static_cast<double>(int64_t{1} << std::min<int64_t>(failures - 1, 30));
    pause(std::min(doubled, retry_.last_s), false);
  }
  transport_.reset();
}

bool PushSender::take_lock() {
  if (lock_ >= 0) return true;
  const int file = ::open(lock_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) {
    lock_ = file;
    return true;
  }
  if (file >= 0) ::close(file);
  return false;
}

Status PushSender::send_next(bool* sent) {
  VANTAGE_ASSIGN(const std::optional<PushMessage> message, queue_.next(target_.name, done_));
  if (!message) return transport_ ? transport_->keep(stop_) : Status();
  if (!transport_) {
    VANTAGE_ASSIGN(transport_, make_());
  }
  VANTAGE_ASSIGN(const std::string answer, transport_->send(*message, stop_));
  delivered(*message, answer);
  *sent = true;
  return {};
}

// A disk that is full cannot note what has arrived; it is noted with the next message that does.
void PushSender::delivered(const PushMessage& message, const std::string& answer) {
  const Status removed = queue_.remove(target_.name, message.sequence);
  const std::lock_guard lock(mutex_);
  done_ = message.sequence;
  ++state_.delivered;
  state_.failures = 0;
  state_.problem = removed ? std::string() : removed.error().message();
  state_.last_answer = answer;
  changed_.notify_all();
}

void PushSender::pause(double seconds, bool for_news) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [&] { return stop_.stop_requested() || (for_news && news_); });
  news_ = false;
}

void PushSender::set_problem(const std::string& problem, int64_t failures) {
  const std::lock_guard lock(mutex_);
  state_.problem = problem;
  state_.failures = failures;
}

}  // namespace vantage
