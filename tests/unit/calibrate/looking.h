// Poses of cameras for tests.
#pragma once

#include <Eigen/Geometry>

namespace vantage::test {

// camera_from_world of a camera at `from` that looks at `at`, x to the right.
inline Eigen::Isometry3d looking(const Eigen::Vector3d& from, const Eigen::Vector3d& at,
                                 const Eigen::Vector3d& up = Eigen::Vector3d::UnitZ()) {
  const Eigen::Vector3d z = (at - from).normalized(), x = z.cross(up).normalized();
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear().transpose() << x, z.cross(x), z;
  pose.translation() = -pose.linear() * from;
  return pose;
}

}  // namespace vantage::test
