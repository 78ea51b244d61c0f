#include "core/export/case/detail/body_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/fusion/body_box.h"

namespace vantage::case_detail {
namespace {

constexpr double kTrunkRadius_m = 0.24;
constexpr double kReachRadius_m = 0.68;  // a long stride, an arm that swings, and what places are off
constexpr double kAbove_m = 0.12;        // hair, hats, and what heights are off
constexpr double kBelow_m = 0.05;        // soles, and what places are off
constexpr int kRingPoints = 16;
constexpr std::array<double, 5> kRings = {0, 0.25, 0.5, 0.8, 1};
constexpr double kTopShare = 0.6;  // of the radius, over the head

double cross(const Eigen::Vector2d& o, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

// A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
Polygon convex_hull(Polygon points) {
  if (points.size() < 3) return points;
  std::sort(points.begin(), points.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  Polygon hull;
  for (int side = 0; side < 2; ++side) {
    const size_t begin = hull.size();
    for (const Eigen::Vector2d& point : points) {
      while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), point) <= 0)
        hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

struct Hull {
  Polygon polygon;
  bool behind = false;      // the camera has no place for some of the points
  bool in_picture = false;  // some lie in the picture, or near it
};

// The hull of rings about the axis.
Hull hull_of_rings(const PinholeCamera<double>& camera, double x_m, double y_m, double bottom_m, double top_m,
                   double radius_m) {
  constexpr double kNear = 0.1;  // of the picture's size
  Hull hull;
  Polygon points;
  for (const double share : kRings)
    for (int i = 0; i < kRingPoints; ++i) {
      const double angle = 2 * std::numbers::pi * i / kRingPoints;
      const double radius = share == 1 ? kTopShare * radius_m : radius_m;
      const Pixel<double> place =
          project_beyond_lens(camera, x_m + radius * std::cos(angle), y_m + radius * std::sin(angle),
                              bottom_m + share * (top_m - bottom_m));
      hull.behind = hull.behind || !place.in_front;
      if (!place.in_front) continue;
      points.emplace_back(place.x, place.y);
      hull.in_picture = hull.in_picture ||
                        (place.x > -kNear * camera.width_px && place.x < (1 + kNear) * camera.width_px &&
                         place.y > -kNear * camera.height_px && place.y < (1 + kNear) * camera.height_px);
    }
  hull.polygon = convex_hull(std::move(points));
  return hull;
}

double depth_m(const PinholeCamera<double>& camera, double x_m, double y_m, double z_m) {
  const double* r = camera.rotation_cam_from_world;
  return r[6] * x_m + r[7] * y_m + r[8] * z_m + camera.translation_cam_from_world_m[2];
}

double distance_m(const PinholeCamera<double>& camera, double x_m, double y_m, double z_m) {
  const double* r = camera.rotation_cam_from_world;
  const double* t = camera.translation_cam_from_world_m;
  return std::hypot(r[0] * x_m + r[1] * y_m + r[2] * z_m + t[0], r[3] * x_m + r[4] * y_m + r[5] * z_m + t[1],
                    r[6] * x_m + r[7] * y_m + r[8] * z_m + t[2]);
}

}  // namespace

BodyOutline body_outline(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m) {
  BodyOutline outline;
  Hull reach = hull_of_rings(camera, x_m, y_m, -kBelow_m, height_m + kAbove_m, kReachRadius_m);
  // Positions next to or below the camera, where it does not look.
  if (reach.polygon.empty() || (reach.behind && !reach.in_picture)) return outline;
  outline.reach = std::move(reach.polygon);
  outline.too_near = reach.behind;
  outline.trunk = hull_of_rings(camera, x_m, y_m, 0, height_m, kTrunkRadius_m).polygon;
  const Pixel<double> foot = project_beyond_lens(camera, x_m, y_m, 0);
  const Pixel<double> top = project_beyond_lens(camera, x_m, y_m, height_m);
  outline.foot_px = {foot.x, foot.y}, outline.top_px = {top.x, top.y};
  const double focal_px = 0.5 * (camera.fx_px + camera.fy_px);
  const auto radius_at = [&](double z_m) {
    return kTrunkRadius_m * focal_px / std::max(0.1, depth_m(camera, x_m, y_m, z_m));
  };
  outline.foot_radius_px = radius_at(0), outline.top_radius_px = radius_at(height_m);
  const auto [low, high] =
      std::minmax_element(outline.reach.begin(), outline.reach.end(),
                          [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.y() < b.y(); });
  outline.height_px = high->y() - low->y();
  outline.distance_m = distance_m(camera, x_m, y_m, height_m / 2);
  return outline;
}

double BodyOutline::away(const Eigen::Vector2d& pixel_px) const {
  const Eigen::Vector2d along = top_px - foot_px;
  const double length2 = along.squaredNorm();
  const double share = length2 > 0 ? std::clamp((pixel_px - foot_px).dot(along) / length2, 0.0, 1.0) : 0.0;
  const double radius = foot_radius_px + share * (top_radius_px - foot_radius_px);
  return (pixel_px - (foot_px + share * along)).norm() / std::max(radius, 0.5);
}

double area_px(const Polygon& polygon) {
  double twice = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d& a = polygon[i];
    const Eigen::Vector2d& b = polygon[(i + 1) % polygon.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return std::abs(twice) / 2;
}

}  // namespace vantage::case_detail
