#include "core/live/onvif/detail/probe.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

namespace vantage::onvif_detail {
namespace {

constexpr size_t kMaxDatagram_bytes = 65536;
constexpr int kStopInterval_ms = 100;

class Socket {
 public:
  Socket() : file_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (file_ >= 0) ::close(file_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int file() const { return file_; }

 private:
  const int file_;
};

std::vector<in_addr> interfaces() {
  std::vector<in_addr> found;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return found;
  for (const ifaddrs* one = list; one; one = one->ifa_next)
    if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP) &&
        (one->ifa_flags & IFF_MULTICAST))
      found.push_back(reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr);
  ::freeifaddrs(list);
  return found;
}

Error network_error(int code) {
  return {ErrorKind::io,
          std::string("no camera can be asked: ") + std::strerror(code),
          {},
          "Connect this machine to the cameras' network."};
}

}  // namespace

Status probe(const DiscoverOptions& options, const std::string& message,
             const std::function<void(std::string_view)>& answered) {
  const Socket socket;
  if (socket.file() < 0) return fail(network_error(errno));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(options.port));
  if (::inet_pton(AF_INET, options.address.c_str(), &to.sin_addr) != 1)
    return fail(ErrorKind::invalid_argument, "is not an IPv4 address", options.address);
  int sent = 0, code = ENETUNREACH;
  const auto send = [&] {
    if (::sendto(socket.file(), message.data(), message.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                 sizeof to) == static_cast<ssize_t>(message.size()))
      ++sent;
    else
      code = errno;
  };
  if (IN_MULTICAST(ntohl(to.sin_addr.s_addr))) {
    for (const in_addr& own : interfaces())
      if (::setsockopt(socket.file(), IPPROTO_IP, IP_MULTICAST_IF, &own, sizeof own) == 0) send();
  } else {
    send();
  }
  if (sent == 0) return fail(network_error(code));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.wait_s);
  std::string datagram(kMaxDatagram_bytes, '\0');
  while (std::chrono::steady_clock::now() < end) {
    if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "the search was stopped");
    pollfd wait{socket.file(), POLLIN, 0};
    if (::poll(&wait, 1, kStopInterval_ms) <= 0) continue;
    const ssize_t size = ::recv(socket.file(), datagram.data(), datagram.size(), 0);
    if (size > 0) answered(std::string_view(datagram).substr(0, static_cast<size_t>(size)));
  }
  return {};
}

}  // namespace vantage::onvif_detail
