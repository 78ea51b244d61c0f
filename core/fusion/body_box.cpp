#include "core/fusion/body_box.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "core/detections/skeletons.h"
#include "core/geometry/lens_inverse.h"

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

namespace {

constexpr double kUsualHeight_m = 1.72, kHeightSpread_m = 0.09;

// The body's axis as joints at one height show it.
struct AxisPoint {
  double x_px = 0, y_px = 0, share = 0;
  double spread_m = 0;  // of such a point about the axis: people lean, and turn
};

// Joints of a pair are on either side of the axis.
void add_axis_point(std::span<const Keypoint> joints, double share, double spread_m,
                    std::vector<AxisPoint>* points) {
  AxisPoint point{0, 0, share, spread_m};
  for (const Keypoint& joint : joints) point.x_px += joint.x_px, point.y_px += joint.y_px;
  if (joints.empty()) return;
  point.x_px /= static_cast<double>(joints.size()), point.y_px /= static_cast<double>(joints.size());
  points->push_back(point);
}

std::vector<AxisPoint> axis_points(const PersonDetection& detection) {
  struct Level {
    double min_share, one_m, both_m;  // spreads of one joint, and of the middle of several
  };
  constexpr std::array<Level, 6> kLevels = {{{0.99, 0.1, 0.1},
                                             {0.9, 0.15, 0.12},
                                             {0.8, 0.2, 0.1},
                                             {0.5, 0.16, 0.12},
                                             {0.25, 0.2, 0.15},
                                             {0.03, 0.2, 0.15}}};
  const Skeleton* skeleton = skeleton_of_size(detection.keypoints.size());
  std::array<std::vector<Keypoint>, kLevels.size()> joints;
  std::array<double, kLevels.size()> shares{};
  std::array<bool, kLevels.size()> middle{};
  for (size_t i = 0; skeleton && i < detection.keypoints.size(); ++i) {
    const Keypoint& joint = detection.keypoints[i];
    const double share = height_share(skeleton->joints[i]);
    if (joint.score < kSeenJoint) continue;
    const auto level =
        std::ranges::find_if(kLevels, [&](const Level& one) { return share >= one.min_share; });
    if (level == kLevels.end()) continue;
    const auto at = static_cast<size_t>(level - kLevels.begin());
    middle[at] = middle[at] || skeleton->joints[i] == "neck" || skeleton->joints[i] == "hip";
    joints[at].push_back(joint);
    shares[at] += share;
  }
  std::vector<AxisPoint> points;
  for (size_t i = 0; i < kLevels.size(); ++i) {
    const size_t count = joints[i].size();
    add_axis_point(joints[i], shares[i] / static_cast<double>(std::max<size_t>(count, 1)),
                   count > 1 || middle[i] ? kLevels[i].both_m : kLevels[i].one_m, &points);
  }
  return points;
}

// The body of a standing person whose joints are at the usual shares of their height, by least squares: where
// a camera looks down, no box in the picture tells that. Nothing where the joints lie at or above the
// horizon.
std::optional<BodyBox> body_of_joints(const PersonDetection& detection, const PinholeCamera<double>& camera) {
  const std::vector<AxisPoint> points = axis_points(detection);
  if (points.empty()) return std::nullopt;
  const AxisPoint& first = points.front();
  const auto bent = straightened(
      camera, {(first.x_px - camera.cx_px) / camera.fx_px, (first.y_px - camera.cy_px) / camera.fy_px});
  if (!bent) return std::nullopt;
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> rotation(camera.rotation_cam_from_world);
  const Eigen::Map<const Eigen::Vector3d> translation(camera.translation_cam_from_world_m);
  const Eigen::Vector3d center = -rotation.transpose() * translation;
  const Eigen::Vector3d ray = rotation.transpose() * Eigen::Vector3d(bent->x(), bent->y(), 1);
  constexpr double kFarthest_m = 100;
  const double away = (first.share * kUsualHeight_m - center.z()) / ray.z();
  if (!(away > kNear_m) || !(away < kFarthest_m)) return std::nullopt;
  Eigen::Vector3d body(center.x() + away * ray.x(), center.y() + away * ray.y(), kUsualHeight_m);
  const double focal_px = std::sqrt(camera.fx_px * camera.fy_px);
  const auto residuals = [&](const Eigen::Vector3d& at) -> std::optional<Eigen::VectorXd> {
    Eigen::VectorXd off(2 * points.size() + 1);
    for (size_t i = 0; i < points.size(); ++i) {
      const Pixel<double> seen = project_beyond_lens(camera, at.x(), at.y(), points[i].share * at.z());
      if (!seen.in_front) return std::nullopt;
      const double spread_px = points[i].spread_m * focal_px /
                               std::max(kNear_m, distance(camera, at.x(), at.y(), points[i].share * at.z()));
      off[2 * i] = (seen.x - points[i].x_px) / spread_px,
              off[2 * i + 1] = (seen.y - points[i].y_px) / spread_px;
    }
    off[2 * points.size()] = (at.z() - kUsualHeight_m) / kHeightSpread_m;
    return off;
  };
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    const auto off = residuals(body);
    if (!off) return std::nullopt;
    Eigen::MatrixXd slopes(off->size(), 3);
    constexpr double kStep_m = 1e-4;
    for (int axis = 0; axis < 3; ++axis) {
      const auto moved = residuals(body + kStep_m * Eigen::Vector3d::Unit(axis));
      if (!moved) return std::nullopt;
      slopes.col(axis) = (*moved - *off) / kStep_m;
    }
    const Eigen::Vector3d step = (slopes.transpose() * slopes).ldlt().solve(slopes.transpose() * *off);
    if (!step.allFinite() || step.norm() > kFarthest_m) return std::nullopt;
    body -= step;
    if (step.norm() < 1e-3) break;
  }
  return body_box(camera, body.x(), body.y(), body.z());
}

}  // namespace

PixelBox box_of(const PersonDetection& detection, const PinholeCamera<double>& camera) {
  if (is_box_from_joints(detection))
    if (const auto body = body_of_joints(detection, camera); body && body->seen) return body->cut;
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
