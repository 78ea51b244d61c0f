#include "core/calibration/solve/world_from_points.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Points nearer than this to one line say nothing of a plane.
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
    return fail(ErrorKind::bad_data, formatted("%zu points are too few for %s", points.size(), what),
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
    return fail(ErrorKind::bad_data,
                formatted("%ld cameras are on one side of these points' plane and %ld on the other",
                          static_cast<long>(above), below),
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
      return fail(ErrorKind::invalid_argument, formatted("a length of %g m is not positive", one.length_m),
                  "calibration", "Give the length in metres.");
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

}  // namespace vantage
