#include "core/fusion/body_box.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/detections/skeletons.h"

namespace vantage {
namespace {

constexpr double kRadius_m = 0.24;
constexpr int kRingPoints = 12;
struct Ring {
  double height_share, radius_m;
};
constexpr std::array<Ring, 4> kRings = {
    {{0, kRadius_m}, {0.45, kRadius_m}, {0.8, kRadius_m}, {1, 0.45 * kRadius_m}}};
// Nearer in front of the camera a point of the body has no place in the picture.
constexpr double kNear_m = 0.1;

const std::array<std::array<double, 2>, kRingPoints>& directions() {
  static const auto all = [] {
    std::array<std::array<double, 2>, kRingPoints> made{};
    for (int i = 0; i < kRingPoints; ++i) {
      const double angle = 2 * std::numbers::pi * i / kRingPoints;
      made[i] = {std::cos(angle), std::sin(angle)};
    }
    return made;
  }();
  return all;
}

PixelBox inside_picture(const PixelBox& box, int width, int height) {
  const auto right = static_cast<float>(width) - 0.5F, bottom = static_cast<float>(height) - 0.5F;
  return {std::clamp(box.left, -0.5F, right), std::clamp(box.top, -0.5F, bottom),
          std::clamp(box.right, -0.5F, right), std::clamp(box.bottom, -0.5F, bottom)};
}

double distance(const PinholeCamera<double>& camera, double xw, double yw, double zw) {
  const double* r = camera.rotation_cam_from_world;
  const double* t = camera.translation_cam_from_world_m;
  const double x = r[0] * xw + r[1] * yw + r[2] * zw + t[0], y = r[3] * xw + r[4] * yw + r[5] * zw + t[1];
  const double z = r[6] * xw + r[7] * yw + r[8] * zw + t[2];
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

Pixel<double> project_beyond_lens(const PinholeCamera<double>& camera, double xw, double yw, double zw) {
  const double* r = camera.rotation_cam_from_world;
  const double* t = camera.translation_cam_from_world_m;
  const double z = r[6] * xw + r[7] * yw + r[8] * zw + t[2];
  if (!(z > kNear_m)) return {0, 0, false};
  const double x = (r[0] * xw + r[1] * yw + r[2] * zw + t[0]) / z;
  const double y = (r[3] * xw + r[4] * yw + r[5] * zw + t[1]) / z;
  const double radius2 = x * x + y * y;
  const double shrink = radius2 > camera.max_radius2 ? std::sqrt(camera.max_radius2 / radius2) : 1;
  double xd = 0, yd = 0;
  distort(camera, x * shrink, y * shrink, &xd, &yd);
  return {camera.fx_px * xd / shrink + camera.cx_px, camera.fy_px * yd / shrink + camera.cy_px, true};
}

PixelBox inside(const PixelBox& box, const PinholeCamera<double>& camera) {
  return inside_picture(box, camera.width_px, camera.height_px);
}

PixelBox box_of(const PersonDetection& detection, const PinholeCamera<double>& camera) {
  return inside({detection.left_px, detection.top_px, detection.left_px + detection.width_px,
                 detection.top_px + detection.height_px},
                camera);
}

double overlap(const PixelBox& a, const PixelBox& b) {
  const auto area = [](const PixelBox& box) {
    return std::max(0.0, double{box.right} - box.left) * std::max(0.0, double{box.bottom} - box.top);
  };
  const double both = area({std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                            std::min(a.bottom, b.bottom)});
  const double either = area(a) + area(b) - both;
  return either > 0 ? both / either : 0;
}

BodyBox body_box(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m) {
  BodyBox body;
  double left = std::numeric_limits<double>::infinity(), right = -left, top = left, bottom = -left;
  for (const Ring& ring : kRings)
    for (const auto& [dx, dy] : directions()) {
      const Pixel<double> place = project_beyond_lens(camera, x_m + ring.radius_m * dx,
                                                      y_m + ring.radius_m * dy, ring.height_share * height_m);
      if (!place.in_front) return body;
      left = std::min(left, place.x), right = std::max(right, place.x);
      top = std::min(top, place.y), bottom = std::max(bottom, place.y);
    }
  body.whole = {static_cast<float>(left), static_cast<float>(top), static_cast<float>(right),
                static_cast<float>(bottom)};
  body.cut = inside(body.whole, camera);
  body.distance_m = static_cast<float>(distance(camera, x_m, y_m, height_m / 2));
  body.seen = !is_empty(body.cut);
  return body;
}

namespace {

constexpr int kIgnoredColumns = 4, kIgnoredRows = 8;
// Shares of a box's height: of what is above its lower side at the feet, and of its distance from the
// picture's border that does not show them.
constexpr float kFeet = 0.02F, kAtBorder = 0.03F;
constexpr float kMinAtBorder_px = 2;

}  // namespace

uint32_t ignored_points(const PixelBox& box, const IgnoredPixels& ignored) {
  uint32_t points = 0;
  if (!ignored.any()) return points;
  const float step_x = (box.right - box.left) / kIgnoredColumns,
              step_y = (box.bottom - box.top) / kIgnoredRows;
  for (int row = 0; row < kIgnoredRows; ++row)
    for (int column = 0; column < kIgnoredColumns; ++column)
      if (ignored.at(box.left + (static_cast<float>(column) + 0.5F) * step_x,
                     box.top + (static_cast<float>(row) + 0.5F) * step_y))
        points |= 1U << (kIgnoredColumns * row + column);
  return points;
}

bool is_ignored(const PixelBox& inside, const IgnoredPixels& ignored, bool feet_seen) {
  if (!ignored.any() || is_empty(inside)) return false;
  if (2 * std::popcount(ignored_points(inside, ignored)) > kIgnoredColumns * kIgnoredRows) return true;
  const float height = inside.bottom - inside.top;
  const float border = static_cast<float>(ignored.height()) - 0.5F;
  if (!feet_seen || border - inside.bottom < std::max(kMinAtBorder_px, kAtBorder * height)) return false;
  return ignored.at((inside.left + inside.right) / 2, inside.bottom - kFeet * height);
}

void drop_ignored(const IgnoredPixels& ignored, std::vector<PersonDetection>* people) {
  if (!ignored.any()) return;
  std::erase_if(*people, [&](const PersonDetection& one) {
    const PixelBox box{one.left_px, one.top_px, one.left_px + one.width_px, one.top_px + one.height_px};
    return is_ignored(inside_picture(box, ignored.width(), ignored.height()), ignored, feet_seen(one));
  });
  for (PersonDetection& person : *people)
    for (Keypoint& joint : person.keypoints)
      if (ignored.at(joint.x_px, joint.y_px)) joint = {};
}

namespace {

constexpr double kStanding_m = 1.69, kStandingSpread_m = 0.09;
constexpr double kSeated_m = 1.28, kSeatedSpread_m = 0.08, kSeatedToStanding = 0.2;

// Density of a height that is known to within `deviation_m`, up to a common factor.
double density(double height_m, double usual_m, double spread_m, double deviation_m) {
  const double variance = spread_m * spread_m + deviation_m * deviation_m, off = height_m - usual_m;
  return std::exp(-off * off / (2 * variance)) / std::sqrt(variance);
}

}  // namespace

double seated_probability(double height_m, double deviation_m) {
  const double seated = kSeatedToStanding * density(height_m, kSeated_m, kSeatedSpread_m, deviation_m);
  const double standing = density(height_m, kStanding_m, kStandingSpread_m, deviation_m);
  return seated > 0 ? seated / (seated + standing) : 0;
}

}  // namespace vantage
