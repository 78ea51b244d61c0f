#include "core/detections/formats/unknown.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/detections/formats/table.h"

namespace vantage::detections_detail {
namespace {

using nlohmann::json;

constexpr size_t kShown = 60;  // characters of a line

std::string shown(std::string_view line) {
  std::string text(line.substr(0, kShown));
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return "\"" + text + (line.size() > kShown ? "…\"" : "\"");
}

Error unknown(const Source& source, const std::string& what, const std::string& expected) {
  return {ErrorKind::unsupported, "not a known format of detections: " + what, source.path.string(),
          expected};
}

std::string keys_of(const json& object) {
  std::string keys;
  size_t count = 0;
  for (const auto& [key, value] : object.items()) {
    if (++count > 6) return keys + ", …";
    keys += (keys.empty() ? "" : ", ") + key;
  }
  return keys.empty() ? "nothing" : keys;
}

Error of_json(const Source& source) {
  const json& document = *source.json;
  if (document.is_object())
    return unknown(source, "a JSON object of " + keys_of(document),
                   "Expected are \"people\" (OpenPose), or \"images\" and \"annotations\" (COCO).");
  if (document.empty()) return unknown(source, "an empty JSON list", "COCO's results list each box.");
  const json& first = document.front();
  return unknown(source,
                 "a JSON list whose first entry holds " +
                     (first.is_object() ? keys_of(first) : std::string("no object")),
                 "Each entry of COCO's results has image_id, category_id and bbox.");
}

// The error about text that begins as JSON and is not valid.
Error of_broken_json(const Source& source) {
  std::string why;
  try {
    (void)parse_json_or_throw(source.text);
  } catch (const json::exception& error) {
    why = error.what();
  }
  const size_t at = why.find("line "), end = why.find(':', at);
  const std::string place = at == std::string::npos ? "" : " at " + why.substr(at, end - at);
  return unknown(source, "it begins as JSON and breaks off or is damaged" + place, "Copy it again.");
}

int64_t numbers_in(const std::vector<std::string>& fields, char separator) {
  return std::count_if(fields.begin(), fields.end(), [&](const std::string& field) {
    return number_of_field(field, separator).has_value();
  });
}

Error of_text(const Source& source) {
  if (const std::string lacking = lacking_columns(source.text); !lacking.empty())
    return unknown(source, lacking, "Name the columns frame, left, top, width, height, score.");
  std::string first;
  int64_t line = 0;
  for_each_line(source.text, [&](int64_t number, std::string_view text) {
    if (line == 0 && !is_comment(text)) first = text, line = number;
  });
  const std::string stands = "line " + std::to_string(line) + " is " + shown(first);
  for (const char separator : {',', ';', '\t', ' '}) {
    const std::vector<std::string> fields = fields_of_row(first, separator);
    const int64_t numbers = numbers_in(fields, separator);
    if (numbers < 2) continue;
    const bool all = numbers == static_cast<int64_t>(fields.size());
    return unknown(
        source,
        stands + (all ? ", " + std::to_string(numbers) + " numbers" : ", of which not all are numbers"),
        "A row of MOTChallenge has 6 to 10: frame, id, left, top, width, height, score; one of YOLO "
        "class, x, y, width, height as shares of the picture.");
  }
  return unknown(
      source, line == 0 ? "it holds no row" : stands,
      "Expected are rows as MOTChallenge's, frame, id, left, top, width, height, score, or a header "
      "that names such columns.");
}

}  // namespace

Error nearest_format(const Source& source) {
  if (source.text.find('\0') != std::string::npos)
    return unknown(source, "it is not a text", "Detections are text: MOTChallenge, COCO, YOLO and others.");
  if (source.json) return of_json(source);
  const std::string first = first_line(source.text);
  if (first.starts_with('{') || first.starts_with('[')) return of_broken_json(source);
  return of_text(source);
}

}  // namespace vantage::detections_detail
