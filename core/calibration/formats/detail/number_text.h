// Numbers and names as the writers of this folder put them.
#pragma once

#include <charconv>
#include <span>
#include <string>

namespace vantage::calibration_detail {

// The shortest text that reads back as the same number, always with a point or an exponent: TOML's and
// OpenCV's real numbers have one.
inline std::string number_text(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

inline std::string list_text(std::span<const double> values, const char* between = ", ") {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : between) + number_text(value);
  return text;
}

// Rows of `columns` numbers: "[1.0, 0.0], [0.0, 1.0]".
inline std::string rows_text(std::span<const double> values, size_t columns) {
  std::string text;
  for (size_t i = 0; i + columns <= values.size(); i += columns)
    text += (text.empty() ? "[" : ", [") + list_text(values.subspan(i, columns)) + "]";
  return text;
}

}  // namespace vantage::calibration_detail
