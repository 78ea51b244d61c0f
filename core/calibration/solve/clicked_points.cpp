#include "core/calibration/solve/clicked_points.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/csv_fields.h"

namespace vantage {
namespace {

constexpr std::string_view kHeader = "point,camera,x_px,y_px";
constexpr std::string_view kHeaderKnown = "point,camera,x_px,y_px,x_m,y_m,z_m";
constexpr size_t kFields = 4, kFieldsKnown = 7;

// What is wrong is thrown as a text within this file.
double number_of(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    throw "\"" + std::string(text) + "\" is not a number";
  return number;
}

bool all_empty(const std::vector<std::string_view>& fields, size_t begin, size_t end) {
  return std::all_of(fields.begin() + static_cast<long>(begin), fields.begin() + static_cast<long>(end),
                     [](std::string_view field) { return field.empty(); });
}

ClickedPoint& point_named(std::vector<ClickedPoint>& points, std::string_view name) {
  for (ClickedPoint& point : points)
    if (point.name == name) return point;
  return points.emplace_back(ClickedPoint{std::string(name), {}, {}});
}

void add_line(const std::vector<std::string_view>& fields, std::vector<ClickedPoint>* points) {
  if (fields[0].empty()) throw std::string("the point has no name");
  ClickedPoint& point = point_named(*points, fields[0]);
  const bool has_click = !all_empty(fields, 1, kFields);
  const bool has_place = fields.size() == kFieldsKnown && !all_empty(fields, kFields, kFieldsKnown);
  if (!has_click && !has_place) throw std::string("the line holds neither a click nor coordinates");
  if (has_click) {
    if (fields[1].empty()) throw std::string("the click has no camera");
    for (const PointClick& click : point.clicks)
      if (click.camera == fields[1])
        throw point.name + " was clicked in " + click.camera + " on an earlier line already";
    point.clicks.push_back({std::string(fields[1]), {number_of(fields[2]), number_of(fields[3])}});
  }
  if (!has_place) return;
  const Eigen::Vector3d place(number_of(fields[4]), number_of(fields[5]), number_of(fields[6]));
  if (point.known_m && *point.known_m != place)
    throw point.name + " has other coordinates on an earlier line";
  point.known_m = place;
}

std::string text_of(double number) {
  std::array<char, 32> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

}  // namespace

Result<std::vector<ClickedPoint>> read_clicked_points(std::string_view text, const std::string& source) {
  std::vector<ClickedPoint> points;
  size_t number = 0, expected = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    const std::string_view content = trimmed(line);
    if (content.empty()) continue;
    const std::vector<std::string_view> fields = csv_fields(line);
    const auto bad = [&](std::string what) {
      return fail(ErrorKind::bad_data, std::move(what), source + ", line " + std::to_string(number),
                  "Give the header " + std::string(kHeaderKnown) + " and one click a line.");
    };
    if (expected == 0) {
      expected = content == kHeader ? kFields : content == kHeaderKnown ? kFieldsKnown : 0;
      if (expected == 0) return bad("the header is not " + std::string(kHeader) + "[,x_m,y_m,z_m]");
      continue;
    }
    if (fields.size() != expected)
      return bad(std::to_string(fields.size()) + " fields, not as many as the header");
    try {
      add_line(fields, &points);
    } catch (const std::string& what) {
      return bad(what);
    }
  }
  if (points.empty())
    return fail(ErrorKind::bad_data, "the file holds no points", source,
                "Give the header " + std::string(kHeaderKnown) + " and one click a line.");
  return points;
}

std::string write_clicked_points(std::span<const ClickedPoint> points) {
  std::string text = std::string(kHeaderKnown) + '\n';
  for (const ClickedPoint& point : points) {
    std::string place = ",,,";
    if (point.known_m)
      place = ',' + text_of(point.known_m->x()) + ',' + text_of(point.known_m->y()) + ',' +
              text_of(point.known_m->z());
    if (point.clicks.empty() && point.known_m) text += point.name + ",,," + place + '\n';
    for (const PointClick& click : point.clicks)
      text += point.name + ',' + click.camera + ',' + text_of(click.at_px.x()) + ',' +
              text_of(click.at_px.y()) + place + '\n';
  }
  return text;
}

}  // namespace vantage
