// The joints of people in the scene, from the joints that detectors see in several cameras' pictures
// (core/pipeline/person_skeletons.h), and limbs that keep their lengths (skeletons.h).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
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

// A person's limbs keep their lengths: these come from all frames of a person, and every frame's joints are
// then moved to where both what the cameras saw and the lengths are most likely.
//
// The length of a limb is the median over the frames in which both its joints are known, of left and right
// together. A limb's length is off by
//
//   r = (|a - b| - length) / sqrt(kLength_m^2 + u' C_a u + u' C_b u)
//
// with u the direction from a to b and C the joints' covariances. While any |r| exceeds kBroken, the joint
// that most such limbs share is dropped, of as many the least confident one: no joint rather than a wrong
// one. The rest is the minimum of
//
//   sum (x - p)' C^-1 (x - p) + sum ((|x_a - x_b| - length) / kLength_m)^2
//
// over the joints x about the triangulated places p, by Gauss-Newton steps.

inline constexpr double kLength_m = 0.02;  // standard deviation of a limb's length: joints are no points
inline constexpr double kBroken = 4;
inline constexpr int64_t kMinLengths = 10;  // fewer say nothing about a limb

// The lengths of one person's rigid limbs (Limb::rigid).
class LimbLengths {
 public:
  // A frame's skeleton, in any order.
  void add(const PersonSkeleton& skeleton);
  // The median, by the limb's name; limbs seen in fewer than kMinLengths are not there.
  std::map<std::string_view, double> lengths_m() const;

 private:
  std::map<std::string_view, std::vector<double>> seen_m_;
};

// The skeleton with limbs of these lengths. Covariances and confidences stay.
PersonSkeleton with_limb_lengths(PersonSkeleton skeleton,
                                 const std::map<std::string_view, double>& lengths_m);

}  // namespace vantage
