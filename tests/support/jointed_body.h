// A person with the joints of BODY_25, arms and legs of constant lengths, and what cameras see of it.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/detections/detections.h"
#include "core/detections/skeletons.h"
#include "core/geometry/camera.h"

namespace vantage::test {

struct JointedBody {
  double x_m = 0, y_m = 0;
  double heading_rad = 0;  // towards x at 0
  double swing_rad = 0;    // of arms and legs, to the front on the left and to the back on the right
};

inline constexpr double kUpperArm_m = 0.29, kForearm_m = 0.25, kThigh_m = 0.42, kShin_m = 0.41, kFoot_m = 0.2;
inline constexpr double kShoulders_m = 0.36, kHips_m = 0.26, kBody_m = 1.72;

// In BODY_25's order.
inline std::vector<Eigen::Vector3d> joints_of(const JointedBody& body) {
  const Skeleton& layout = *find_skeleton("BODY_25");
  std::vector<Eigen::Vector3d> joints(layout.joints.size());
  const auto set = [&](std::string_view name, const Eigen::Vector3d& at) { joints[layout.joint(name)] = at; };
  // The body's own axes: to the front, to the left, up.
  set("nose", {0.1, 0, 1.58}), set("neck", {0, 0, 1.42}), set("hip", {0, 0, 0.9});
  for (const double side : {1.0, -1.0}) {
    const std::string start = side > 0 ? "left_" : "right_";
    const auto along = [&](double bend) {
      return Eigen::Vector3d(std::sin(side * body.swing_rad + bend), 0,
                             -std::cos(side * body.swing_rad + bend));
    };
    const Eigen::Vector3d shoulder(0, side * kShoulders_m / 2, 1.42), hip(0, side * kHips_m / 2, 0.9);
    const Eigen::Vector3d elbow = shoulder + kUpperArm_m * along(0), knee = hip + kThigh_m * along(0);
    const Eigen::Vector3d ankle = knee + kShin_m * along(-0.2);
    set(start + "eye", {0.08, side * 0.03, 1.62}), set(start + "ear", {0, side * 0.08, 1.6});
    set(start + "shoulder", shoulder), set(start + "elbow", elbow),
        set(start + "wrist", elbow + kForearm_m * along(0.4));
    set(start + "hip", hip), set(start + "knee", knee), set(start + "ankle", ankle);
    set(start + "heel", ankle + Eigen::Vector3d(-0.05, 0, -0.06));
    set(start + "big_toe", ankle + Eigen::Vector3d(kFoot_m, 0, 0));
    set(start + "small_toe", ankle + Eigen::Vector3d(kFoot_m - 0.03, side * 0.05, 0));
  }
  const Eigen::AngleAxisd turn(body.heading_rad, Eigen::Vector3d::UnitZ());
  for (Eigen::Vector3d& joint : joints) joint = turn * joint + Eigen::Vector3d(body.x_m, body.y_m, 0);
  return joints;
}

// As a perfect detector sees it: joints in the picture have the score, others 0. Without a box.
inline PersonDetection seen_joints(const Camera& camera, const std::vector<Eigen::Vector3d>& joints,
                                   float score = 0.8F) {
  PersonDetection seen;
  seen.score = score;
  for (const Eigen::Vector3d& joint : joints) {
    const auto pixel = camera.project(joint);
    if (pixel && camera.sees(joint))
      seen.keypoints.push_back({static_cast<float>(pixel->x()), static_cast<float>(pixel->y()), score});
    else
      seen.keypoints.emplace_back();
  }
  return seen;
}

}  // namespace vantage::test
