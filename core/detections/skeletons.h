// Layouts of the joints that detectors find, and the limbs between them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/detections/detections.h"

namespace vantage {

// Minimum score of a joint that was found.
inline constexpr float kSeenJoint = 0.05F;

struct Skeleton {
  std::string_view name;                         // "BODY_25"
  std::span<const std::string_view> joints;      // "nose", "right_shoulder", ...
  int joint(std::string_view joint_name) const;  // its index; -1: not in this skeleton
};

// BODY_25 and COCO_18 (OpenPose), COCO_17 (COCO), HALPE_26 (AlphaPose, Pose2Sim).
std::span<const Skeleton> skeletons();
const Skeleton* find_skeleton(std::string_view name);
const Skeleton* skeleton_of_size(size_t joints);  // null: no layout has that number

// A part of the body between two joints. Left and right have the same name.
struct Limb {
  std::string_view name, from, to;  // "forearm", "left_elbow", "left_wrist"
  bool rigid = true;                // a bone, or nearly one, of constant length
};
struct SkeletonLimb {
  const Limb* limb = nullptr;
  std::array<size_t, 2> joints = {};  // indices of the skeleton's joints
};
// Limbs whose joints the layout has.
std::vector<SkeletonLimb> limbs_of(const Skeleton& skeleton);

// Height of a joint of the body's axis as a share of a standing person's (Drillis and Contini 1966); 0: of
// another joint.
float height_share(std::string_view joint);

// The detection has no joints, or one of a foot; otherwise the position of the feet is a guess.
bool feet_seen(const PersonDetection& detection);

// Sets the box around a person's joints, enlarged by the head above face or shoulders and by missing legs, as
// of a standing person (feet_seen()), at the size of the trunk or the legs; and the mean of their scores.
// False with fewer than three joints, which change nothing.
bool box_from_joints(const std::string& skeleton, PersonDetection* person);
// The detection's box is that one, so that it states nothing but the joints.
bool is_box_from_joints(const PersonDetection& detection);

}  // namespace vantage
