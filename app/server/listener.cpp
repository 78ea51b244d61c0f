#include "app/server/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "app/server/request.h"

namespace vantage::server {
namespace {

union SocketAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

SocketAddress socket_address(const ServerAddress& address) {
  SocketAddress socket = {};
  if (address.ipv6()) {
    socket.v6.sin6_family = AF_INET6;
    socket.v6.sin6_port = htons(address.port);
    ::inet_pton(AF_INET6, address.host.c_str(), &socket.v6.sin6_addr);
  } else {
    socket.v4.sin_family = AF_INET;
    socket.v4.sin_port = htons(address.port);
    ::inet_pton(AF_INET, address.host.c_str(), &socket.v4.sin_addr);
  }
  return socket;
}

// Of a socket call that failed just now; the socket is closed.
tl::unexpected<Error> socket_error(int socket, const ServerAddress& address) {
  const int code = errno;
  if (socket >= 0) ::close(socket);
  const std::string remedy = code == EADDRINUSE      ? "Choose another port, or 0 for one that is free."
                             : code == EADDRNOTAVAIL ? "Choose an address of this machine."
                             : code == EACCES        ? "Choose a port from 1024 on."
                                                     : "Choose another address or port.";
  return fail(ErrorKind::io,
              code == EADDRINUSE ? std::string("the port is in use")
                                 : std::string("cannot serve here (") + std::strerror(code) + ")",
              address.text(), remedy);
}

// Whoever is one too many; the request is read away, as closing over it would take the answer back.
void turn_away(int socket) {
  const Answer answer =
      error_answer(503, "too many clients", "", "Try again later, or close another client.");
  const std::string text =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\n"
      "Connection: close\r\nContent-Length: " +
      std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
  static_cast<void>(::send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
  ::shutdown(socket, SHUT_WR);
  std::array<char, 4096> ignored;
  constexpr int kLinger_ms = 50, kMostReads = 8;
  pollfd watched = {socket, POLLIN, 0};
  for (int i = 0; i < kMostReads && ::poll(&watched, 1, kLinger_ms) > 0; ++i)
    if (::recv(socket, ignored.data(), ignored.size(), MSG_DONTWAIT) <= 0) break;
  ::close(socket);
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::open(const ServerAddress& address) {
  constexpr int kWaiting = 64;
  const int on = 1;
  SocketAddress wanted = socket_address(address);
  const socklen_t size = address.ipv6() ? sizeof wanted.v6 : sizeof wanted.v4;
  const int socket = ::socket(wanted.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return socket_error(socket, address);
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);  // of a server that has just ended
  if (::bind(socket, &wanted.any, size) != 0 || ::listen(socket, kWaiting) != 0)
    return socket_error(socket, address);
  SocketAddress got = {};
  socklen_t got_size = sizeof got;
  if (::getsockname(socket, &got.any, &got_size) != 0) return socket_error(socket, address);
  ServerAddress bound = address;
  bound.port = ntohs(address.ipv6() ? got.v6.sin6_port : got.v4.sin_port);
  return std::unique_ptr<Listener>(new Listener(socket, std::move(bound)));
}

Listener::~Listener() {
  stop(std::chrono::milliseconds(0));
  ::close(socket_);
}

void Listener::start(size_t most_clients, Serve serve) {
  most_clients_ = most_clients, serve_ = std::move(serve);
  accepting_ = std::thread([this] { accept_clients(); });
}

void Listener::stop(std::chrono::milliseconds grace) {
  stops_.closing.set();
  if (accepting_.joinable()) accepting_.join();
  ::shutdown(socket_, SHUT_RDWR);  // whoever comes now is told so
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, grace, [&] {
      return std::ranges::all_of(clients_, [](const Client& client) { return client.done; });
    });
  }
  stops_.aborting.set();
  for (Client& client : clients_) client.thread.join();  // nobody adds any more
  const std::lock_guard lock(mutex_);
  clients_.clear();
}

size_t Listener::clients() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(clients_, [](const Client& client) { return !client.done; }));
}

void Listener::accept_clients() {
  for (;;) {
    std::array<pollfd, 2> watched = {pollfd{socket_, POLLIN, 0},
                                     pollfd{stops_.closing.descriptor(), POLLIN, 0}};
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    if (watched[1].revents != 0) return;
    if (watched[0].revents == 0) continue;
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    join_done();
    if (socket >= 0) {
      take(socket);
    } else if (errno == EMFILE || errno == ENFILE) {
      constexpr std::chrono::milliseconds kUntilOneCloses{100};
      std::this_thread::sleep_for(kUntilOneCloses);
    }
  }
}

void Listener::take(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  std::unique_lock lock(mutex_);
  if (clients_.size() >= most_clients_) {
    lock.unlock();
    turn_away(socket);
    return;
  }
  Client& client = clients_.emplace_back();
  try {
    client.thread = std::thread([this, socket, &client] { serve_client(socket, client); });
  } catch (const std::system_error&) {  // the system has no more threads
    clients_.pop_back();
    lock.unlock();
    turn_away(socket);
  }
}

void Listener::serve_client(int socket, Client& client) {
  {
    Connection connection(socket, stops_);
    serve_(connection);
  }
  const std::lock_guard lock(mutex_);
  client.done = true;
  changed_.notify_all();
}

void Listener::join_done() {
  std::list<Client> over;
  {
    const std::lock_guard lock(mutex_);
    for (auto client = clients_.begin(); client != clients_.end();) {
      const auto next = std::next(client);
      if (client->done) over.splice(over.end(), clients_, client);
      client = next;
    }
  }
  for (Client& client : over) client.thread.join();
}

}  // namespace vantage::server
