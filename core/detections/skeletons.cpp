#include "core/detections/skeletons.h"

#include <algorithm>
#include <array>

namespace vantage {
namespace {

constexpr std::string_view kBody25[] = {"nose",        "neck",          "right_shoulder",
                                        "right_elbow", "right_wrist",   "left_shoulder",
                                        "left_elbow",  "left_wrist",    "hip",
                                        "right_hip",   "right_knee",    "right_ankle",
                                        "left_hip",    "left_knee",     "left_ankle",
                                        "right_eye",   "left_eye",      "right_ear",
                                        "left_ear",    "left_big_toe",  "left_small_toe",
                                        "left_heel",   "right_big_toe", "right_small_toe",
                                        "right_heel"};
constexpr std::string_view kCoco18[] = {
    "nose",       "neck",       "right_shoulder", "right_elbow", "right_wrist", "left_shoulder",
    "left_elbow", "left_wrist", "right_hip",      "right_knee",  "right_ankle", "left_hip",
    "left_knee",  "left_ankle", "right_eye",      "left_eye",    "right_ear",   "left_ear"};
constexpr std::string_view kCoco17[] = {
    "nose",           "left_eye",   "right_eye",   "left_ear",   "right_ear",   "left_shoulder",
    "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip",
    "right_hip",      "left_knee",  "right_knee",  "left_ankle", "right_ankle"};
constexpr std::string_view kHalpe26[] = {
    "nose",           "left_eye",   "right_eye",    "left_ear",      "right_ear",      "left_shoulder",
    "right_shoulder", "left_elbow", "right_elbow",  "left_wrist",    "right_wrist",    "left_hip",
    "right_hip",      "left_knee",  "right_knee",   "left_ankle",    "right_ankle",    "head",
    "neck",           "hip",        "left_big_toe", "right_big_toe", "left_small_toe", "right_small_toe",
    "left_heel",      "right_heel"};

constexpr std::array<Limb, 15> kLimbs = {{{"neck", "nose", "neck", false},
                                          {"shoulders", "left_shoulder", "right_shoulder"},
                                          {"upper arm", "left_shoulder", "left_elbow"},
                                          {"forearm", "left_elbow", "left_wrist"},
                                          {"upper arm", "right_shoulder", "right_elbow"},
                                          {"forearm", "right_elbow", "right_wrist"},
                                          {"side", "left_shoulder", "left_hip", false},
                                          {"side", "right_shoulder", "right_hip", false},
                                          {"hips", "left_hip", "right_hip"},
                                          {"thigh", "left_hip", "left_knee"},
                                          {"shin", "left_knee", "left_ankle"},
                                          {"thigh", "right_hip", "right_knee"},
                                          {"shin", "right_knee", "right_ankle"},
                                          {"foot", "left_ankle", "left_big_toe"},
                                          {"foot", "right_ankle", "right_big_toe"}}};

constexpr std::array<Skeleton, 4> kSkeletons = {Skeleton{"BODY_25", kBody25}, Skeleton{"COCO_18", kCoco18},
                                                Skeleton{"COCO_17", kCoco17}, Skeleton{"HALPE_26", kHalpe26}};

template <typename Matches>
const Skeleton* find(const Matches& matches) {
  const auto found = std::find_if(kSkeletons.begin(), kSkeletons.end(), matches);
  return found == kSkeletons.end() ? nullptr : &*found;
}

}  // namespace

int Skeleton::joint(std::string_view joint_name) const {
  const auto found = std::find(joints.begin(), joints.end(), joint_name);
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

std::span<const Skeleton> skeletons() {
  return kSkeletons;
}
const Skeleton* find_skeleton(std::string_view name) {
  return find([name](const Skeleton& skeleton) { return skeleton.name == name; });
}
const Skeleton* skeleton_of_size(size_t joints) {
  return find([joints](const Skeleton& skeleton) { return skeleton.joints.size() == joints; });
}

std::vector<SkeletonLimb> limbs_of(const Skeleton& skeleton) {
  std::vector<SkeletonLimb> limbs;
  for (const Limb& limb : kLimbs) {
    const int from = skeleton.joint(limb.from), to = skeleton.joint(limb.to);
    if (from >= 0 && to >= 0) limbs.push_back({&limb, {static_cast<size_t>(from), static_cast<size_t>(to)}});
  }
  return limbs;
}

bool feet_seen(const PersonDetection& detection) {
  const Skeleton* skeleton = skeleton_of_size(detection.keypoints.size());
  if (!skeleton) return true;
  for (size_t i = 0; i < detection.keypoints.size(); ++i)
    if (const std::string_view name = skeleton->joints[i]; detection.keypoints[i].score >= kSeenJoint)
      if (name.ends_with("_ankle") || name.ends_with("_heel") || name.ends_with("_toe")) return true;
  return false;
}

}  // namespace vantage
