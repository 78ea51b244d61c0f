// Reports of vantage-cli as tests/unit/cli/reports holds them: of JSON every key, its order and its type, of
// text every line, with # for numbers, and files without their folders.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"

namespace vantage::test {

// Types for values; of a list each shape once. It is the same on every machine.
inline nlohmann::ordered_json shape_of(const nlohmann::ordered_json& json) {
  if (json.is_string()) return "text";
  if (json.is_number_integer()) return "integer";
  if (json.is_number()) return "number";
  if (json.is_boolean()) return "truth";
  nlohmann::ordered_json shape = json;
  if (json.is_object())
    for (auto& [key, value] : shape.items()) value = shape_of(value);
  if (!json.is_array()) return shape;
  shape.clear();
  for (const auto& one : json)
    if (const auto its = shape_of(one); std::find(shape.begin(), shape.end(), its) == shape.end())
      shape.push_back(its);
  return shape;
}

// Keys in their order, types and values; numbers that are not whole within 1e-6.
inline bool same_report(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b) {
  if (a.is_number_float() && b.is_number_float())
    return std::abs(a.get<double>() - b.get<double>()) <= 1e-6 * (1 + std::abs(a.get<double>()));
  if (a.is_number_float() || b.is_number_float() || !a.is_structured()) return a == b;
  if (a.is_object() != b.is_object() || a.size() != b.size()) return false;
  for (auto one = a.begin(), other = b.begin(); one != a.end(); ++one, ++other)
    if ((a.is_object() && one.key() != other.key()) || !same_report(*one, *other)) return false;
  return true;
}

// `exact`: the values of JSON, too. VANTAGE_REPORTS names a folder that gets what is found.
inline void expect_report(const std::string& name, const std::string& found, bool exact = false) {
  const bool json = found.starts_with("{");
  std::string text = found;
  if (json)
    text = json_text(exact ? parse_ordered_json(found) : shape_of(parse_ordered_json(found)), 1) + "\n";
  else
    for (const auto& [pattern, with] :
         {std::pair("(/[^/ \n]+)+/", ""), {"[-+]?[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?", "#"}, {" +", " "}})
      text = std::regex_replace(text, std::regex(pattern), with);
  const std::string file = name + (json ? ".json" : ".txt");
  if (const char* const folder = std::getenv("VANTAGE_REPORTS"))
    ASSERT_TRUE(write_file_atomically(std::filesystem::path(folder) / file, text));
  const auto known = read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "tests/unit/cli/reports" / file);
  ASSERT_TRUE(known) << file << " is not there; it would be\n" << text;
  EXPECT_TRUE(json ? same_report(parse_ordered_json(*known), parse_ordered_json(text)) : *known == text)
      << file << " was\n"
      << *known << "and is\n"
      << text;
}

}  // namespace vantage::test
