// Lines of the world in a view: projected, bent as the lens bends them, and cut where the view ends. One code
// for camera pictures (any calibration) and for the 3-D scene: a view is given by how it projects a point.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/upright_box.h"

namespace vantage {

// A view's pixel of a world point; nothing where the view has none (behind the eye, beyond the lens model).
using WorldProjection =
    std::function<std::optional<Eigen::Vector2d>(const Eigen::Vector3d& point_in_world_m)>;
using PixelStrip = std::vector<Eigen::Vector2d>;

struct WorldView {
  WorldProjection project;
  // Pixels outside are cut off: no line runs to infinity. Larger than what is seen, so that a cut never
  // shows.
  Eigen::AlignedBox2d bounds_px;
};

// A camera's view: its pixels, bounds one picture's size around the picture.
WorldView camera_view(const Camera& camera);

// The strips that remain of a polyline: each at most 0.25 px from the true curve at the points between, cut
// to within 1e-5 of a segment's length. A closed one also joins its last point to its first.
std::vector<PixelStrip> project_polyline(const WorldView& view,
                                         std::span<const Eigen::Vector3d> points_in_world_m, bool closed);

// ---- shapes, as polylines in the world

// A circle on a horizontal plane.
std::vector<Eigen::Vector3d> circle_in_world_m(const Eigen::Vector3d& center_in_world_m, double radius_m);

// The height of the figure that marks a position.
inline constexpr double kStandingFigure_m = 1.75;
// The outline of a standing person of that height at a position, flat and turned towards an eye; closed.
// Proportions after Leonardo's eight heads.
std::vector<Eigen::Vector3d> standing_figure_in_world_m(const Eigen::Vector3d& place_in_world_m,
                                                        double height_m,
                                                        const Eigen::Vector3d& eye_in_world_m);

// The upright rectangle in the view that holds a person of that height and a radius of 0.28 m; nothing when
// no part of it is in the view.
std::optional<Eigen::AlignedBox2d> person_rectangle_px(const WorldView& view,
                                                       const Eigen::Vector3d& place_in_world_m,
                                                       double height_m);

}  // namespace vantage
