#include "app/server/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace vantage::server {
namespace {

tl::unexpected<Error> socket_error(int code, const ServerAddress& address) {
  const std::string remedy = code == EADDRINUSE      ? "Choose another port, or 0 for a free one."
                             : code == EADDRNOTAVAIL ? "Choose an address of this machine."
                             : code == EACCES        ? "Choose a port from 1024 on."
                                                     : "Choose another address or port.";
  return fail(ErrorKind::io,
              code == EADDRINUSE ? std::string("the port is in use")
                                 : std::string("cannot serve here (") + std::strerror(code) + ")",
              address.text(), remedy);
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(const ServerAddress& address) {
  addrinfo wanted = {}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  if (::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &found) != 0)
    return socket_error(EADDRNOTAVAIL, address);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> kept(found, &::freeaddrinfo);
  ListeningSocket socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  constexpr int kWaiting = 64, kOn = 1;
  // Also right after a server that has just ended.
  if (socket.descriptor_ < 0 ||
      ::setsockopt(socket.descriptor_, SOL_SOCKET, SO_REUSEADDR, &kOn, sizeof kOn) != 0 ||
      ::bind(socket.descriptor_, found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket.descriptor_, kWaiting) != 0)
    return socket_error(errno, address);
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (::getsockname(socket.descriptor_, reinterpret_cast<sockaddr*>(&bound), &size) != 0)
    return socket_error(errno, address);
  socket.address_ = address;
  socket.address_.port = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
  return socket;
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), address_(std::move(other.address_)) {}

ListeningSocket::~ListeningSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ListeningSocket::refuse() const {
  ::shutdown(descriptor_, SHUT_RDWR);
}

}  // namespace vantage::server
