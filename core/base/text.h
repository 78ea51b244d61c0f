// Text of other programs and for them: encodings, XML, CSV, base64. Numbers become text by fmt::format().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vantage {

// "640x480"
std::string size_text(int width, int height);
// Appends an item to a list in words: "a", then "a, b".
inline void append_item(std::string* list, std::string_view item) {
  if (!list->empty()) *list += ", ";
  *list += item;
}

// In lower case; letters of ASCII alone.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Text files as other programs write them, as UTF-8 with newlines.

// The text without its byte-order mark; UTF-16 of either byte order (with a mark, or recognised by its zeros)
// and line ends of carriage returns alone are converted. Bytes that are not text are kept.
std::string as_utf8(std::string text);

// Text for XML and HTML: between tags, and in attributes in double quotes.

std::string xml_escaped(std::string_view text);

// CSV: lines without quotes are read as fields between commas, spaces around them left out.

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

inline std::vector<std::string_view> csv_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// A text as one field, in quotes where it needs them (RFC 4180).
inline std::string csv_quoted(std::string_view field) {
  if (field.find_first_of(",\"\n") == std::string_view::npos) return std::string(field);
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

// Base64 (RFC 4648, section 4), with padding.

std::string base64(std::string_view bytes);

}  // namespace vantage
