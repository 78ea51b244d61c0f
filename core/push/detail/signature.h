// HMAC-SHA256 (RFC 2104), by which the receiver of a webhook verifies its sender.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

// 64 lower-case hexadecimal digits. Errors: unsupported where the library refuses.
Result<std::string> hmac_sha256(std::string_view key, std::string_view text);

}  // namespace vantage
