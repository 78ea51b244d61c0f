#include "app/server/host_check.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "app/server/address.h"

namespace vantage::server {
namespace {

bool is_port(std::string_view text) {
  uint16_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  return problem == std::errc() && end == text.data() + text.size();
}

bool is_localhost(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(name, std::string_view("localhost"), {}, lower);
}

}  // namespace

bool names_this_machine(std::string_view authority) {
  const bool bracketed = authority.starts_with('[');
  const size_t name_end = std::min(bracketed ? authority.find(']') : authority.find(':'), authority.size());
  const std::string_view name = authority.substr(bracketed ? 1 : 0, name_end - (bracketed ? 1 : 0));
  std::string_view rest = authority.substr(name_end);
  if (bracketed) {
    if (rest.empty()) return false;
    rest.remove_prefix(1);
  }
  if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return false;
  if (bracketed) return is_loopback_ipv6(name);
  return is_localhost(name) || is_loopback_ipv4(name);
}

}  // namespace vantage::server
