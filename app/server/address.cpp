#include "app/server/address.h"

#include <arpa/inet.h>

#include <charconv>
#include <cstring>

namespace vantage::server {
namespace {

tl::unexpected<Error> not_an_address(const std::string& text) {
  return fail(ErrorKind::invalid_argument, "'" + text + "' is no address to serve at", {},
              "Give [ADDRESS:]PORT with the address in figures, such as 8080, 0.0.0.0:8080 or [::1]:8080.");
}

}  // namespace

bool ServerAddress::loopback() const {
  if (!ipv6()) return host.starts_with("127.");
  in6_addr address = {};
  return ::inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
}

std::string ServerAddress::text() const {
  return (ipv6() ? "[" + host + "]" : host) + ":" + std::to_string(port);
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
  in6_addr parsed = {};
  if (::inet_pton(bracketed ? AF_INET6 : AF_INET, host.c_str(), &parsed) != 1) return not_an_address(text);
  address.host = std::move(host);
  return address;
}

}  // namespace vantage::server
