// The address at which a server listens: "[ADDRESS:]PORT".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage::server {

// True for a numeric address (IPv4 in four decimal parts, IPv6 without brackets) that only programs of this
// machine reach. False for any other text.
bool is_loopback_ipv4(std::string_view address);
bool is_loopback_ipv6(std::string_view address);  // ::1, and 127.x.x.x mapped into IPv6

struct ServerAddress {
  std::string host = "127.0.0.1";  // IPv4 or IPv6, numeric, without brackets; "fe80::1%eth0" includes a link
  uint16_t port = 0;               // 0: a free one

  bool ipv6() const { return host.find(':') != std::string::npos; }
  bool loopback() const;         // only programs of this machine reach it
  std::string text() const;      // "127.0.0.1:8080", "[::1]:8080"
  std::string url_text() const;  // the same in a URL: "[fe80::1%25eth0]:8080"
};

// "8080", "0.0.0.0:8080", "[::1]:0", "[fe80::1%eth0]:80", "localhost:8080"; other names are refused, since it
// is unknown who reaches them. invalid_argument.
Result<ServerAddress> parse_server_address(const std::string& text);

}  // namespace vantage::server
