// Detections and people in ignored regions: their camera has no say, for them or against them.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/fusion/body_box.h"
#include "core/fusion/fusion.h"
#include "core/fusion/place_evidence.h"
#include "tests/unit/fusion/body_ring.h"

namespace vantage {
namespace {

using test::kRingFloor;

IgnoredRegion rectangle(double left, double top, double right, double bottom) {
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

// A box of 100 x 300 px, its feet at (350, 600) of 1280 x 960.
PersonDetection standing_box() {
  return {300, 300, 100, 300, 0.9F, {}};
}

bool dropped(const IgnoredRegions& regions, const PersonDetection& person = standing_box()) {
  std::vector<PersonDetection> people = {person};
  drop_ignored(IgnoredPixels(regions, 1280, 960), &people);
  return people.empty();
}

TEST(IgnoredDetections, AreThoseWithTheirFeetOrMostOfTheirAreaInARegion) {
  EXPECT_FALSE(dropped({}));
  EXPECT_TRUE(dropped({rectangle(250, 250, 450, 650)}));
  EXPECT_TRUE(dropped({rectangle(0, 500, 1279, 959)})) << "a road that the feet are on";
  EXPECT_FALSE(dropped({rectangle(0, 0, 1279, 420)})) << "the upper two fifths";
  EXPECT_TRUE(dropped({rectangle(0, 0, 1279, 480)})) << "the upper three fifths";
  EXPECT_TRUE(dropped({rectangle(0, 0, 1279, 375), rectangle(0, 376, 1279, 480)})) << "in two parts";
  EXPECT_FALSE(dropped({rectangle(0, 300, 340, 960)})) << "beside the feet";
}

// Where a box ends at the picture's border, its lower middle is not where the feet are: a time stamp there
// must not take the person away.
TEST(IgnoredDetections, FeetThatAreNotSeenAreNotInARegion) {
  const IgnoredRegions stamp = {rectangle(0, 920, 600, 959)};
  PersonDetection near = standing_box();
  near.height_px = 660;  // to the last row
  EXPECT_FALSE(dropped(stamp, near));
  near.height_px = 700;  // beyond it
  EXPECT_FALSE(dropped(stamp, near));
  near.height_px = 638;
  EXPECT_TRUE(dropped(stamp, near)) << "they are on the stamp";
  // COCO's joints without ankles: the end of the box is a guess.
  near.keypoints.assign(17, Keypoint{});
  near.keypoints[0] = {350, 320, 0.9F};
  EXPECT_FALSE(dropped(stamp, near));
}

TEST(IgnoredDetections, JointsInARegionAreNotSeen) {
  std::vector<PersonDetection> people = {standing_box()};
  people[0].keypoints = {{350, 320, 0.9F}, {350, 420, 0.8F}};
  drop_ignored(IgnoredPixels(IgnoredRegions{rectangle(0, 0, 1279, 350)}, 1280, 960), &people);
  ASSERT_EQ(people.size(), 1U);
  EXPECT_EQ(people[0].keypoints[0].score, 0);
  EXPECT_EQ(people[0].keypoints[1].score, 0.8F);
}

class IgnoredFusion : public testing::Test {
 protected:
  IgnoredFusion() : ring_(test::ring_of(4)), detections_(4, CameraDetections{true, {}}) {}

  void add(double x_m, double y_m, const std::vector<size_t>& cameras) {
    for (const size_t c : cameras)
      detections_[c].people.push_back(test::detection_of(body_box(ring_[c], x_m, y_m, 1.75)));
  }
  // The person's box and what is around it.
  void ignore(double x_m, double y_m, const std::vector<size_t>& cameras) {
    ignored_.resize(ring_.size());
    for (const size_t c : cameras) {
      const PixelBox box = body_box(ring_[c], x_m, y_m, 1.75).whole;
      ignored_[c] = IgnoredPixels(
          IgnoredRegions{rectangle(box.left - 120, box.top - 120, box.right + 120, box.bottom + 120)}, 1280,
          960);
    }
  }
  std::vector<FusedPerson> find(bool with_regions) {
    std::vector<CameraDetections> detections = detections_;
    if (with_regions)
      for (size_t c = 0; c < detections.size(); ++c) drop_ignored(ignored_[c], &detections[c].people);
    PeopleFusion fusion(
        kRingFloor, ring_,
        with_regions ? std::span<const IgnoredPixels>(ignored_) : std::span<const IgnoredPixels>());
    return fusion.find({.cameras = detections});
  }

  const std::vector<PinholeCamera<double>> ring_;
  std::vector<CameraDetections> detections_;
  std::vector<IgnoredPixels> ignored_;
};

// Somebody on a screen that two cameras see, the others do not look; and somebody who stands there.
TEST_F(IgnoredFusion, APersonOnAScreenIsNobody) {
  add(0.9, 0.9, {0, 1});
  detections_[2].known = detections_[3].known = false;
  add(-0.9, -0.6, {0, 1});
  ignore(0.9, 0.9, {0, 1});
  const auto before = find(false), after = find(true);
  ASSERT_EQ(before.size(), 2U) << "a wrong person";
  ASSERT_EQ(after.size(), 1U);
  EXPECT_NEAR(after[0].x_m, before[0].x_m, 0.01);
  EXPECT_NEAR(after[0].y_m, before[0].y_m, 0.01);
  EXPECT_NEAR(after[0].height_m, before[0].height_m, 0.01);
}

// Of two cameras' regions nothing is known: the person is found as if these cameras had not looked.
TEST_F(IgnoredFusion, ACameraDoesNotSpeakAgainstWhomItIgnores) {
  add(0.2, -0.3, {0, 1});
  ignore(0.2, -0.3, {2, 3});
  const auto against = find(false), excused = find(true);
  detections_[2].known = detections_[3].known = false;
  const auto by_two = find(false);
  ASSERT_EQ(by_two.size(), 1U);
  ASSERT_EQ(excused.size(), 1U);
  EXPECT_NEAR(excused[0].x_m, by_two[0].x_m, 1e-9);
  EXPECT_NEAR(excused[0].y_m, by_two[0].y_m, 1e-9);
  EXPECT_NEAR(excused[0].height_m, by_two[0].height_m, 1e-9);
  EXPECT_NEAR(excused[0].gain_nats, by_two[0].gain_nats, 1e-9);
  const double gain = against.empty() ? 0 : against[0].gain_nats;
  EXPECT_LT(gain, by_two[0].gain_nats - 2) << "two cameras that should see somebody";
  for (const CameraEvidence& one : excused[0].evidence)
    if (one.camera >= 2) {
      EXPECT_EQ(one.visible, 0);
      EXPECT_EQ(one.nats, 0);
    }
}

TEST_F(IgnoredFusion, EvidenceAtAPlaceNamesTheRegion) {
  ignore(0.2, -0.3, {2});
  const PlaceEvidence place = evidence_at(0.2, -0.3, {.cameras = detections_}, {}, ring_, {}, ignored_);
  EXPECT_EQ(place.cameras[2].answer, CameraAnswer::ignored);
  EXPECT_EQ(place.cameras[2].nats, 0);
  EXPECT_EQ(place.cameras[1].answer, CameraAnswer::nothing);
  const std::vector<std::string> names = {"cam1", "cam2", "cam3", "cam4"};
  EXPECT_EQ(describe(place, names, {})[3],
            "cam3: a person here would be in an ignored region of its picture");
}

}  // namespace
}  // namespace vantage
