#include "core/push/detail/reach.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/trace.h"

namespace vantage {
namespace {

constexpr int kTurn_ms = 20;  // for a stop request

class Attempts {
 public:
  Attempts() = default;
  ~Attempts() {
    for (const pollfd& one : open_) ::close(one.fd);
  }
  Attempts(const Attempts&) = delete;
  Attempts& operator=(const Attempts&) = delete;

  // True: connected at once.
  bool begin(const addrinfo& address) {
    const int fd =
        ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
    if (fd < 0) {
      error_ = errno;
      return false;
    }
    open_.push_back({fd, POLLOUT, 0});
    if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return true;
    if (errno != EINPROGRESS) close_last(errno);
    return false;
  }
  // Waits for a turn; true: one is connected.
  bool wait() {
    ::poll(open_.data(), open_.size(), kTurn_ms);
    for (const pollfd& one : open_) {
      if (one.revents == 0) continue;
      int code = 0;
      socklen_t size = sizeof code;
      if (::getsockopt(one.fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0) code = errno;
      if (code == 0) return true;
      error_ = code;
    }
    std::erase_if(open_, [](const pollfd& one) { return one.revents != 0 && ::close(one.fd) == 0; });
    return false;
  }
  bool left() const { return !open_.empty(); }
  int error() const { return error_; }

 private:
  void close_last(int code) {
    error_ = code;
    ::close(open_.back().fd);
    open_.pop_back();
  }

  std::vector<pollfd> open_;
  int error_ = ETIMEDOUT;
};

}  // namespace

Status reach(const std::string& host, int port, int64_t end_ns, const StopSource& stop) {
  addrinfo wanted = {}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  if (const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found); code != 0)
    return fail(ErrorKind::io, ::gai_strerror(code));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  Attempts attempts;
  for (const addrinfo* one = found; one; one = one->ai_next)
    if (attempts.begin(*one)) return {};
  while (attempts.left() && trace_now_ns() < end_ns) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    if (attempts.wait()) return {};
  }
  return fail(ErrorKind::io, std::strerror(attempts.left() ? ETIMEDOUT : attempts.error()));
}

}  // namespace vantage
