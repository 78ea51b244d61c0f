#include "core/base/hash.h"

#include <cinttypes>
#include <cstdio>

namespace vantage {

std::string hex64(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

}  // namespace vantage
