// YAML as the JSON tree that it says: maps, lists, numbers and texts. Aliases, which may blow a small file up
// to any size, are refused, as are files nested deeper than kDeepest.
#include <yaml.h>

#include <charconv>
#include <cmath>

#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

using nlohmann::json;

constexpr int kDeepest = 32;

class Parser {
 public:
  Parser(const std::string& text, const std::string& where) : text_(text), where_(where) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Parser() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // The first document of the file.
  Result<json> parse() {
    do VANTAGE_TRY(next());
    while (event_.type == YAML_STREAM_START_EVENT || event_.type == YAML_DOCUMENT_START_EVENT);
    VANTAGE_ASSIGN(json document, value(0));
    VANTAGE_TRY(next());  // whatever follows has to be YAML
    return document;
  }

 private:
  tl::unexpected<Error> wrong(const std::string& what, size_t line) const {
    return fail(ErrorKind::bad_data,
                "is not YAML that can be read (" + line_in(text_, line + 1) + ": " + what + ")", where_,
                "The file may be cut off or of another kind. " + expected_in(Syntax::yaml));
  }

  Status next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_)) return {};
    event_ = {};
    return wrong(parser_.problem ? parser_.problem : "damaged", parser_.problem_mark.line);
  }

  // The value that the present event begins.
  Result<json> value(int depth) {
    const size_t line = event_.start_mark.line;
    if (depth > kDeepest) return wrong("nested too deeply", line);
    if (event_.type == YAML_SCALAR_EVENT) return scalar();
    if (event_.type == YAML_SEQUENCE_START_EVENT) return list(depth);
    if (event_.type == YAML_MAPPING_START_EVENT) return map(depth);
    return wrong(event_.type == YAML_ALIAS_EVENT ? "aliases are not understood" : "nothing is there", line);
  }

  std::string scalar_text() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }

  // Plain numbers are numbers, everything else is text.
  json scalar() const {
    const std::string text = scalar_text();
    if (event_.data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return text;
    const size_t sign = text.starts_with('+') ? 1 : 0;
    const char *begin = text.data() + sign, *end = text.data() + text.size();
    int64_t whole = 0;
    if (const auto read = std::from_chars(begin, end, whole); read.ec == std::errc() && read.ptr == end)
      return whole;
    double number = 0;
    const auto read = std::from_chars(begin, end, number);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) return number;
    return text;
  }

  Result<json> list(int depth) {
    json list = json::array();
    while (true) {
      VANTAGE_TRY(next());
      if (event_.type == YAML_SEQUENCE_END_EVENT) return list;
      VANTAGE_ASSIGN(json element, value(depth + 1));
      list.push_back(std::move(element));
    }
  }

  Result<json> map(int depth) {
    json map = json::object();
    while (true) {
      VANTAGE_TRY(next());
      if (event_.type == YAML_MAPPING_END_EVENT) return map;
      const size_t line = event_.start_mark.line;
      if (event_.type != YAML_SCALAR_EVENT) return wrong("a key is not a text", line);
      const std::string key = scalar_text();
      VANTAGE_TRY(next());
      VANTAGE_ASSIGN(json element, value(depth + 1));
      if (map.contains(key)) return wrong("the key " + key + " is there twice", line);
      map[key] = std::move(element);
    }
  }

  const std::string& text_;
  const std::string& where_;
  yaml_parser_t parser_ = {};
  yaml_event_t event_ = {};
};

// OpenCV begins its files with "%YAML:1.0", which is not YAML.
std::string without_opencv_directive(const std::string& text) {
  return text.starts_with("%YAML:") ? text.substr(std::min(text.find('\n'), text.size())) : text;
}

}  // namespace

ParsedDocument parse_yaml(const std::string& text, const std::string& where) {
  const std::string yaml = without_opencv_directive(text);
  VANTAGE_ASSIGN(json tree, Parser(yaml, where).parse());
  auto document = std::make_unique<JsonDocument>();
  document->json = std::move(tree);
  return document;
}

}  // namespace vantage::calibration_detail
