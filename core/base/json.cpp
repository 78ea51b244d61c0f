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

std::string json_text(const json& document, int spaces) {
  return text_of(document, spaces);
}
std::string json_text(const ordered_json& document, int spaces) {
  return text_of(document, spaces);
}

}  // namespace vantage
