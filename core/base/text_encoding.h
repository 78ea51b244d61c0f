// Text files as other programs write them, as UTF-8 with newlines.
#pragma once

#include <string>

namespace vantage {

// Without a byte-order mark; UTF-16 of either byte order (with a mark, or seen by its zeros) and line ends of
// carriage returns alone are converted. Bytes that are no text stay.
std::string as_utf8(std::string text);

}  // namespace vantage
