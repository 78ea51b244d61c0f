// Starts a program for each message, without a shell: the message is its standard input, and exit code 0
// means that it accepted the message.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/trace.h"
#include "core/push/push_transport.h"

extern char** environ;

namespace vantage {
namespace {

constexpr int kWait_ms = 20;

class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool opened() const { return open_; }
  int end(int which) const { return ends_[which]; }
  void close_end(int which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool open_ = false;
};

// In its own session, so that its child processes end with it; its output is dropped.
int start(const std::vector<std::string>& command, int input, pid_t* child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int code = ::posix_spawn(child, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

// Feeds a program that may accept the message without reading to the end: its exit code decides.
class Feeder {
 public:
  Feeder(Pipe& pipe, const std::string& text) : pipe_(pipe), text_(text) {
    ::fcntl(pipe_.end(1), F_SETFL, O_NONBLOCK);
  }
  void feed(int wait_ms) {
    pollfd ready = {pipe_.end(1), POLLOUT, 0};
    if (pipe_.end(1) < 0 || ::poll(&ready, 1, wait_ms) <= 0) {
      if (pipe_.end(1) < 0) ::poll(nullptr, 0, wait_ms);
      return;
    }
    const ssize_t written = ::write(pipe_.end(1), text_.data() + done_, text_.size() - done_);
    if (written > 0) done_ += static_cast<size_t>(written);
    if ((written < 0 && errno != EAGAIN && errno != EINTR) || done_ == text_.size()) pipe_.close_end(1);
  }

 private:
  Pipe& pipe_;
  const std::string& text_;
  size_t done_ = 0;
};

class CommandTransport final : public PushTransport {
 public:
  explicit CommandTransport(PushTarget target) : target_(std::move(target)) {
    // A program that ends early must not end this one. An existing handler is kept.
    struct sigaction now = {};
    if (::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
  }

  Result<std::string> send(const PushMessage& message, const StopSource& stop) override {
    const std::string& program = target_.command.front();
    Pipe input;
    if (!input.opened()) return fail(ErrorKind::io, std::strerror(errno), program);
    pid_t child = 0;
    if (const int code = start(target_.command, input.end(0), &child); code != 0)
      return fail(ErrorKind::io, std::string("cannot be started: ") + std::strerror(code), program);
    input.close_end(0);
    const std::string text = message_text(message, true) + "\n";
    Feeder feeder(input, text);
    const int64_t end_ns = trace_now_ns() + static_cast<int64_t>(target_.limit_s * 1e9);
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      const bool late = trace_now_ns() >= end_ns;
      if (!late && !stop.stop_requested()) {
        feeder.feed(kWait_ms);
        continue;
      }
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      if (!late) return fail(ErrorKind::cancelled, "stopped");
      return fail(ErrorKind::io,
                  "took longer than " + std::to_string(static_cast<int>(target_.limit_s)) + " s", program);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::string("ended with 0");
    return fail(ErrorKind::io,
                WIFEXITED(status) ? "ended with " + std::to_string(WEXITSTATUS(status))
                                  : "was ended by signal " + std::to_string(WTERMSIG(status)),
                program);
  }

 private:
  const PushTarget target_;
};

}  // namespace

Result<std::unique_ptr<PushTransport>> make_command_transport(const PushTarget& target) {
  return std::make_unique<CommandTransport>(target);
}

}  // namespace vantage
