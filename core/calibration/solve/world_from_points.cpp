#include "core/calibration/solve/world_from_points.h"

#include <fmt/core.h>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Points nearer than this to one line determine no plane.
constexpr double kMinAcross_m = 0.02;

struct Spread {
  Eigen::Vector3d middle;
  Eigen::Matrix3d axes;    // columns: along the points, across, away from their plane
  Eigen::Vector3d size_m;  // root mean square along each
};

Spread spread_of(const std::vector<Eigen::Vector3d>& points) {
  Eigen::MatrixXd all(3, static_cast<Eigen::Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = points[i];
  const Eigen::Vector3d middle = all.rowwise().mean();
  all.colwise() -= middle;
  const Eigen::JacobiSVD<Eigen::MatrixXd> parts(all, Eigen::ComputeFullU);
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  size.head(parts.singularValues().size()) = parts.singularValues();
  return {middle, parts.matrixU(), size / std::sqrt(static_cast<double>(points.size()))};
}

Status check_spread(const std::vector<Eigen::Vector3d>& points, const char* what) {
  if (points.size() < 3)
    return fail(ErrorKind::bad_data, fmt::format("{} points are too few for {}", points.size(), what),
                "calibration", "Name three points or more, not on one line.");
  if (spread_of(points).size_m[1] < kMinAcross_m)
    return fail(ErrorKind::bad_data, "the points lie on one line", "calibration",
                "Name a point away from that line, too.");
  return {};
}

// The direction, less what of it is along `normal`; nothing where nothing is left.
std::optional<Eigen::Vector3d> across(const Eigen::Vector3d& direction, const Eigen::Vector3d& normal) {
  const Eigen::Vector3d flat = direction - normal * normal.dot(direction);
  if (flat.norm() < 1e-3 * direction.norm() || direction.norm() == 0) return {};
  return flat.normalized();
}

}  // namespace

Result<WorldFit> level_world(const LevelInput& input) {
  VANTAGE_TRY(check_spread(input.floor_m, "a floor"));
  const Spread floor = spread_of(input.floor_m);
  Eigen::Vector3d up = floor.axes.col(2);
  const auto above = std::count_if(input.above_m.begin(), input.above_m.end(),
                                   [&](const auto& point) { return up.dot(point - floor.middle) > 0; });
  const auto below = static_cast<long>(input.above_m.size()) - above;
  if (above > 0 && below > 0)
    return fail(
        ErrorKind::bad_data,
        fmt::format("{} cameras are on one side of these points' plane and {} on the other", above, below),
        "calibration", "Name points that lie on the floor.");
  if (below > 0 || (input.above_m.empty() && up.z() < 0)) up = -up;
  const auto on_floor = [&](const Eigen::Vector3d& point) {
    return Eigen::Vector3d(point - up * up.dot(point - floor.middle));
  };
  const Eigen::Vector3d origin = on_floor(input.origin_m.value_or(Eigen::Vector3d::Zero()));
  std::optional<Eigen::Vector3d> x;
  if (input.towards_x_m) {
    x = across(*input.towards_x_m - origin, up);
    if (!x || (on_floor(*input.towards_x_m) - origin).norm() < kMinAcross_m)
      return fail(ErrorKind::bad_data, "the point for the x axis is the origin", "calibration",
                  "Name another point.");
  } else {
    x = across(Eigen::Vector3d::UnitX(), up);
    if (!x) x = across(Eigen::Vector3d::UnitY(), up);
  }
  WorldFit fit;
  fit.change.rotation.row(0) = *x, fit.change.rotation.row(1) = up.cross(*x), fit.change.rotation.row(2) = up;
  fit.change.translation_m = -(fit.change.rotation * origin);
  for (const Eigen::Vector3d& point : input.floor_m) fit.off_m.push_back(fit.change(point).z());
  return fit;
}

Result<WorldFit> scale_world(std::span<const KnownLength> lengths) {
  double wanted = 0, found = 0;
  for (const KnownLength& one : lengths) {
    const double length_m = (one.to_m - one.from_m).norm();
    if (!(one.length_m > 0) || !std::isfinite(one.length_m))
      return fail(ErrorKind::invalid_argument,
                  fmt::format("a length of {:g} m is not positive", one.length_m), "calibration",
                  "Give the length in metres.");
    if (!(length_m > 1e-6))
      return fail(ErrorKind::bad_data, "both ends of a length are at the same place", "calibration",
                  "Name two different points.");
    wanted += one.length_m * length_m, found += length_m * length_m;
  }
  if (lengths.empty())
    return fail(ErrorKind::invalid_argument, "no length is given", "calibration", "Give one.");
  WorldFit fit;
  fit.change.scale = wanted / found;
  for (const KnownLength& one : lengths)
    fit.off_m.push_back(fit.change.scale * (one.to_m - one.from_m).norm() - one.length_m);
  return fit;
}

Result<WorldFit> align_world(std::span<const KnownPlace> places) {
  std::vector<Eigen::Vector3d> before, after;
  for (const KnownPlace& place : places) before.push_back(place.before_m), after.push_back(place.after_m);
  VANTAGE_TRY(check_spread(before, "a world"));
  VANTAGE_TRY(check_spread(after, "a world"));
  Eigen::Matrix3Xd from(3, static_cast<Eigen::Index>(places.size())), to = from;
  for (size_t i = 0; i < places.size(); ++i)
    from.col(static_cast<Eigen::Index>(i)) = before[i], to.col(static_cast<Eigen::Index>(i)) = after[i];
  const Eigen::Matrix4d similarity = similarity_between(from, to, true);
  WorldFit fit;
  fit.change.scale = similarity.block<3, 3>(0, 0).col(0).norm();
  fit.change.rotation = similarity.block<3, 3>(0, 0) / fit.change.scale;
  fit.change.translation_m = similarity.block<3, 1>(0, 3);
  for (const KnownPlace& place : places)
    fit.off_m.push_back((fit.change(place.before_m) - place.after_m).norm());
  return fit;
}

namespace {

constexpr std::string_view kHeader = "point,camera,x_px,y_px";
constexpr std::string_view kHeaderKnown = "point,camera,x_px,y_px,x_m,y_m,z_m";
constexpr size_t kFields = 4, kFieldsKnown = 7;

// Errors are thrown as a text within this file.
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
