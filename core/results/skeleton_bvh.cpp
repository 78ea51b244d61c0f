// Biovision's BVH: a hierarchy of bones of constant lengths, and turns for each frame. Metres, y up (the
// scene's y, z, x are x, y, z), at rest arms to the sides and legs down. A bone's turn about itself is not
// measured: it is the least that leads from its parent's. Chest and hips have all three turns.
#include <fmt/core.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/quantile.h"
#include "core/results/skeleton_files.h"

namespace vantage {
namespace {

// A bone from its parent's end to its own. The head begins at the neck, with turns of its own.
struct BvhBone {
  const char* name;
  int parent;
  const char* joint;     // "": between the two of `of`
  const char* of;        // "shoulder": left_shoulder and right_shoulder
  Eigen::Vector3d rest;  // the bone's direction at rest; 0: no length
};
enum Bone : int { kHips, kNeck, kHead, kNose };
const std::array<BvhBone, 16>& bvh_bones() {
  static const Eigen::Vector3d none(0, 0, 0), up(0, 1, 0), down(0, -1, 0), left(1, 0, 0), right(-1, 0, 0),
      front(0, 0, 1);
  static const std::array<BvhBone, 16> bones = {{{"Hips", -1, "", "hip", none},
                                                 {"Neck", kHips, "", "shoulder", up},
                                                 {"Head", kNeck, "", "shoulder", none},
                                                 {"Nose", kHead, "nose", "", up},
                                                 {"LeftShoulder", kNeck, "left_shoulder", "", left},
                                                 {"LeftElbow", 4, "left_elbow", "", left},
                                                 {"LeftWrist", 5, "left_wrist", "", left},
                                                 {"RightShoulder", kNeck, "right_shoulder", "", right},
                                                 {"RightElbow", 7, "right_elbow", "", right},
                                                 {"RightWrist", 8, "right_wrist", "", right},
                                                 {"LeftHip", kHips, "left_hip", "", left},
                                                 {"LeftKnee", 10, "left_knee", "", down},
                                                 {"LeftAnkle", 11, "left_ankle", "", down},
                                                 {"RightHip", kHips, "right_hip", "", right},
                                                 {"RightKnee", 13, "right_knee", "", down},
                                                 {"RightAnkle", 14, "right_ankle", "", down}}};
  return bones;
}
constexpr size_t kBones = 16;

using Place = std::optional<Eigen::Vector3d>;

Place joint_at(const PersonSkeleton& skeleton, const std::string& name) {
  const int index = skeleton.layout->joint(name);
  if (index < 0 || !skeleton.joints[static_cast<size_t>(index)]) return std::nullopt;
  const Eigen::Vector3d& at = skeleton.joints[static_cast<size_t>(index)]->point_in_world_m;
  return Eigen::Vector3d(at.y(), at.z(), at.x());
}

std::array<Place, kBones> places_of(const PersonSkeleton& skeleton) {
  std::array<Place, kBones> places;
  for (size_t i = 0; i < kBones; ++i) {
    const BvhBone& bone = bvh_bones()[i];
    if (*bone.joint) {
      places[i] = joint_at(skeleton, bone.joint);
      continue;
    }
    const Place left = joint_at(skeleton, std::string("left_") + bone.of),
                right = joint_at(skeleton, std::string("right_") + bone.of);
    if (left && right) places[i] = 0.5 * (*left + *right);
  }
  return places;
}

class BvhText {
 public:
  BvhText(const RecordedSkeletons& recording, const SkeletonTrack& person);
  BvhFile finish() const;

 private:
  bool ends(int bone) const {
    return std::ranges::none_of(bvh_bones(), [&](const BvhBone& one) { return one.parent == bone; });
  }
  void find_lengths(const SkeletonTrack& person);
  void add_bone(int bone, int depth);
  void add_frame(const std::array<Place, kBones>& places);
  std::optional<Eigen::Quaterniond> turn_of(int bone, const std::array<Place, kBones>& places,
                                            const Eigen::Quaterniond& parent) const;

  std::array<double, kBones> lengths_m_ = {};
  std::array<Eigen::Quaterniond, kBones> turns_;  // the last ones, each in its parent's axes
  Place hips_;
  BvhFile file_;
};

void BvhText::find_lengths(const SkeletonTrack& person) {
  std::array<std::vector<double>, kBones> seen;
  for (const SkeletonFrame& frame : person.frames) {
    const std::array<Place, kBones> places = places_of(frame.skeleton);
    for (size_t i = 1; i < kBones; ++i)
      if (const Place& from = places[static_cast<size_t>(bvh_bones()[i].parent)]; from && places[i])
        seen[i].push_back((*places[i] - *from).norm());
  }
  for (size_t i = 0; i < kBones; ++i)
    if (!seen[i].empty()) lengths_m_[i] = upper_median(std::move(seen[i]));
}

void BvhText::add_bone(int bone, int depth) {
  const std::string space(static_cast<size_t>(2 * depth), ' ');
  const BvhBone& own = bvh_bones()[static_cast<size_t>(bone)];
  const Eigen::Vector3d offset = lengths_m_[static_cast<size_t>(bone)] * own.rest;
  std::string& text = file_.text;
  if (ends(bone))
    text += space + "End Site\n";
  else
    text += space + (depth == 0 ? "ROOT " : "JOINT ") + own.name + '\n';
  text += fmt::format("{}{{\n{}  OFFSET {:.5f} {:.5f} {:.5f}\n", space, space, offset.x(), offset.y(),
                      offset.z());
  if (!ends(bone)) {
    text += space + (depth == 0 ? "  CHANNELS 6 Xposition Yposition Zposition" : "  CHANNELS 3") +
            " Zrotation Xrotation Yrotation\n";
    for (int child = 0; child < static_cast<int>(kBones); ++child)
      if (bvh_bones()[static_cast<size_t>(child)].parent == bone) add_bone(child, depth + 1);
  }
  text += space + "}\n";
}

// Turns of hips and neck are by the line between left and right, and the spine; others by their only bone.
std::optional<Eigen::Quaterniond> BvhText::turn_of(int bone, const std::array<Place, kBones>& places,
                                                   const Eigen::Quaterniond& parent) const {
  const auto at = [&](int of) { return places[static_cast<size_t>(of)]; };
  constexpr int kLeftShoulder = 4, kRightShoulder = 7, kLeftHip = 10, kRightHip = 13;
  if (bone == kHips || bone == kNeck) {
    const Place left = at(bone == kHips ? kLeftHip : kLeftShoulder),
                right = at(bone == kHips ? kRightHip : kRightShoulder);
    if (!left || !right || !at(kHips) || !at(kNeck)) return std::nullopt;
    const Eigen::Vector3d x = (*left - *right).normalized(), spine = *at(kNeck) - *at(kHips);
    const Eigen::Vector3d z = x.cross(spine).normalized();
    if (!x.allFinite() || !z.allFinite() || z.norm() < 0.5) return std::nullopt;
    Eigen::Matrix3d turn;
    turn << x, z.cross(x), z;
    return Eigen::Quaterniond(turn);
  }
  for (int child = 0; child < static_cast<int>(kBones); ++child) {
    const BvhBone& own = bvh_bones()[static_cast<size_t>(child)];
    if (own.parent != bone || !at(bone) || !at(child)) continue;
    const Eigen::Vector3d direction = *at(child) - *at(bone);
    if (direction.norm() < 1e-6) return std::nullopt;
    return Eigen::Quaterniond::FromTwoVectors(parent * own.rest, direction) * parent;
  }
  return std::nullopt;
}

// What is not known keeps the turn that it had.
void BvhText::add_frame(const std::array<Place, kBones>& places) {
  std::array<Eigen::Quaterniond, kBones> world;
  if (places[kHips]) hips_ = places[kHips];
  std::string line = fmt::format("{:.5f} {:.5f} {:.5f}", hips_->x(), hips_->y(), hips_->z());
  for (int bone = 0; bone < static_cast<int>(kBones); ++bone) {
    const auto i = static_cast<size_t>(bone);
    if (ends(bone)) continue;
    const int above = bvh_bones()[i].parent;
    const Eigen::Quaterniond parent =
        above < 0 ? Eigen::Quaterniond::Identity() : world[static_cast<size_t>(above)];
    if (const auto turn = turn_of(bone, places, parent))
      turns_[i] = parent.conjugate() * *turn;
    else
      ++file_.held;
    ++file_.turns;
    world[i] = parent * turns_[i];
    // R = Rz(a) Rx(b) Ry(c).
    const Eigen::Matrix3d r = turns_[i].normalized().toRotationMatrix();
    constexpr double kDegrees = 180 / M_PI;
    line += fmt::format(" {:.4f} {:.4f} {:.4f}", kDegrees * std::atan2(-r(0, 1), r(1, 1)),
                        kDegrees * std::asin(std::clamp(r(2, 1), -1.0, 1.0)),
                        kDegrees * std::atan2(-r(2, 0), r(2, 2)));
  }
  file_.text += line + '\n';
}

BvhText::BvhText(const RecordedSkeletons& recording, const SkeletonTrack& person) {
  turns_.fill(Eigen::Quaterniond::Identity());
  find_lengths(person);
  std::vector<std::pair<int64_t, std::array<Place, kBones>>> frames;
  for (const SkeletonFrame& frame : person.frames) {
    const std::array<Place, kBones> places = places_of(frame.skeleton);
    if (places[kHips] || !frames.empty()) frames.emplace_back(frame.frame, places);
  }
  if (frames.empty()) return;
  file_.text = "HIERARCHY\n";
  add_bone(kHips, 0);
  file_.first_frame = frames.front().first;
  file_.text += fmt::format("MOTION\nFrames: {}\nFrame Time: {:.9f}\n",
                            frames.back().first - file_.first_frame + 1, 1 / recording.frame_rate);
  auto next = frames.begin();
  for (int64_t frame = file_.first_frame; frame <= frames.back().first; ++frame)
    add_frame(next->first == frame ? (next++)->second : std::array<Place, kBones>{});
}

BvhFile BvhText::finish() const {
  return file_;
}

}  // namespace

Result<BvhFile> bvh_text(const RecordedSkeletons& recording, const SkeletonTrack& person) {
  BvhFile file = BvhText(recording, person).finish();
  if (file.text.empty())
    return fail(ErrorKind::not_found, fmt::format("person {} has no frame with both hips", person.id), {},
                "Write TRC, C3D, CSV or JSON, which need none.");
  return file;
}

}  // namespace vantage
