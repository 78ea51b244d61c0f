// Sends a target's messages in order, one after another, on a thread of its own. What fails is tried again
// after a while, which grows from attempt to attempt; nothing is left out, and nothing overtakes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/stop_token.h"
#include "core/push/push_queue.h"
#include "core/push/push_state.h"
#include "core/push/push_transport.h"

namespace vantage {

// Between attempts: doubles from the first to the last.
struct PushRetry {
  double first_s = 1, last_s = 60;
};

class PushSender {
 public:
  using TransportMaker = std::function<Result<std::unique_ptr<PushTransport>>()>;

  // `queue` outlives it. `lock_file`: of two programs that send for one target, one does; the other waits.
  // `make` is called on the sender's thread, and again after each failure of its own.
  PushSender(PushTarget target, PushQueue& queue, std::filesystem::path lock_file, TransportMaker make,
             PushRetry retry);
  ~PushSender();  // an attempt that is made then is given up: it will be made again

  void wake();  // something was added
  PushState state() const;

 private:
  void work();
  bool take_lock();
  Status send_next(bool* sent);
  void delivered(const PushMessage& message, const std::string& answer);
  void pause(double seconds, bool for_news);
  void set_problem(const std::string& problem, int64_t failures);

  const PushTarget target_;
  PushQueue& queue_;
  const std::filesystem::path lock_file_;
  const TransportMaker make_;
  const PushRetry retry_;
  StopSource stop_;
  std::unique_ptr<PushTransport> transport_;  // of the thread, as are the next two
  int lock_ = -1;
  int64_t done_ = 0;  // all up to it has arrived, also where the disk could not note that
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool news_ = false;
  PushState state_;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace vantage
