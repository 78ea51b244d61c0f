// Messages in Protocol Buffers' wire format (protobuf.dev/programming-guides/encoding), written field by
// field.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vantage {

class ProtobufMessage {
 public:
  // Integers, enumerations, truth values; negative numbers as their 64-bit complement.
  ProtobufMessage& varint(uint32_t number, uint64_t value) {
    append(uint64_t{number} << 3);
    return append(value);
  }
  // A text, bytes or a message.
  ProtobufMessage& bytes(uint32_t number, std::string_view value) {
    append(uint64_t{number} << 3 | 2);
    append(value.size());
    return raw(value);
  }
  ProtobufMessage& bytes(uint32_t number, const ProtobufMessage& value) {
    return bytes(number, value.text());
  }
  ProtobufMessage& real(uint32_t number, double value) {
    append(uint64_t{number} << 3 | 1);
    return fixed(std::bit_cast<uint64_t>(value), 8);
  }
  // A list, packed.
  ProtobufMessage& reals(uint32_t number, std::span<const double> values) {
    append(uint64_t{number} << 3 | 2);
    append(8 * values.size());
    for (const double value : values) fixed(std::bit_cast<uint64_t>(value), 8);
    return *this;
  }
  ProtobufMessage& fixed32(uint32_t number, uint32_t value) {
    append(uint64_t{number} << 3 | 5);
    return fixed(value, 4);
  }
  // Fields that are encoded already.
  ProtobufMessage& raw(std::string_view fields) {
    text_ += fields;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  ProtobufMessage& append(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_.push_back(static_cast<char>(value | 0x80));
    text_.push_back(static_cast<char>(value));
    return *this;
  }
  ProtobufMessage& fixed(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text_.push_back(static_cast<char>(value >> (8 * i)));
    return *this;
  }
  std::string text_;
};

}  // namespace vantage
