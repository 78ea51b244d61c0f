#include "core/people/skeletons/skeletons.h"

#include <gtest/gtest.h>

#include "tests/support/jointed_body.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

// Joints as triangulated with this standard deviation along each axis.
PersonSkeleton seen_as(const std::vector<Eigen::Vector3d>& joints, const Eigen::Vector3d& deviation_m,
                       std::mt19937* random) {
  PersonSkeleton skeleton{find_skeleton("BODY_25"), {}};
  std::normal_distribution<double> normal;
  for (const Eigen::Vector3d& joint : joints) {
    SceneJoint& seen = skeleton.joints.emplace_back().emplace();
    seen.point_in_world_m = joint;
    for (int axis = 0; axis < 3; ++axis) seen.point_in_world_m[axis] += deviation_m[axis] * normal(*random);
    seen.covariance_m2 = deviation_m.cwiseAbs2().asDiagonal();
    seen.confidence = 0.9;
  }
  return skeleton;
}

test::JointedBody walking(int frame) {
  return {0.05 * frame, 0, 0.01 * frame, 0.5 * std::sin(0.3 * frame)};
}

std::map<std::string_view, double> true_lengths() {
  return {{"upper arm", test::kUpperArm_m}, {"forearm", test::kForearm_m},     {"thigh", test::kThigh_m},
          {"shin", test::kShin_m},          {"shoulders", test::kShoulders_m}, {"hips", test::kHips_m},
          {"foot", test::kFoot_m}};
}

SceneJoint& joint_of(PersonSkeleton& skeleton, std::string_view name) {
  return *skeleton.joints[skeleton.layout->joint(name)];
}

TEST(LimbLengths, AreTheMedianOfAllFramesWhateverTheirOrder) {
  std::mt19937 random(test::test_seed());
  std::vector<PersonSkeleton> frames;
  for (int i = 0; i < 200; ++i)
    frames.push_back(seen_as(test::joints_of(walking(i)), Eigen::Vector3d::Constant(0.01), &random));
  // A wrist that belongs to somebody else in every fourth frame.
  for (size_t i = 0; i < frames.size(); i += 4)
    joint_of(frames[i], "left_wrist").point_in_world_m += Eigen::Vector3d(0.5, 0.5, 0);
  LimbLengths forward, backward;
  for (const PersonSkeleton& frame : frames) forward.add(frame);
  std::reverse(frames.begin(), frames.end());
  for (const PersonSkeleton& frame : frames) backward.add(frame);
  EXPECT_EQ(forward.lengths_m(), backward.lengths_m());
  const auto lengths = forward.lengths_m();
  ASSERT_EQ(lengths.size(), true_lengths().size()) << "neck and sides are not rigid";
  for (const auto& [limb, length_m] : true_lengths()) EXPECT_NEAR(lengths.at(limb), length_m, 0.01) << limb;
}

TEST(LimbLengths, OfALimbThatIsHardlySeenAreNotKnown) {
  std::mt19937 random(test::test_seed());
  LimbLengths lengths;
  for (int64_t i = 0; i < kMinLengths; ++i) {
    PersonSkeleton frame =
        seen_as(test::joints_of(walking(static_cast<int>(i))), Eigen::Vector3d::Constant(0.01), &random);
    frame.joints[frame.layout->joint("right_ankle")].reset();
    if (i == 0) frame.joints[frame.layout->joint("left_ankle")].reset();
    lengths.add(frame);
  }
  lengths.add({});  // nobody's joints
  EXPECT_FALSE(lengths.lengths_m().contains("shin"));
  EXPECT_TRUE(lengths.lengths_m().contains("thigh"));
}

// Cameras that stand on one side know depth worst: lengths help there.
TEST(LimbLengths, MakeJointsMoreExact) {
  std::mt19937 random(test::test_seed());
  double before = 0, after = 0, limb_off_m = 0;
  for (int i = 0; i < 50; ++i) {
    const std::vector<Eigen::Vector3d> truth = test::joints_of(walking(i));
    const PersonSkeleton seen = seen_as(truth, {0.06, 0.01, 0.01}, &random);
    const PersonSkeleton kept = with_limb_lengths(seen, true_lengths());
    for (const SkeletonLimb& limb : limbs_of(*seen.layout)) {
      if (!limb.limb->rigid) continue;
      const auto &a = kept.joints[limb.joints[0]], &b = kept.joints[limb.joints[1]];
      if (a && b)
        limb_off_m = std::max(limb_off_m, std::abs((a->point_in_world_m - b->point_in_world_m).norm() -
                                                   true_lengths().at(limb.limb->name)));
      for (const size_t joint : limb.joints) {
        if (!kept.joints[joint]) continue;
        before += (seen.joints[joint]->point_in_world_m - truth[joint]).squaredNorm();
        after += (kept.joints[joint]->point_in_world_m - truth[joint]).squaredNorm();
      }
    }
  }
  EXPECT_LT(after, 0.8 * before);
  EXPECT_LT(limb_off_m, 0.06) << "of 0.06 m and more before";
}

TEST(LimbLengths, AJointThatBreaksItsLimbsIsDropped) {
  std::mt19937 random(test::test_seed());
  PersonSkeleton seen = seen_as(test::joints_of({}), Eigen::Vector3d::Constant(0.005), &random);
  joint_of(seen, "left_elbow").point_in_world_m += Eigen::Vector3d(0, 0.4, 0);  // breaks two limbs
  joint_of(seen, "right_wrist").point_in_world_m += Eigen::Vector3d(0, 0.4, 0);
  joint_of(seen, "right_wrist").confidence = 0.3;  // less than the elbow's, with which it breaks one
  const PersonSkeleton kept = with_limb_lengths(seen, true_lengths());
  EXPECT_FALSE(kept.joints[kept.layout->joint("left_elbow")]);
  EXPECT_FALSE(kept.joints[kept.layout->joint("right_wrist")]);
  EXPECT_EQ(kept.known(), seen.known() - 2);
}

TEST(LimbLengths, WithoutLengthsNothingMoves) {
  std::mt19937 random(test::test_seed());
  const PersonSkeleton seen = seen_as(test::joints_of({}), Eigen::Vector3d::Constant(0.05), &random);
  const PersonSkeleton kept = with_limb_lengths(seen, {});
  ASSERT_EQ(kept.known(), seen.known());
  for (size_t i = 0; i < seen.joints.size(); ++i)
    EXPECT_EQ(kept.joints[i]->point_in_world_m, seen.joints[i]->point_in_world_m);
  EXPECT_EQ(with_limb_lengths({}, true_lengths()).layout, nullptr);
}

TEST(SceneJoint, IsAsUncertainAsInItsWorstDirection) {
  SceneJoint joint;
  const Eigen::AngleAxisd turn(0.7, Eigen::Vector3d(1, 2, 3).normalized());
  joint.covariance_m2 = turn.toRotationMatrix() * Eigen::Vector3d(1e-4, 4e-4, 25e-4).asDiagonal() *
                        turn.toRotationMatrix().transpose();
  EXPECT_NEAR(joint.deviation_m(), 0.05, 1e-9);
}

}  // namespace
}  // namespace vantage
