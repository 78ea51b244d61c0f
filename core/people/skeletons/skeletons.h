// The joints of people in the scene, from the joints that detectors see in several cameras' pictures
// (core/pipeline/person_skeletons.h), and limbs that keep their lengths (limb_lengths.h).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/parameters.h"
#include "core/detections/skeletons.h"

namespace vantage {

struct SkeletonParameters {
  bool enabled = false;
  double min_score = 0.2;
  double gate_m = 0.12;
  double max_deviation_m = 0.15;
};
template <>
const ParameterTable& parameter_table<SkeletonParameters>();

// A joint where the rays of at least two cameras agree.
struct SceneJoint {
  Eigen::Vector3d point_in_world_m = Eigen::Vector3d::Zero();
  Eigen::Matrix3d covariance_m2 = Eigen::Matrix3d::Zero();
  // 0 to 1: the probability that one of the agreeing cameras is right, by their scores, times the share
  // that they have of the scores of all cameras that see the joint.
  double confidence = 0;
  std::vector<int32_t> cameras;  // whose rays agree, ascending

  double deviation_m() const;  // standard deviation in the direction in which it is least sure
};

struct PersonSkeleton {
  const Skeleton* layout = nullptr;               // null: no camera has joints of the person
  std::vector<std::optional<SceneJoint>> joints;  // in the layout's order; nothing: not known
  int64_t known() const;                          // how many are
};

}  // namespace vantage
