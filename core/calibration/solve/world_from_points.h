// Floor, origin, up and scale of a world, from points of the scene: a change of the world that keeps every
// picture as it is (core/geometry/camera.h).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"

namespace vantage {

struct WorldFit {
  WorldChange change;
  std::vector<double> off_m;  // residual of each floor point, length or pair
};

struct LevelInput {
  std::vector<Eigen::Vector3d> floor_m;  // three at least, not on one line
  std::vector<Eigen::Vector3d> above_m;  // points above the floor: the cameras' centres
  // Becomes (0, 0) of the floor; nothing: the point of the floor nearest to the former origin.
  std::optional<Eigen::Vector3d> origin_m;
  // The x axis runs from the origin towards it; nothing: as near to the former one as the floor lets it.
  std::optional<Eigen::Vector3d> towards_x_m;
};
// The plane through the floor points by least squares becomes z = 0. The scale is kept. Errors: bad_data if
// they are fewer than three or on one line, or if points above lie on both sides.
Result<WorldFit> level_world(const LevelInput& input);

struct KnownLength {
  Eigen::Vector3d from_m, to_m;
  double length_m = 0;
};
// Scale by measured lengths, by least squares; the origin is kept. Errors: invalid_argument on a length that
// is not positive, bad_data if two ends are one.
Result<WorldFit> scale_world(std::span<const KnownLength> lengths);

struct KnownPlace {
  Eigen::Vector3d before_m, after_m;
};
// The similarity that takes each point to its known position, by least squares (S. Umeyama, "Least-squares
// estimation of transformation parameters between two point patterns", 1991). Errors: bad_data if fewer than
// three are given or they lie on one line.
Result<WorldFit> align_world(std::span<const KnownPlace> places);

// Files of clicked points (core/geometry/clicked_point.h).

// CSV: the header point,camera,x_px,y_px or point,camera,x_px,y_px,x_m,y_m,z_m, then a click a line. Known
// coordinates are in one of a point's lines at least, or in a line of their own whose camera and pixel are
// empty. Errors name the line: bad_data.
Result<std::vector<ClickedPoint>> read_clicked_points(std::string_view text, const std::string& source);
std::string write_clicked_points(std::span<const ClickedPoint> points);

}  // namespace vantage
