#include "core/base/hash.h"

#include <charconv>
#include <cinttypes>

#include "core/base/text.h"

namespace vantage {

std::string hex64(uint64_t value) {
  return formatted("%016" PRIx64, value);
}

uint64_t from_hex64(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace vantage
