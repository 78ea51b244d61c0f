// MOTChallenge's det.txt, gt.txt and results, and CSV files whose header names the columns.
#include <array>
#include <cmath>
#include <map>

#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace {

struct Columns {
  int frame = 0, left = 2, top = 3, width = 4, height = 5, score = 6, kind = -1;
  int right = -1, bottom = -1;  // instead of width and height
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::optional<Columns> columns_of_header(std::string_view line) {
  static const std::map<std::string, int Columns::*> kNames = {
      {"frame", &Columns::frame},      {"frame_id", &Columns::frame}, {"frame_index", &Columns::frame},
      {"left", &Columns::left},        {"x", &Columns::left},         {"x_px", &Columns::left},
      {"xmin", &Columns::left},        {"x1", &Columns::left},        {"left_px", &Columns::left},
      {"bb_left", &Columns::left},     {"top", &Columns::top},        {"y", &Columns::top},
      {"y_px", &Columns::top},         {"ymin", &Columns::top},       {"y1", &Columns::top},
      {"top_px", &Columns::top},       {"bb_top", &Columns::top},     {"width", &Columns::width},
      {"w", &Columns::width},          {"width_px", &Columns::width}, {"bb_width", &Columns::width},
      {"height", &Columns::height},    {"h", &Columns::height},       {"height_px", &Columns::height},
      {"bb_height", &Columns::height}, {"score", &Columns::score},    {"confidence", &Columns::score},
      {"conf", &Columns::score},       {"class", &Columns::kind},     {"label", &Columns::kind},
      {"category", &Columns::kind},    {"xmax", &Columns::right},     {"x2", &Columns::right},
      {"right", &Columns::right},      {"ymax", &Columns::bottom},    {"y2", &Columns::bottom},
      {"bottom", &Columns::bottom}};
  Columns columns;
  columns.frame = columns.left = columns.top = columns.width = columns.height = columns.score = -1;
  const std::vector<std::string_view> names = split_fields(line, ',');
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto known = kNames.find(lower(names[i])); known != kNames.end())
      columns.*known->second = static_cast<int>(i);
  const bool sized =
      (columns.width >= 0 && columns.height >= 0) || (columns.right >= 0 && columns.bottom >= 0);
  if (columns.frame < 0 || columns.left < 0 || columns.top < 0 || !sized) return std::nullopt;
  return columns;
}

bool recognise(const Source& source) {
  if (source.folder || source.json) return false;
  const std::string first = first_line(source.text);
  if (columns_of_header(first)) return true;
  const auto numbers = to_numbers(split_fields(first, ','));
  return numbers && numbers->size() >= 6 && numbers->size() <= 10;
}

// Kinds of gt.txt: 1 pedestrian, 2 on a vehicle, 7 standing still; of results and detections -1.
bool is_person(std::string_view kind) {
  const std::string name = lower(kind);
  return name.empty() || name == "person" || name == "pedestrian" || name == "people" || name == "1" ||
         name == "2" || name == "7" || name.starts_with('-');
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  Columns columns;
  bool header_possible = true;
  int64_t others = 0;
  for_each_line(source.text, [&](int64_t number, std::string_view line) {
    if (std::exchange(header_possible, false))
      if (const auto named = columns_of_header(line)) {
        columns = *named;
        return;
      }
    const std::string where = line_name(number);
    const std::vector<std::string_view> fields = split_fields(line, ',');
    const auto value = [&](int column) -> std::optional<double> {
      if (column < 0 || column >= static_cast<int>(fields.size())) return std::nullopt;
      return to_number(fields[static_cast<size_t>(column)]);
    };
    const auto frame = value(columns.frame), left = value(columns.left), top = value(columns.top);
    auto width = value(columns.width), height = value(columns.height);
    if (columns.width < 0 && left && value(columns.right)) width = *value(columns.right) - *left;
    if (columns.height < 0 && top && value(columns.bottom)) height = *value(columns.bottom) - *top;
    const bool has_score = columns.score >= 0 && columns.score < static_cast<int>(fields.size());
    const auto score = has_score ? value(columns.score) : std::optional<double>(1);
    if (!frame || !left || !top || !width || !height || !score || std::floor(*frame) != *frame)
      return frames.problem(where, "numbers frame, left, top, width, height, score are expected");
    // Rows of gt.txt have nine columns, the eighth the kind.
    const int kind = columns.kind >= 0 ? columns.kind : fields.size() == 9 ? 7 : -1;
    if (kind >= 0 && kind < static_cast<int>(fields.size()) &&
        !is_person(fields[static_cast<size_t>(kind)])) {
      ++others;
      return;
    }
    PersonDetection person{static_cast<float>(*left),  static_cast<float>(*top),
                           static_cast<float>(*width), static_cast<float>(*height),
                           static_cast<float>(*score), {}};
    const double number_of_frame = std::abs(*frame) < 1e15 ? *frame : -1;
    frames.add(static_cast<int64_t>(number_of_frame), std::move(person), where);
  });
  if (others > 0) file->notes.push_back(std::to_string(others) + " rows are not people");
  frames.finish(Gaps::empty, Numbers::from_one, options);
  return {};
}

}  // namespace

const Format kMotChallenge = {
    "MOTChallenge", recognise, read,
    "frame,id,left,top,width,height,score,... a line, frames from 1; or CSV with named columns"};

}  // namespace vantage::detections_detail
