#include "app/server/address.h"

#include <arpa/inet.h>
#include <netdb.h>

#include <charconv>
#include <optional>

namespace vantage::server {
namespace {

tl::unexpected<Error> not_an_address(const std::string& text) {
  return fail(ErrorKind::invalid_argument, "'" + text + "' is not an address to serve at", {},
              "Give [ADDRESS:]PORT with the address in figures, such as 8080, 0.0.0.0:8080 or [::1]:8080.");
}

template <typename T>
std::optional<T> parsed(int family, std::string_view address) {
  T parsed = {};
  // inet_pton() stops at the first NUL, which would hide the rest.
  if (address.find('\0') != std::string_view::npos) return std::nullopt;
  return ::inet_pton(family, std::string(address).c_str(), &parsed) == 1 ? std::optional(parsed)
                                                                         : std::nullopt;
}

// Including a zone, the link of the address.
bool is_ipv6(const std::string& address) {
  addrinfo wanted = {}, *found = nullptr;
  wanted.ai_family = AF_INET6, wanted.ai_flags = AI_NUMERICHOST;
  if (address.find('\0') != std::string::npos ||
      ::getaddrinfo(address.c_str(), nullptr, &wanted, &found) != 0)
    return false;
  ::freeaddrinfo(found);
  return true;
}

constexpr uint8_t kLoopback = 127;  // first part of a loopback address of IPv4

}  // namespace

bool is_loopback_ipv4(std::string_view address) {
  const std::optional<in_addr> found = parsed<in_addr>(AF_INET, address);
  return found && ntohl(found->s_addr) >> 24 == kLoopback;
}

bool is_loopback_ipv6(std::string_view address) {
  const std::optional<in6_addr> found = parsed<in6_addr>(AF_INET6, address);
  if (!found) return false;
  return IN6_IS_ADDR_LOOPBACK(&*found) || (IN6_IS_ADDR_V4MAPPED(&*found) && found->s6_addr[12] == kLoopback);
}

bool ServerAddress::loopback() const {
  return ipv6() ? is_loopback_ipv6(host) : is_loopback_ipv4(host);
}

std::string ServerAddress::text() const {
  return (ipv6() ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string ServerAddress::url_text() const {
  std::string text = this->text();
  if (const size_t zone = text.find('%'); zone != std::string::npos) text.replace(zone, 1, "%25");
  return text;
}

Result<ServerAddress> parse_server_address(const std::string& text) {
  ServerAddress address;
  const size_t colon = text.rfind(':');
  const std::string figures = colon == std::string::npos ? text : text.substr(colon + 1);
  const auto [end, problem] = std::from_chars(figures.data(), figures.data() + figures.size(), address.port);
  if (problem != std::errc() || end != figures.data() + figures.size()) return not_an_address(text);
  if (colon == std::string::npos) return address;
  std::string host = text.substr(0, colon);
  if (host == "localhost") return address;
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!(bracketed ? is_ipv6(host) : parsed<in_addr>(AF_INET, host).has_value())) return not_an_address(text);
  address.host = std::move(host);
  return address;
}

}  // namespace vantage::server
