#include "core/base/json.h"

template class nlohmann::basic_json<>;
template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace vantage {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

template <typename Json>
Json parse(std::string_view text, bool throws) {
  return Json::parse(text, nullptr, throws);
}

// Outside of texts, each of these words becomes null.
std::string without_nan(std::string_view text) {
  constexpr std::string_view kWords[] = {"-Infinity", "Infinity", "-inf", "inf",
                                         "-NaN",      "NaN",      "-nan", "nan"};
  std::string out;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      out += {c, text[++i]};
      continue;
    }
    if (c == '"') quoted = !quoted;
    std::string_view found;
    if (!quoted && (c == '-' || c == 'I' || c == 'i' || c == 'N' || c == 'n'))
      for (const std::string_view word : kWords)
        if (text.substr(i).starts_with(word)) {
          found = word;
          break;
        }
    if (found.empty()) {
      out += c;
    } else {
      out += "null";
      i += found.size() - 1;
    }
  }
  return out;
}

template <typename Json>
std::string text_of(const Json& document, int spaces) {
  return document.dump(spaces, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

json parse_json(std::string_view text) {
  return parse<json>(text, false);
}
ordered_json parse_ordered_json(std::string_view text) {
  return parse<ordered_json>(text, false);
}
json parse_json_or_throw(std::string_view text) {
  return parse<json>(text, true);
}

json parse_json_with_nan(std::string_view text) {
  json document = parse_json(text);
  return document.is_discarded() ? parse_json(without_nan(text)) : document;
}

std::string json_text(const json& document, int spaces) {
  return text_of(document, spaces);
}
std::string json_text(const ordered_json& document, int spaces) {
  return text_of(document, spaces);
}

}  // namespace vantage
