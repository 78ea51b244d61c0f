// Numbers as text, by printf's rules.
#pragma once

#include <string>

namespace vantage {

// As std::printf() with the same arguments would print it, however long; the compiler checks them.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);
// "640x480"
std::string size_text(int width, int height);

}  // namespace vantage
