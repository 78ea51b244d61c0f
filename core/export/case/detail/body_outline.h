// A person's body as a camera would show it: from the position on the floor, the height and the calibration
// alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/projection.h"

namespace vantage::case_detail {

using Polygon = std::vector<Eigen::Vector2d>;  // convex, pixels

struct BodyOutline {
  Polygon trunk;                                      // the upright body; most of its pixels show the person
  Polygon reach;                                      // wherever limbs, bags and hair may be
  Eigen::Vector2d foot_px = {0, 0}, top_px = {0, 0};  // of the body's axis
  double foot_radius_px = 0, top_radius_px = 0;       // of the trunk there
  double height_px = 0;                               // of `reach`
  double distance_m = 0;                              // of the body's middle from the camera
  bool too_near = false;                              // partly behind the camera: the outlines are not valid

  // How far a pixel is from the axis, in radii of the trunk: below 1 in the trunk.
  double away(const Eigen::Vector2d& pixel_px) const;
};

// The outlines of a body outside the camera's view, behind it or next to it, have no corners.
BodyOutline body_outline(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m);

double area_px(const Polygon& polygon);

}  // namespace vantage::case_detail
