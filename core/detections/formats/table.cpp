#include "core/detections/formats/table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace {

constexpr char kSeparators[] = {',', ';', '\t', ' '};
constexpr size_t kFewest = 6, kMost = 10;  // numbers in a row of MOTChallenge
constexpr int64_t kHeaderWithin = 30;      // lines

// "X Min", "x_min", "bbox.x-min": letters and digits alone, in lower case.
std::string plain(std::string_view name) {
  std::string text;
  for (const unsigned char c : name)
    if (std::isalnum(c) != 0) text += static_cast<char>(std::tolower(c));
  return text;
}

using Place = int Columns::*;
const std::map<std::string, Place>& known_names() {
  static const std::map<std::string, Place> names = [] {
    std::map<std::string, Place> known;
    const auto add = [&](Place place, std::initializer_list<const char*> all) {
      for (const char* name : all) known[name] = place;
    };
    add(&Columns::frame, {"frame", "frameid", "frameindex", "frameidx", "frameno", "framenr", "framenum",
                          "framenumber", "framecount"});
    add(&Columns::picture, {"image", "imagename", "imagefile", "filename", "imagepath", "img", "imgname"});
    add(&Columns::left, {"left", "x", "xpx", "xmin", "x1", "leftpx", "bbleft", "bboxleft", "bboxx", "bboxx1",
                         "bboxxmin", "boxleft", "boxx", "boxx1", "minx", "xleft", "xtl", "lefttopx"});
    add(&Columns::top, {"top", "y", "ypx", "ymin", "y1", "toppx", "bbtop", "bboxtop", "bboxy", "bboxy1",
                        "bboxymin", "boxtop", "boxy", "boxy1", "miny", "ytop", "ytl", "lefttopy"});
    add(&Columns::right, {"right", "xmax", "x2", "rightpx", "bbright", "bboxright", "bboxx2", "bboxxmax",
                          "boxright", "boxx2", "maxx", "xright", "xbr"});
    add(&Columns::bottom, {"bottom", "ymax", "y2", "bottompx", "bbbottom", "bboxbottom", "bboxy2", "bboxymax",
                           "boxbottom", "boxy2", "maxy", "ybottom", "ybr"});
    add(&Columns::width, {"width", "w", "widthpx", "bbwidth", "bboxwidth", "bboxw", "boxwidth", "boxw"});
    add(&Columns::height,
        {"height", "h", "heightpx", "bbheight", "bboxheight", "bboxh", "boxheight", "boxh"});
    add(&Columns::center_x, {"xcenter", "xcentre", "centerx", "centrex", "cx", "xc", "bboxcx"});
    add(&Columns::center_y, {"ycenter", "ycentre", "centery", "centrey", "cy", "yc", "bboxcy"});
    add(&Columns::score, {"score", "confidence", "conf", "prob", "probability", "detscore", "detconf",
                          "detectionconfidence", "detectionscore"});
    add(&Columns::kind,
        {"class", "classid", "category", "categoryid", "cls", "clsid", "objectclass", "classindex"});
    add(&Columns::kind_name, {"classname", "categoryname", "label", "labelname", "objecttype"});
    return known;
  }();
  return names;
}

std::string_view without_comment(std::string_view line) {
  while (!line.empty() && (line.front() == '#' || line.front() == '%' || line.front() == '/'))
    line.remove_prefix(1);
  return trimmed(line);
}

// With x0 and x1 the second is the right side.
void name_sides_from_zero(const std::vector<std::string>& names, Columns* columns) {
  const auto place = [&](const char* name) {
    const auto at =
        std::find_if(names.begin(), names.end(), [&](const std::string& one) { return plain(one) == name; });
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
  };
  if (place("x0") < 0 || place("y0") < 0 || place("x2") >= 0) return;
  columns->left = place("x0"), columns->top = place("y0");
  columns->right = place("x1"), columns->bottom = place("y1");
}

Columns columns_of(const std::vector<std::string>& names) {
  Columns columns;
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto known = known_names().find(plain(names[i])); known != known_names().end()) {
      columns.*known->second = static_cast<int>(i);
      const std::string& name = known->first;
      if (known->second == &Columns::frame)
        columns.frames_from_zero = name == "frameindex" || name == "frameidx";
    }
  name_sides_from_zero(names, &columns);
  return columns;
}

// The missing columns as text; empty: there is everything that a box needs.
std::string lacking(const Columns& columns) {
  if (columns.frame < 0 && columns.picture < 0) return "the frame";
  const bool sized = columns.width >= 0 && columns.height >= 0;
  const bool corners = columns.left >= 0 && columns.top >= 0;
  if (corners && (sized || (columns.right >= 0 && columns.bottom >= 0))) return {};
  if (columns.center_x >= 0 && columns.center_y >= 0 && sized) return {};
  return corners ? "the box's width and height" : "the box's left and top";
}

bool like_number(std::string_view field, char separator) {
  const std::string text = plain(field);
  return text == "nan" || text == "inf" || text == "infinity" || number_of_field(field, separator);
}

// Rows of numbers without a header. YOLO's shares are also separated by blanks, but boxes in pixels are
// larger.
bool is_mot_row(std::string_view line, char separator) {
  std::vector<std::string> fields = fields_of_row(line, separator);
  if (!fields.empty() && fields.back().empty()) fields.pop_back();
  if (fields.size() < kFewest || fields.size() > kMost) return false;
  const bool numbers = std::all_of(fields.begin(), fields.end(),
                                   [&](const std::string& field) { return like_number(field, separator); });
  const auto whole = [&](size_t i) {
    const double number = number_of_field(fields[i], separator).value_or(0);
    return std::floor(number) == number;
  };
  if (!numbers || !whole(0) || !whole(1)) return false;
  if (separator != ' ') return true;
  double largest = 0;
  for (size_t i = 2; i < kFewest; ++i)
    largest = std::max(largest, number_of_field(fields[i], separator).value_or(0));
  return largest > 1.5;
}

// A row with some invalid numbers, which is left out without affecting the others.
bool is_damaged_mot_row(std::string_view line, char separator) {
  const std::vector<std::string> fields = fields_of_row(line, separator);
  const auto numbers = static_cast<size_t>(std::count_if(
      fields.begin(), fields.end(), [&](const std::string& field) { return like_number(field, separator); }));
  return fields.size() >= kFewest && fields.size() <= kMost && 2 * numbers > fields.size();
}

Columns mot_columns() {
  Columns columns;
  columns.frame = 0, columns.left = 2, columns.top = 3, columns.width = 4, columns.height = 5;
  columns.score = 6;
  return columns;
}

}  // namespace

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

std::vector<std::string> fields_of_row(std::string_view line, char separator) {
  std::vector<std::string> fields;
  if (line.find('"') == std::string_view::npos) {
    for (const std::string_view field : split_fields(line, separator)) fields.emplace_back(trimmed(field));
    return fields;
  }
  std::string field;
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = separator == ' ' && (c == ' ' || c == '\t');
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        field += line[++i];
      else
        quoted = !quoted;
    } else if (!quoted && (c == separator || blank)) {
      if (!blank || !field.empty()) fields.emplace_back(trimmed(std::exchange(field, {})));
    } else {
      field += c;
    }
  }
  if (separator != ' ' || !field.empty()) fields.emplace_back(trimmed(field));
  return fields;
}

std::optional<double> number_of_field(std::string_view field, char separator) {
  if (const auto number = to_number(field)) return number;
  const size_t comma = field.find(',');
  if (separator == ',' || comma == std::string_view::npos || field.find('.') != std::string_view::npos)
    return std::nullopt;
  std::string text(field);
  text[comma] = '.';
  return to_number(text);
}

std::optional<TableForm> form_of(std::string_view text) {
  std::optional<TableForm> form;
  bool refused = false;
  int64_t lines = 0;
  for_each_line(text.substr(0, text.size()), [&](int64_t number, std::string_view line) {
    if (form || refused || ++lines > kHeaderWithin) return;
    for (const char separator : kSeparators) {
      const std::vector<std::string> names = fields_of_row(without_comment(line), separator);
      const Columns columns = columns_of(names);
      if (names.size() < kFewest - 1 || !lacking(columns).empty()) continue;
      form = TableForm{separator, true, number + 1, columns, names};
      return;
    }
    if (is_comment(line)) return;
    for (const char separator : kSeparators)
      if (!form && is_mot_row(line, separator)) form = TableForm{separator, false, 1, mot_columns(), {}};
    const bool damaged = std::any_of(std::begin(kSeparators), std::end(kSeparators),
                                     [&](char separator) { return is_damaged_mot_row(line, separator); });
    refused = !form && !damaged;
  });
  return form;
}

std::string lacking_columns(std::string_view text) {
  std::string said;
  bool first = true;
  for_each_line(text, [&](int64_t number, std::string_view line) {
    if (!std::exchange(first, false)) return;
    size_t most = 1;
    for (const char separator : kSeparators) {
      const std::vector<std::string> names = fields_of_row(without_comment(line), separator);
      const auto known = static_cast<size_t>(std::count_if(
          names.begin(), names.end(), [](const auto& name) { return known_names().contains(plain(name)); }));
      if (known <= most) continue;
      most = known;
      std::string list;
      for (size_t i = 0; i < std::min<size_t>(8, names.size()); ++i) list += (i == 0 ? "" : ", ") + names[i];
      said = "line " + std::to_string(number) + " names the columns " + list +
             (names.size() > 8 ? ", …" : "") + ", but none for " + lacking(columns_of(names));
    }
  });
  return said;
}

}  // namespace vantage::detections_detail
