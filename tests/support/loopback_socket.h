// Sockets on the loopback interface for tests that stand in for a camera, a sender or another program.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

namespace vantage::test {

inline sockaddr_in loopback_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// False where the other side has gone.
inline bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

// Has a free port, at which one of SOCK_STREAM listens.
class LoopbackSocket {
 public:
  explicit LoopbackSocket(int type) : socket_(::socket(AF_INET, type, 0)) {
    sockaddr_in address = loopback_address(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    constexpr int kWaiting = 8;
    if (type == SOCK_STREAM) {
      EXPECT_EQ(::listen(socket_, kWaiting), 0);
    }
  }
  ~LoopbackSocket() { ::close(socket_); }
  LoopbackSocket(const LoopbackSocket&) = delete;
  LoopbackSocket& operator=(const LoopbackSocket&) = delete;

  int port() const { return port_; }
  int file() const { return socket_; }
  // The next client's; below 0: shut down.
  int accept() const { return ::accept(socket_, nullptr, nullptr); }
  void shut_down() const { ::shutdown(socket_, SHUT_RDWR); }

 private:
  const int socket_;
  int port_ = 0;
};

// Where nobody sends now: two runs of the tests may go on beside each other.
inline int free_udp_port() {
  return LoopbackSocket(SOCK_DGRAM).port();
}

}  // namespace vantage::test
