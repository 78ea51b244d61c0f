#include "core/base/hash.h"

#include <fmt/core.h>
#include <charconv>

namespace vantage {

std::string hex64(uint64_t value) {
  return fmt::format("{:016x}", value);
}

uint64_t from_hex64(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace vantage
