// 64-bit content hash (FNV-1a) for result versions. Not for security. Stable across runs and machines.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace vantage {

class Hasher {
 public:
  Hasher& bytes(const void* data, size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (size_t i = 0; i < size; ++i) state_ = (state_ ^ p[i]) * 0x100000001b3ull;
    return *this;
  }
  // Strings carry their length, so that "ab"+"c" and "a"+"bc" differ.
  Hasher& add(std::string_view text) { return add(text.size()).bytes(text.data(), text.size()); }
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  Hasher& add(T value) {
    return bytes(&value, sizeof value);
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0xcbf29ce484222325ull;
};

// 16 lower-case hexadecimal digits.
std::string hex64(uint64_t value);
uint64_t from_hex64(std::string_view text);  // 0 where it is no number

}  // namespace vantage
