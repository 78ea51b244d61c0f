// Base64 of RFC 4648 (signature.cpp).
#pragma once

#include <string>
#include <string_view>

namespace vantage {

std::string base64(std::string_view bytes);

}  // namespace vantage
