// Values as bytes of a file that the program writes and reads itself: numbers as they lie in memory
// (little-endian), texts and lists with their length before them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage {

static_assert(std::endian::native == std::endian::little);

template <typename T>
concept PlainNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ByteWriter {
 public:
  template <PlainNumber T>
  ByteWriter& add(T value) {
    return raw(&value, sizeof value);
  }
  ByteWriter& add(std::string_view text) { return add(uint64_t{text.size()}).raw(text.data(), text.size()); }
  template <PlainNumber T>
  ByteWriter& add(const std::vector<T>& values) {
    return add(uint64_t{values.size()}).raw(values.data(), values.size() * sizeof(T));
  }
  ByteWriter& raw(const void* data, size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter has written. After bytes that end too early everything is 0 or empty, and finish()
// says so; nothing larger than the bytes themselves is ever allocated.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <PlainNumber T>
  void take(T* value) {
    *value = T{};
    raw(value, sizeof *value);
  }
  template <PlainNumber T>
  T take() {
    T value;
    take(&value);
    return value;
  }
  // A view of the bytes given to the constructor.
  std::string_view take_text() {
    const auto size = take<uint64_t>();
    if (!has(size)) return {};
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  template <PlainNumber T>
  void take(std::vector<T>* values) {
    values->clear();
    const auto count = take<uint64_t>();
    if (count > rest_.size() / sizeof(T)) damaged_ = true;
    if (damaged_) return;
    values->resize(count);
    raw(values->data(), count * sizeof(T));
  }
  void raw(void* to, size_t size) {
    if (!has(size)) return;
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  size_t left() const { return rest_.size(); }  // bytes
  bool damaged() const { return damaged_; }
  // bad_data where bytes were missing, or some are left.
  Status finish() const {
    if (damaged_) return fail(ErrorKind::bad_data, "the content ends too early");
    if (!rest_.empty()) return fail(ErrorKind::bad_data, "the content does not end where it should");
    return {};
  }

 private:
  bool has(uint64_t size) {
    damaged_ = damaged_ || size > rest_.size();
    return !damaged_;
  }
  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace vantage
