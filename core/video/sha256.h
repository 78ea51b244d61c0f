// SHA-256 of bytes: which model a result is from.
#pragma once

#include <string>
#include <string_view>

namespace vantage {

std::string sha256(std::string_view bytes);  // 64 hexadecimal digits

}  // namespace vantage
