#include "app/server/connection.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace vantage::server {

StopEvent::StopEvent() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

StopEvent::~StopEvent() {
  ::close(descriptor_);
}

void StopEvent::set() const {
  const uint64_t one = 1;
  static_cast<void>(::write(descriptor_, &one, sizeof one) == sizeof one);  // fails only where it is set
}

Connection::Connection(int socket, const StopEvents& stops) : socket_(socket), stops_(stops) {
  // What waits in the system for a client that takes nothing; beyond it lines are dropped.
  constexpr int kSend_bytes = 256 << 10;
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &kSend_bytes, sizeof kSend_bytes);
}

Connection::~Connection() {
  ::close(socket_);
}

bool Connection::wait(short events, const StopEvent& stop, std::chrono::milliseconds limit) const {
  const Clock::time_point end = Clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    std::array<pollfd, 2> watched = {pollfd{socket_, events, 0}, pollfd{stop.descriptor(), POLLIN, 0}};
    const int ready =
        ::poll(watched.data(), watched.size(), static_cast<int>(std::max<int64_t>(0, left.count())));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 && watched[1].revents == 0;
  }
}

bool Connection::wait_for_request() {
  request_bytes_ = 0;
  if (begin_ == end_ && !wait(POLLIN, stops_.closing, kIdle)) return false;
  request_end_ = Clock::now() + kRequest;
  return true;
}

ssize_t Connection::read(char* to, size_t most) {
  if (begin_ == end_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(request_end_ - Clock::now());
    if (left.count() <= 0 || !wait(POLLIN, stops_.closing, left)) return -1;
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got <= 0) return got;
    begin_ = 0, end_ = static_cast<size_t>(got);
  }
  const size_t taken = std::min(most, end_ - begin_);
  request_bytes_ += taken;
  if (request_bytes_ > kMostRequest_bytes) return -1;
  std::memcpy(to, buffer_.data() + begin_, taken);
  begin_ += taken;
  return static_cast<ssize_t>(taken);
}

bool Connection::write(const char* from, size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket_, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      from += sent, size -= static_cast<size_t>(sent);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (!wait(POLLOUT, stops_.aborting, kStalled)) return false;
  }
  return true;
}

}  // namespace vantage::server
