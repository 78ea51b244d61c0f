// Parts of a request's form that the HTTP library leaves as they come.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vantage::server {

// The host that a target in absolute form names (RFC 9112, 3.2.2): "http://AUTHORITY/PATH".
struct NamedHost {
  std::string authority;
  size_t path_begin = 0;  // where PATH, with its slash, begins in the target
};
std::optional<NamedHost> host_of_target(std::string_view target);

// Whether the value of a header Range has its form (RFC 9110, 14.1.1): "bytes=0-99", "bytes=-5,7-", or
// another unit's.
bool is_range(std::string_view value);

}  // namespace vantage::server
