// The joints that detectors find, in their files' order, and the limbs between them.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/detections/detections.h"

namespace vantage {

// A joint of this score or more was found.
inline constexpr float kSeenJoint = 0.05F;

struct Skeleton {
  std::string_view name;                         // "BODY_25"
  std::span<const std::string_view> joints;      // "nose", "right_shoulder", ...
  int joint(std::string_view joint_name) const;  // its index; -1: not in this skeleton
};

// BODY_25 and COCO_18 (OpenPose), COCO_17 (COCO), HALPE_26 (AlphaPose, Pose2Sim).
std::span<const Skeleton> skeletons();
const Skeleton* find_skeleton(std::string_view name);
const Skeleton* skeleton_of_size(size_t joints);  // null: none has so many

// A part of the body between two joints. Left and right have the same name.
struct Limb {
  std::string_view name, from, to;  // "forearm", "left_elbow", "left_wrist"
  bool rigid = true;                // a bone, or nearly one: its length stays
};
struct SkeletonLimb {
  const Limb* limb = nullptr;
  std::array<size_t, 2> joints = {};  // indices of the skeleton's joints
};
// Limbs both of whose joints the skeleton has.
std::vector<SkeletonLimb> limbs_of(const Skeleton& skeleton);

// Whether a detection without joints, or one with a joint of a foot; of the others where the feet are is
// a guess.
bool feet_seen(const PersonDetection& detection);

}  // namespace vantage
