#include "core/session/session.h"

#include <thread>

#include "core/session/detail/command_queue.h"
#include "core/session/detail/session_worker.h"

namespace vantage {
namespace {

class ThreadedSession final : public Session {
 public:
  ThreadedSession(SessionOptions options, std::shared_ptr<SessionListener> listener)
      : thread_([this, options = std::move(options), listener = std::move(listener)] {
          SessionWorker(options, listener, commands_).run();
        }) {}

  ~ThreadedSession() override {
    commands_.post_last(command::Quit());
    thread_.join();
  }

  void post(SessionCommand command) override { commands_.post(std::move(command)); }

 private:
  CommandQueue commands_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Session> Session::make(SessionOptions options, std::shared_ptr<SessionListener> listener) {
  return std::make_unique<ThreadedSession>(std::move(options), std::move(listener));
}

}  // namespace vantage
