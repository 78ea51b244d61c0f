#include "core/geometry/upright_box.h"

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

}  // namespace vantage
