#include "core/base/formatted.h"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace vantage {

std::string formatted(const char* format, ...) {
  std::array<char, 256> usual;
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  const int length = std::vsnprintf(usual.data(), usual.size(), format, values);
  va_end(values);
  std::string text;
  if (length >= 0 && static_cast<size_t>(length) < usual.size()) {
    text.assign(usual.data(), static_cast<size_t>(length));
  } else if (length >= 0) {
    text.resize(static_cast<size_t>(length));
    std::vsnprintf(text.data(), text.size() + 1, format, again);
  }
  va_end(again);
  return text;
}

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

}  // namespace vantage
