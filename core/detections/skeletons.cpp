#include "core/detections/skeletons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

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

constexpr float kShoulderShare = 0.818F;

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

float height_share(std::string_view joint) {
  constexpr std::pair<std::string_view, float> kShares[] = {{"head", 1.0F},
                                                            {"eye", 0.936F},
                                                            {"ear", 0.93F},
                                                            {"nose", 0.91F},
                                                            {"shoulder", kShoulderShare},
                                                            {"neck", kShoulderShare},
                                                            {"hip", 0.53F},
                                                            {"knee", 0.285F},
                                                            {"ankle", 0.039F}};
  for (const auto& [name, share] : kShares)
    if (joint.ends_with(name)) return share;
  return 0;  // wrists, elbows and toes do not follow the body's axis
}

bool feet_seen(const PersonDetection& detection) {
  const Skeleton* skeleton = skeleton_of_size(detection.keypoints.size());
  if (!skeleton) return true;
  for (size_t i = 0; i < detection.keypoints.size(); ++i)
    if (const std::string_view name = skeleton->joints[i]; detection.keypoints[i].score >= kSeenJoint)
      if (name.ends_with("_ankle") || name.ends_with("_heel") || name.ends_with("_toe")) return true;
  return false;
}

namespace {

// Distance of the outermost joints from the border of the body, as a share of its height.
constexpr float kBesideJoints = 0.026F;
constexpr float kShoulderWidth = 0.259F;

// The joints of a body's axis, from head to ankles, as far as they were found.
struct Axis {
  float sum_y = 0, sum_share = 0;
  int count = 0;
  void add(float y_px, float share) { sum_y += y_px, sum_share += share, ++count; }
  float y() const { return sum_y / static_cast<float>(count); }
  float share() const { return sum_share / static_cast<float>(count); }
};

}  // namespace

bool box_from_joints(const std::string& skeleton_name, PersonDetection* person) {
  const Skeleton* skeleton = find_skeleton(skeleton_name);
  float left = 0, right = 0, top = 0, bottom = 0, score = 0;
  int seen = 0;
  Axis face, shoulders, lower;
  float lowest_share = 1, highest_share = 1, highest_px = std::numeric_limits<float>::infinity();
  bool head_top = false, sole = false;
  std::vector<float> shoulders_x;
  for (size_t i = 0; i < person->keypoints.size(); ++i) {
    const Keypoint& joint = person->keypoints[i];
    if (joint.score < kSeenJoint) continue;
    left = seen ? std::min(left, joint.x_px) : joint.x_px,
    right = seen ? std::max(right, joint.x_px) : joint.x_px;
    top = seen ? std::min(top, joint.y_px) : joint.y_px,
    bottom = seen ? std::max(bottom, joint.y_px) : joint.y_px;
    score += joint.score;
    ++seen;
    const std::string_view name = skeleton ? skeleton->joints[i] : std::string_view();
    const float share = height_share(name);
    head_top = head_top || name == "head";
    sole = sole || name.ends_with("_heel") || name.ends_with("_toe");
    if (share >= kShoulderShare && joint.y_px < highest_px) highest_px = joint.y_px, highest_share = share;
    if (share > kShoulderShare && share < 1) face.add(joint.y_px, share);
    if (share == kShoulderShare) shoulders.add(joint.y_px, share);
    if (name.ends_with("shoulder")) shoulders_x.push_back(joint.x_px);
    if (share == 0 || share >= kShoulderShare || share > lowest_share) continue;
    if (share < lowest_share) lower = {};
    lowest_share = share;
    lower.add(joint.y_px, share);
  }
  if (seen < 3) return false;
  // Where a table hides the legs, or the face is turned away, the trunk gives the body's length.
  const Axis &upper = shoulders.count ? shoulders : face, &lowest = lower.count ? lower : upper;
  float length = std::max(bottom - top, 0.5F * (right - left));
  if (shoulders_x.size() == 2)
    length = std::max(length, std::abs(shoulders_x[0] - shoulders_x[1]) / kShoulderWidth);
  if (upper.count && lower.count)
    length = std::max(length, (lower.y() - upper.y()) / (upper.share() - lower.share()));
  if (!head_top) top = std::min(top, highest_px - (1 - highest_share) * length);
  if (lowest.count && !sole) bottom = std::max(bottom, lowest.y() + lowest.share() * length);
  person->left_px = left - kBesideJoints * length;
  person->width_px = right - left + 2 * kBesideJoints * length;
  person->top_px = top, person->height_px = bottom - top;
  person->score = std::clamp(score / static_cast<float>(seen), 0.0F, 1.0F);
  return person->width_px > 0 && person->height_px > 0;
}

bool is_box_from_joints(const PersonDetection& detection) {
  const Skeleton* skeleton = skeleton_of_size(detection.keypoints.size());
  PersonDetection made = detection;
  constexpr float kRounding_px = 1;
  const auto same = [](float a, float b) { return std::abs(a - b) <= kRounding_px; };
  return skeleton && box_from_joints(std::string(skeleton->name), &made) &&
         same(made.left_px, detection.left_px) && same(made.top_px, detection.top_px) &&
         same(made.width_px, detection.width_px) && same(made.height_px, detection.height_px);
}

}  // namespace vantage
