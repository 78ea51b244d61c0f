// Text as letters of this machine's font.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage::display_detail {

// The file of a sans-serif font, by fontconfig. Errors: not_found where the machine has none.
Result<std::string> font_file();
// Code points; bytes that are no UTF-8 become U+FFFD.
std::vector<uint32_t> code_points(const std::string& text);
// The text as UTF-8 without such bytes, and without control characters.
std::string valid_utf8(const std::string& text);

}  // namespace vantage::display_detail
