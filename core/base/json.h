// JSON text in and out, through nlohmann's library. Its classes, parser and writer are templates that every
// file would compile again: here they are compiled once, which takes a quarter off the time of a file that
// uses them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace vantage {

// The document of a text; is_discarded() says that it is none.
nlohmann::json parse_json(std::string_view text);
nlohmann::ordered_json parse_ordered_json(std::string_view text);

// The same, where NaN, Infinity and -Infinity, which are not JSON but written by other programs, are null.
nlohmann::json parse_json_with_nan(std::string_view text);

// The document of a text. Throws nlohmann::json::exception, which says where the text is none.
nlohmann::json parse_json_or_throw(std::string_view text);

// Text of a document, on one line or with so many spaces a level. Bytes that are not UTF-8 (names of files)
// become U+FFFD.
std::string json_text(const nlohmann::json& document, int spaces = -1);
std::string json_text(const nlohmann::ordered_json& document, int spaces = -1);

}  // namespace vantage
