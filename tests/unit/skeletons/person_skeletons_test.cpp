#include "core/pipeline/person_skeletons.h"

#include <gtest/gtest.h>

#include "tests/support/camera_ring.h"
#include "tests/support/jointed_body.h"

namespace vantage {
namespace {

constexpr test::JointedBody kFirst{-0.5, 0, 0.4, 0.3}, kSecond{0.7, 0.4, 2, -0.2};

std::vector<Camera> ring(int cameras) {
  test::RingOptions options;
  options.cameras = cameras, options.width_px = 1280, options.height_px = 960;
  options.radius_m = 4, options.height_m = 2.2, options.look_at_height_m = 0.8;
  return test::camera_ring(options);
}

struct Scene {
  std::vector<Camera> cameras;
  std::vector<CameraDetections> detections;
  std::vector<FusedPerson> people;

  explicit Scene(std::vector<Camera> ring, const std::vector<test::JointedBody>& bodies = {kFirst, kSecond})
      : cameras(std::move(ring)), detections(cameras.size()), people(bodies.size()) {
    for (size_t i = 0; i < bodies.size(); ++i) {
      people[i].x_m = bodies[i].x_m, people[i].y_m = bodies[i].y_m, people[i].height_m = test::kBody_m;
      for (size_t c = 0; c < cameras.size(); ++c) {
        detections[c].known = true;
        detections[c].people.push_back(test::seen_joints(cameras[c], test::joints_of(bodies[i])));
        people[i].evidence.push_back({static_cast<int32_t>(c), static_cast<int32_t>(i)});
      }
    }
  }
  std::vector<PersonSkeleton> find() const { return find_skeletons(cameras, detections, people, {}); }
  Keypoint& joint(size_t camera, size_t person, std::string_view name) {
    return detections[camera].people[person].keypoints[find_skeleton("BODY_25")->joint(name)];
  }
};

const std::optional<SceneJoint>& found_joint(const PersonSkeleton& skeleton, std::string_view name) {
  return skeleton.joints[skeleton.layout->joint(name)];
}

// Joints that are known lie at the truth.
void expect_exact(const PersonSkeleton& found, const test::JointedBody& body, double within_m = 0.002) {
  const std::vector<Eigen::Vector3d> truth = test::joints_of(body);
  ASSERT_EQ(found.joints.size(), truth.size());
  for (size_t i = 0; i < truth.size(); ++i)
    if (found.joints[i]) {
      EXPECT_LT((found.joints[i]->point_in_world_m - truth[i]).norm(), within_m) << found.layout->joints[i];
    }
}

TEST(PersonSkeletons, JointsOfAllViewsMeet) {
  const Scene scene(ring(4));
  const std::vector<PersonSkeleton> found = scene.find();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].known(), 25);
  EXPECT_EQ(found[1].known(), 25);
  expect_exact(found[0], kFirst);
  expect_exact(found[1], kSecond);
  const SceneJoint& neck = *found_joint(found[0], "neck");
  EXPECT_EQ(neck.cameras, (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_GT(neck.confidence, 0.99);
  EXPECT_GT(neck.deviation_m(), 0.005);
  EXPECT_LT(neck.deviation_m(), 0.04);
}

TEST(PersonSkeletons, AViewWhoseDetectionIsSomebodyElseDoesNotPull) {
  Scene scene(ring(4));
  std::swap(scene.people[0].evidence[2].detection, scene.people[1].evidence[2].detection);
  const std::vector<PersonSkeleton> found = scene.find();
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[i].known(), 25);
    expect_exact(found[i], i == 0 ? kFirst : kSecond);
    const SceneJoint& wrist = *found_joint(found[i], "left_wrist");
    EXPECT_EQ(wrist.cameras, (std::vector<int32_t>{0, 1, 3}));
    EXPECT_LT(wrist.confidence, 0.8) << "one of four cameras contradicts";
  }
}

TEST(PersonSkeletons, OneJointThatAViewGetsWrongIsLeftOutOfThatJointAlone) {
  Scene scene(ring(4));
  scene.joint(1, 0, "right_knee").x_px += 80;
  const PersonSkeleton found = scene.find()[0];
  EXPECT_EQ(found_joint(found, "right_knee")->cameras, (std::vector<int32_t>{0, 2, 3}));
  EXPECT_EQ(found_joint(found, "right_ankle")->cameras.size(), 4u);
  expect_exact(found, kFirst);
}

TEST(PersonSkeletons, WhereFewerThanTwoViewsAgreeThereIsNoJoint) {
  Scene scene(ring(4));
  for (size_t camera = 1; camera < 4; ++camera) scene.joint(camera, 0, "nose").score = 0;
  for (size_t camera = 0; camera < 4; ++camera)  // each elsewhere
    scene.joint(camera, 0, "left_knee").y_px += 90.0F * (static_cast<float>(camera) - 1.5F);
  scene.joint(0, 0, "right_elbow").score = scene.joint(1, 0, "right_elbow").score = 0.1F;
  const PersonSkeleton found = scene.find()[0];
  EXPECT_FALSE(found_joint(found, "nose"));
  EXPECT_FALSE(found_joint(found, "left_knee"));
  EXPECT_EQ(found_joint(found, "right_elbow")->cameras, (std::vector<int32_t>{2, 3}))
      << "scores below the minimum";
}

// Two cameras side by side know no depth.
TEST(PersonSkeletons, AJointThatIsTooUncertainIsLeftOut) {
  test::RingOptions options;
  options.width_px = 1280, options.height_px = 960, options.radius_m = 4, options.height_m = 1.5;
  const std::vector<Camera> near{test::ring_camera(options, 0), test::ring_camera(options, 0.05)};
  EXPECT_EQ(Scene(near).find()[0].known(), 0);
  const std::vector<Camera> apart{test::ring_camera(options, 0), test::ring_camera(options, 1)};
  EXPECT_GT(Scene(apart).find()[0].known(), 15);
}

// A detector that cut somebody in two: the half that carries nobody helps, but makes nobody by itself.
TEST(PersonSkeletons, JointsOfDetectionsThatCarryNobodyCountWhereTheyAgree) {
  Scene scene(ring(2));
  for (size_t camera = 0; camera < 2; ++camera) {
    PersonDetection legs = scene.detections[camera].people[0];
    for (size_t i = 0; i < legs.keypoints.size(); ++i) {
      const bool leg = i >= 9 && i <= 14;  // hips to ankles
      (leg && camera == 1 ? scene.detections[camera].people[0] : legs).keypoints[i].score = 0;
    }
    scene.detections[camera].people.push_back(legs);
  }
  const PersonSkeleton found = scene.find()[0];
  ASSERT_TRUE(found_joint(found, "left_knee"));
  expect_exact(found, kFirst);
  EXPECT_LT(found_joint(found, "left_knee")->confidence, found_joint(found, "left_shoulder")->confidence);
  scene.joint(0, 0, "left_knee").score = 0;
  EXPECT_FALSE(found_joint(scene.find()[0], "left_knee"));
}

// A file may hold hundreds in each picture: the nearest are asked, the cost of the others would grow with
// their cube.
TEST(PersonSkeletons, HundredsOfDetectionsThatCarryNobodyChangeNothing) {
  Scene scene(ring(4));
  for (CameraDetections& camera : scene.detections)
    for (int i = 0; i < 240; ++i) {
      PersonDetection far = camera.people[0];
      const float away_px = 2000 + 10 * static_cast<float>(i);
      far.left_px += away_px;
      for (Keypoint& joint : far.keypoints) joint.x_px += away_px;
      camera.people.push_back(far);
    }
  const std::vector<PersonSkeleton> found = scene.find();
  EXPECT_EQ(found[0].known(), 25);
  EXPECT_EQ(found[1].known(), 25);
  expect_exact(found[0], kFirst);
  expect_exact(found[1], kSecond);
}

TEST(PersonSkeletons, LayoutsOfSeveralDetectorsAreJoinedByTheJointsNames) {
  Scene scene(ring(3));
  const Skeleton &coco = *find_skeleton("COCO_17"), &body = *find_skeleton("BODY_25");
  PersonDetection& seen = scene.detections[0].people[0];
  std::vector<Keypoint> joints;
  for (const std::string_view name : coco.joints) joints.push_back(seen.keypoints[body.joint(name)]);
  seen.keypoints = joints;
  const PersonSkeleton found = scene.find()[0];
  EXPECT_EQ(found.layout, &body);
  expect_exact(found, kFirst);
  EXPECT_EQ(found_joint(found, "left_ankle")->cameras.size(), 3u);
  EXPECT_EQ(found_joint(found, "neck")->cameras.size(), 2u) << "COCO_17 has none";
}

TEST(PersonSkeletons, BoxesAndUnknownLayoutsMakeNone) {
  Scene scene(ring(4));
  for (CameraDetections& camera : scene.detections) {
    camera.people[0].keypoints.clear();
    camera.people[1].keypoints.resize(7);
  }
  for (const PersonSkeleton& skeleton : scene.find()) EXPECT_FALSE(skeleton.layout);
}

}  // namespace
}  // namespace vantage
