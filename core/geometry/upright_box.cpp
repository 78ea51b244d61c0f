#include "core/geometry/upright_box.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vantage {
namespace {

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

}  // namespace

Eigen::Vector3d UprightBox::to_world_m(const Eigen::Vector3d& own_m) const {
  const double c = std::cos(radians(turn_degrees)), s = std::sin(radians(turn_degrees));
  return base_in_world_m +
         Eigen::Vector3d(c * own_m.x() - s * own_m.y(), s * own_m.x() + c * own_m.y(), own_m.z());
}

Eigen::Vector3d UprightBox::to_own_m(const Eigen::Vector3d& world_m) const {
  const double c = std::cos(radians(turn_degrees)), s = std::sin(radians(turn_degrees));
  const Eigen::Vector3d d = world_m - base_in_world_m;
  return {c * d.x() + s * d.y(), -s * d.x() + c * d.y(), d.z()};
}

std::array<Eigen::Vector3d, 8> UprightBox::corners_in_world_m() const {
  constexpr double kSigns[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  std::array<Eigen::Vector3d, 8> corners;
  for (size_t i = 0; i < corners.size(); ++i)
    corners[i] =
        to_world_m(size_m.cwiseProduct(Eigen::Vector3d(kSigns[i % 4][0], kSigns[i % 4][1], i < 4 ? 0 : 1)));
  return corners;
}

const NamedBox* box_named(const std::vector<NamedBox>& boxes, std::string_view name) {
  const auto found =
      std::find_if(boxes.begin(), boxes.end(), [&](const NamedBox& one) { return one.name == name; });
  return found == boxes.end() ? nullptr : &*found;
}

NamedBox* box_named(std::vector<NamedBox>& boxes, std::string_view name) {
  return const_cast<NamedBox*>(box_named(std::as_const(boxes), name));
}

std::string free_box_name(const std::vector<NamedBox>& boxes) {
  for (size_t number = 1;; ++number) {
    std::string name = fmt::format("box {}", number);
    if (!box_named(boxes, name)) return name;
  }
}

std::vector<size_t> nearest_corners(const UprightBox& box,
                                    std::span<const Eigen::Vector3d> points_in_world_m) {
  const auto corners = box.corners_in_world_m();
  std::vector<size_t> nearest;
  for (const Eigen::Vector3d& point : points_in_world_m)
    nearest.push_back(
        static_cast<size_t>(std::min_element(corners.begin(), corners.end(),
                                             [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
                                               return (a - point).squaredNorm() < (b - point).squaredNorm();
                                             }) -
                            corners.begin()));
  return nearest;
}

UprightBox snapped(const UprightBox& box, std::span<const Eigen::Vector3d> points_in_world_m) {
  constexpr int kMaxTurns = 20;
  if (points_in_world_m.empty()) return box;
  UprightBox own = box;  // its corners about the middle of its lower face
  own.base_in_world_m.setZero(), own.turn_degrees = 0;
  const auto corners = own.corners_in_world_m();
  const double count = static_cast<double>(points_in_world_m.size());
  UprightBox found = box;
  std::vector<size_t> before;
  for (int turn = 0; turn < kMaxTurns; ++turn) {
    const std::vector<size_t> nearest = nearest_corners(found, points_in_world_m);
    if (nearest == before) break;
    before = nearest;
    Eigen::Vector3d middle = Eigen::Vector3d::Zero(), own_middle = middle;
    for (size_t i = 0; i < nearest.size(); ++i)
      middle += points_in_world_m[i] / count, own_middle += corners[nearest[i]] / count;
    double along = 0, across = 0;
    for (size_t i = 0; i < nearest.size(); ++i) {
      const Eigen::Vector3d point = points_in_world_m[i] - middle, corner = corners[nearest[i]] - own_middle;
      along += corner.x() * point.x() + corner.y() * point.y();
      across += corner.x() * point.y() - corner.y() * point.x();
    }
    if (std::hypot(along, across) > 1e-9)
      found.turn_degrees = std::atan2(across, along) * 180 / std::numbers::pi;
    found.base_in_world_m.setZero();
    found.base_in_world_m = middle - found.to_world_m(own_middle);
  }
  return found;
}

}  // namespace vantage
