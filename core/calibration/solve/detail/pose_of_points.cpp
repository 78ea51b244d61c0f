#include "core/calibration/solve/detail/pose_of_points.h"

#include <opencv2/calib3d.hpp>

namespace vantage {

std::optional<Eigen::Isometry3d> pose_of_points(std::span<const Eigen::Vector3d> points_in_world_m,
                                                std::span<const Eigen::Vector2d> seen) {
  if (seen.size() < 4) return {};
  std::vector<cv::Point3d> points;
  std::vector<cv::Point2d> pixels;
  for (size_t i = 0; i < seen.size(); ++i) {
    const Eigen::Vector3d& p = points_in_world_m[i];
    points.emplace_back(p.x(), p.y(), p.z()), pixels.emplace_back(seen[i].x(), seen[i].y());
  }
  cv::Vec3d turn, shift;
  try {
    if (!cv::solvePnP(points, pixels, cv::Matx33d::eye(), cv::noArray(), turn, shift, false,
                      cv::SOLVEPNP_SQPNP))
      return {};
  } catch (const cv::Exception&) {
    return {};  // points on one line, and the like
  }
  const Eigen::Vector3d axis(turn[0], turn[1], turn[2]);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  if (axis.norm() > 0) pose.linear() = Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
  pose.translation() = Eigen::Vector3d(shift[0], shift[1], shift[2]);
  if (!pose.matrix().allFinite()) return {};
  return pose;
}

}  // namespace vantage
