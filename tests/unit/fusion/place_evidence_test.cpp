#include "core/fusion/place_evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/fusion/body_box.h"
#include "tests/unit/fusion/body_ring.h"

namespace vantage {
namespace {

using test::detection_of;
using test::kRingFloor;

const std::vector<std::string> kNames = {"cam1", "cam2", "cam3", "cam4"};

PersonDetection box_of(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m,
                       float score = 0.9F) {
  const BodyBox box = body_box(camera, x_m, y_m, height_m);
  return detection_of(box, score);
}

// A ring of four cameras, each of which has looked.
struct Scene {
  std::vector<PinholeCamera<double>> cameras;
  std::vector<CameraDetections> detections{4, CameraDetections{true, {}}};
  std::vector<FusedPerson> people;
  FusionParameters parameters;

  Scene() { cameras = test::ring_of(4); }
  void add(double x_m, double y_m, double height_m = 1.72) {
    for (size_t c = 0; c < cameras.size(); ++c)
      detections[c].people.push_back(box_of(cameras[c], x_m, y_m, height_m));
  }
  void find() {
    PeopleFusion fusion(kRingFloor, cameras);
    fusion.set_parameters(parameters);
    people = fusion.find({.cameras = detections});
  }
  std::vector<MaskSamples> masks;
  PlaceEvidence at(double x_m, double y_m) const {
    return evidence_at(x_m, y_m, {.cameras = detections, .masks = masks}, people, cameras, parameters);
  }
};

TEST(PlaceEvidence, WhoIsFoundIsCarriedByTheBoxesThatFusionGaveThem) {
  Scene scene;
  scene.add(0.25, -0.35);
  scene.add(-0.75, 0.55);
  scene.find();
  ASSERT_EQ(scene.people.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const FusedPerson& person = scene.people[i];
    const PlaceEvidence place = scene.at(person.x_m, person.y_m);
    EXPECT_EQ(place.person, static_cast<int32_t>(i));
    EXPECT_GT(place.gain_nats, 0);
    for (const CameraEvidence& one : person.evidence) {
      const CameraAtPlace& said = place.cameras[one.camera];
      EXPECT_EQ(said.answer, CameraAnswer::sees);
      EXPECT_EQ(said.detection, one.detection);
      EXPECT_GT(said.overlap, 0.8);
    }
  }
}

TEST(PlaceEvidence, ABoxInOneCameraIsOutweighedByThoseThatSeeNothing) {
  Scene scene;
  scene.add(0.25, 0.15);
  for (size_t c = 1; c < 4; ++c) scene.detections[c].people.clear();
  scene.find();
  ASSERT_TRUE(scene.people.empty());
  const PlaceEvidence place = scene.at(0.25, 0.15);
  EXPECT_EQ(place.person, -1);
  EXPECT_LE(place.gain_nats, 0);
  EXPECT_EQ(place.cameras[0].answer, CameraAnswer::sees);
  EXPECT_GT(place.cameras[0].nats, 0);
  for (size_t c = 1; c < 4; ++c) {
    EXPECT_EQ(place.cameras[c].answer, CameraAnswer::nothing);
    EXPECT_LT(place.cameras[c].nats, 0);
    EXPECT_EQ(place.cameras[c].detection, -1);
  }
  const auto lines = describe(place, kNames, {});
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_NE(lines[0].find("no one"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("cam1: a box of score 0.90 fits"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find("cam2: sees no one here"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[2].find("in its mask"), std::string::npos) << lines[2];
}

TEST(PlaceEvidence, AMaskThatShowsSomebodyExcusesItsCamera) {
  Scene scene;
  scene.add(0.2, 0.1);
  for (size_t c = 1; c < 4; ++c) scene.detections[c].people.clear();
  const PlaceEvidence before = scene.at(0.2, 0.1);
  for (const auto& camera : scene.cameras)
    scene.masks.push_back(test::mask_of(camera, {body_box(camera, 0.2, 0.1, 1.7)}));
  const PlaceEvidence place = scene.at(0.2, 0.1);
  EXPECT_LT(before.gain_nats, 0);
  EXPECT_GT(place.gain_nats, 0);
  for (size_t c = 1; c < 4; ++c) {
    EXPECT_EQ(place.cameras[c].answer, CameraAnswer::nothing);
    EXPECT_GT(place.cameras[c].in_mask, 0.35);
    EXPECT_EQ(place.cameras[c].nats, 0);
  }
  const auto lines = describe(place, kNames, {});
  EXPECT_NE(lines[2].find("of it in its mask"), std::string::npos) << lines[2];
}

TEST(PlaceEvidence, CamerasThatCannotTellSayWhy) {
  Scene scene;
  const double dx = std::cos(test::kRingStart_rad), dy = std::sin(test::kRingStart_rad);
  scene.add(0.6 * dx, 0.6 * dy, 1.9);
  scene.detections[3].known = false;
  scene.find();
  ASSERT_EQ(scene.people.size(), 1U);
  const PlaceEvidence behind = scene.at(-0.6 * dx, -0.6 * dy);
  EXPECT_EQ(behind.cameras[0].answer, CameraAnswer::hidden);
  EXPECT_EQ(behind.cameras[0].person, 0);
  EXPECT_EQ(behind.cameras[3].answer, CameraAnswer::not_looked);
  EXPECT_EQ(behind.cameras[3].nats, 0);
  const std::vector<std::string> who = {"person 7"};
  EXPECT_NE(describe(behind, kNames, who)[1].find("hidden by person 7"), std::string::npos);
  // Behind the camera, which stands 4 m from the middle.
  EXPECT_EQ(scene.at(6 * dx, 6 * dy).cameras[0].answer, CameraAnswer::outside);
}

TEST(PlaceEvidence, ABoxThatIsSomebodyElsesOrTooWeakIsNamed) {
  Scene scene;
  scene.add(0, 0);
  scene.find();
  ASSERT_EQ(scene.people.size(), 1U);
  const PlaceEvidence beside = scene.at(0.33, 0);
  EXPECT_EQ(beside.person, -1);
  EXPECT_EQ(beside.neighbour, 0);
  EXPECT_NEAR(beside.neighbour_m, 0.33, 0.06);
  EXPECT_TRUE(std::any_of(beside.cameras.begin(), beside.cameras.end(), [](const CameraAtPlace& camera) {
    return camera.answer == CameraAnswer::other_person && camera.person == 0;
  }));
  for (CameraDetections& camera : scene.detections) camera.people[0].score = 0.3F;
  scene.find();
  ASSERT_TRUE(scene.people.empty());
  const PlaceEvidence weak = scene.at(0, 0);
  for (const CameraAtPlace& camera : weak.cameras) {
    EXPECT_EQ(camera.answer, CameraAnswer::weak);
    EXPECT_NEAR(camera.score, 0.3, 1e-6);
    EXPECT_LT(camera.nats, 0);
  }
}

// Where the search takes nobody, no place has evidence for somebody: the same model says both.
TEST(PlaceEvidence, NowhereSpeaksForSomebodyWhereNobodyIsFound) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1.4, 1.4), score(0.2, 0.9), share(0, 1);
  int empty = 0;
  for (int run = 0; run < 20; ++run) {
    Scene scene;
    for (int i = 0; i < 4; ++i) {
      const double x = place(random), y = place(random);
      const auto only = static_cast<size_t>(4 * share(random));
      scene.detections[only].people.push_back(
          box_of(scene.cameras[only], x, y, 1.7, static_cast<float>(score(random))));
    }
    scene.find();
    if (!scene.people.empty()) continue;
    ++empty;
    for (int iy = 0; iy < 30; iy += 2)
      for (int ix = 0; ix < 30; ix += 2) {
        const double x = kRingFloor.min_x_m + (ix + 0.5) * PeopleFusion::kCell_m,
                     y = kRingFloor.min_y_m + (iy + 0.5) * PeopleFusion::kCell_m;
        EXPECT_LE(scene.at(x, y).gain_nats, 1e-9) << x << " " << y;
      }
  }
  EXPECT_GT(empty, 3);
}

TEST(PlaceEvidence, APersonsWordsNameEveryCamera) {
  Scene scene;
  scene.add(0.1, 0.2);
  scene.detections[1].people.clear();
  scene.detections[2].known = false;
  scene.find();
  ASSERT_EQ(scene.people.size(), 1U);
  const auto lines = describe(scene.people[0], scene.detections, kNames);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_NE(lines[0].find("confidence"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("cam1: sees them, score 0.90 (+"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find("cam2: sees no one here, though"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[3], "cam3: has no detections of this frame");
}

}  // namespace
}  // namespace vantage
