// The joints that detectors find, in their files' order.
#pragma once

#include <span>
#include <string_view>

namespace vantage {

struct Skeleton {
  std::string_view name;                         // "BODY_25"
  std::span<const std::string_view> joints;      // "nose", "right_shoulder", ...
  int joint(std::string_view joint_name) const;  // its index; -1: not in this skeleton
};

// BODY_25 and COCO_18 (OpenPose), COCO_17 (COCO), HALPE_26 (AlphaPose, Pose2Sim).
std::span<const Skeleton> skeletons();
const Skeleton* find_skeleton(std::string_view name);
const Skeleton* skeleton_of_size(size_t joints);  // null: none has so many

}  // namespace vantage
