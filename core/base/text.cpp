#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace vantage {

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

namespace {

constexpr size_t kLooked = 512;  // bytes whose zeros are counted

enum class Encoding { utf8, utf16_little, utf16_big };

// Nearly every second byte of a text in UTF-16 is 0, and none in UTF-8.
Encoding encoding_of(const std::string& text) {
  if (text.starts_with("\xFF\xFE")) return Encoding::utf16_little;
  if (text.starts_with("\xFE\xFF")) return Encoding::utf16_big;
  const size_t looked = std::min(text.size(), kLooked) / 2 * 2;
  size_t even = 0, odd = 0;
  for (size_t i = 0; i < looked; i += 2) even += text[i] == 0, odd += text[i + 1] == 0;
  const size_t pairs = looked / 2;
  if (pairs >= 4 && even == 0 && 10 * odd >= 9 * pairs) return Encoding::utf16_little;
  if (pairs >= 4 && odd == 0 && 10 * even >= 9 * pairs) return Encoding::utf16_big;
  return Encoding::utf8;
}

void append_utf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | code >> 6);
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | code >> 12);
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | code >> 18);
    *out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::string from_utf16(const std::string& text, bool little) {
  const auto unit = [&](size_t i) {
    const auto first = static_cast<unsigned char>(text[i]), second = static_cast<unsigned char>(text[i + 1]);
    return static_cast<uint32_t>(little ? first | second << 8 : first << 8 | second);
  };
  std::string out;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    uint32_t code = unit(i);
    if (code == 0xFEFF && i == 0) continue;
    const bool pair = code >= 0xD800 && code < 0xDC00 && i + 3 < text.size() && unit(i + 2) >= 0xDC00 &&
                      unit(i + 2) < 0xE000;
    if (pair) {
      code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    }
    append_utf8(code >= 0xD800 && code < 0xE000 ? 0xFFFD : code, &out);
  }
  return out;
}

}  // namespace

std::string as_utf8(std::string text) {
  if (const Encoding encoding = encoding_of(text); encoding != Encoding::utf8)
    text = from_utf16(text, encoding == Encoding::utf16_little);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
  return text;
}

std::string xml_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t taken = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < taken ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k) text += k <= taken ? kLetters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace vantage
