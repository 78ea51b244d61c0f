#include "core/primitives/detection_csv.h"

#include <charconv>
#include <map>

#include "core/base/text.h"

namespace vantage {
namespace {

constexpr size_t kScoreField = 4;

bool to_number(std::string_view text, float& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

tl::unexpected<Error> bad_line(const std::string& source, size_t line, std::string what) {
  return fail(ErrorKind::bad_data, std::move(what), source + ", line " + std::to_string(line),
              "Give the header x,y,w,h,score or x,y,w,h,score,class and one detection a line.");
}

Status read_header(DetectionTable& table, std::string_view line, const std::string& source, size_t number) {
  std::string joined;
  for (const std::string_view field : csv_fields(line))
    joined += (joined.empty() ? "" : ",") + std::string(field);
  table.has_class = joined == "x,y,w,h,score,class";
  if (!table.has_class && joined != "x,y,w,h,score")
    return bad_line(source, number, "the header is not x,y,w,h,score[,class]");
  table.header = joined;
  return {};
}

}  // namespace

Result<DetectionTable> read_detections(std::string_view text, const std::string& source) {
  DetectionTable table;
  std::map<std::string, int32_t, std::less<>> classes;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trimmed(line).empty()) continue;
    if (table.header.empty()) {
      VANTAGE_TRY(read_header(table, line, source, number));
      continue;
    }
    const std::vector<std::string_view> fields = csv_fields(line);
    if (fields.size() != (table.has_class ? 6u : 5u))
      return bad_line(source, number, std::to_string(fields.size()) + " fields, not as many as the header");
    Detection d;
    float* const numbers[] = {&d.x, &d.y, &d.w, &d.h, &d.score};
    for (size_t k = 0; k < 5; ++k)
      if (!to_number(fields[k], *numbers[k]))
        return bad_line(source, number, "\"" + std::string(fields[k]) + "\" is not a number");
    if (table.has_class)
      d.class_id =
          classes.try_emplace(std::string(fields[5]), static_cast<int32_t>(classes.size())).first->second;
    table.detections.push_back(d);
    table.rows.emplace_back(line);
  }
  if (table.header.empty()) return bad_line(source, 1, "no header");
  return table;
}

std::string write_kept_rows(const DetectionTable& table, const NmsResult& result, bool new_scores) {
  std::string text = table.header + '\n';
  for (size_t k = 0; k < result.kept.size(); ++k) {
    const std::string& row = table.rows[result.kept[k]];
    if (!new_scores) {
      text += row + '\n';
      continue;
    }
    char score[32];
    const auto written = std::to_chars(score, score + sizeof(score), result.scores[k]);
    const std::vector<std::string_view> fields = csv_fields(row);
    for (size_t f = 0; f < fields.size(); ++f) {
      if (f > 0) text += ',';
      text +=
          f == kScoreField ? std::string_view(score, static_cast<size_t>(written.ptr - score)) : fields[f];
    }
    text += '\n';
  }
  return text;
}

}  // namespace vantage
