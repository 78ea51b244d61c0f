#include "core/fusion/fusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/detections/skeletons.h"
#include "core/fusion/body_box.h"
#include "core/fusion/detail/box_evidence.h"
#include "core/fusion/place_evidence.h"
#include "tests/reference/fusion.h"
#include "tests/support/camera_ring.h"
#include "tests/support/cmc.h"
#include "tests/support/data.h"
#include "tests/support/jointed_body.h"
#include "tests/support/seed.h"
#include "tests/unit/fusion/body_ring.h"

namespace vantage {
namespace {

using test::detection_of;
using test::kRingFloor;
using test::ring_of;

struct Standing {
  double x_m, y_m, height_m;
};

// Every camera sees everybody.
std::vector<CameraDetections> seen(const std::vector<PinholeCamera<double>>& cameras,
                                   const std::vector<Standing>& people) {
  std::vector<CameraDetections> all;
  for (const auto& camera : cameras) {
    CameraDetections& one = all.emplace_back();
    one.known = true;
    for (const Standing& person : people) {
      const BodyBox box = body_box(camera, person.x_m, person.y_m, person.height_m);
      if (box.seen) one.people.push_back(detection_of(box));
    }
  }
  return all;
}

double away(const FusedPerson& person, const Standing& standing) {
  return std::hypot(person.x_m - standing.x_m, person.y_m - standing.y_m);
}

TEST(Fusion, PeopleAreFoundWhereTheyStand) {
  const auto ring = ring_of(4);
  const std::vector<Standing> people = {{-0.81, 0.32, 1.62}, {0.13, -0.44, 1.85}, {0.92, 0.71, 1.74}};
  PeopleFusion fusion(kRingFloor, ring);
  const auto found = fusion.find({.cameras = seen(ring, people)});
  ASSERT_EQ(found.size(), people.size());
  for (size_t i = 0; i < people.size(); ++i) {
    EXPECT_LT(away(found[i], people[i]), 0.05);
    EXPECT_NEAR(found[i].height_m, people[i].height_m, 0.06);
    EXPECT_GT(found[i].confidence, 0.99);
  }
}

// Heads at 1.28 m are those of people who sit; tall people and a child of 1.52 m stand.
TEST(Fusion, WhoseHeadIsLowSits) {
  const auto ring = ring_of(4);
  PeopleFusion fusion(kRingFloor, ring);
  const auto found =
      fusion.find({.cameras = seen(ring, {{-0.9, 0.3, 1.28}, {0, -0.6, 1.80}, {0.95, 0.75, 1.52}})});
  ASSERT_EQ(found.size(), 3U);
  const auto seated = [](const FusedPerson& person) {
    return seated_probability(person.height_m, person.height_deviation_m);
  };
  EXPECT_NEAR(found[0].height_m, 1.28, 0.06);
  EXPECT_GT(seated(found[0]), 0.8);
  EXPECT_LT(seated(found[1]), 0.01);
  EXPECT_LT(seated(found[2]), 0.2);
  EXPECT_NE(describe(found[0], {}, {}).front().find("seated"), std::string::npos);
  EXPECT_EQ(describe(found[1], {}, {}).front().find("seated"), std::string::npos);
}

// What is hardly known says no more than how many sit.
TEST(Fusion, UncertainHeightsHardlyTellWhoSits) {
  EXPECT_GT(seated_probability(1.28), 0.99);
  EXPECT_GT(seated_probability(1.40), 0.5);
  EXPECT_LT(seated_probability(1.50), 0.5);
  EXPECT_LT(seated_probability(1.28, 1), 0.25);
  EXPECT_LT(seated_probability(1.72), 1e-4);
}

TEST(Fusion, NobodyIsFoundWithoutDetections) {
  const auto ring = ring_of(4);
  PeopleFusion fusion(kRingFloor, ring);
  EXPECT_TRUE(fusion.find({.cameras = seen(ring, {})}).empty());
  EXPECT_TRUE(fusion.find({.cameras = std::vector<CameraDetections>(4)}).empty());
}

// A box in one camera is nobody while the others look there and see nothing; where they did not look, it is.
TEST(Fusion, CamerasThatSeeNothingSpeakAgainstSomebody) {
  const auto ring = ring_of(4);
  auto detections = seen(ring, {{0.2, 0.1, 1.75}});
  for (size_t c = 1; c < ring.size(); ++c) detections[c].people.clear();
  PeopleFusion fusion(kRingFloor, ring);
  EXPECT_TRUE(fusion.find({.cameras = detections}).empty());
  for (size_t c = 1; c < ring.size(); ++c) detections[c].known = false;
  const auto found = fusion.find({.cameras = detections});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].evidence.size(), 1U);
}

// Legs behind a table: boxes that end early count for less where a foot should have been seen.
TEST(Fusion, FeetThatWereGuessedCountLittle) {
  const auto ring = ring_of(3);
  auto detections = seen(ring, {{0.2, 0.1, 1.75}});
  for (CameraDetections& camera : detections) {
    PersonDetection& person = camera.people.front();
    person.score = 0.45F;
    person.height_px *= 0.7F;
  }
  PeopleFusion fusion(kRingFloor, ring);
  EXPECT_TRUE(fusion.find({.cameras = detections}).empty());
  for (CameraDetections& camera : detections) {
    PersonDetection& person = camera.people.front();
    person.keypoints.assign(25, {});
    person.keypoints[1] = {person.left_px, person.top_px, 0.5F};
  }
  const auto found = fusion.find({.cameras = detections});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(away(found[0], {0.2, 0.1, 1.75}), 0.25);
}

// Ceiling cameras, joints above a table: no foot, every third joint missing at random.
TEST(Fusion, JointsOfUpperBodiesTellWhereTheyStand) {
  test::RingOptions options;
  options.cameras = 3, options.width_px = 640, options.height_px = 480;
  options.radius_m = 3, options.height_m = 2.6, options.look_at_height_m = 0.8;
  const std::vector<Camera> ring = test::camera_ring(options);
  PeopleFusion fusion(kRingFloor, models_of(ring));
  std::mt19937_64 random(test::test_seed());
  std::uniform_real_distribution<double> unit;
  int found = 0;
  double off_m = 0;
  constexpr int kBodies = 60;
  for (int i = 0; i < kBodies; ++i) {
    const test::JointedBody body{1.5 * unit(random) - 0.75, 1.5 * unit(random) - 0.75, 6.3 * unit(random),
                                 0.3};
    std::vector<CameraDetections> seen;
    for (const Camera& camera : ring) {
      CameraDetections& one = seen.emplace_back();
      one.known = true;
      PersonDetection person = test::seen_joints(camera, test::joints_of(body));
      for (size_t k = 0; k < person.keypoints.size(); ++k) {
        const std::string_view joint = find_skeleton("BODY_25")->joints[k];
        const bool low = joint.ends_with("knee") || joint.ends_with("ankle") || joint.ends_with("heel") ||
                         joint.ends_with("toe");
        if (low || unit(random) < 1.0 / 3) person.keypoints[k] = {};
      }
      if (box_from_joints("BODY_25", &person)) one.people.push_back(person);
    }
    const auto people = fusion.find({.cameras = seen});
    if (people.size() != 1) continue;
    ++found;
    off_m += std::hypot(people[0].x_m - body.x_m, people[0].y_m - body.y_m);
  }
  EXPECT_EQ(found, kBodies);
  EXPECT_LT(off_m / found, 0.038);
}

std::vector<MaskSamples> masks_of(const std::vector<PinholeCamera<double>>& cameras,
                                  const std::vector<Standing>& people) {
  std::vector<MaskSamples> masks;
  for (const auto& camera : cameras) {
    std::vector<BodyBox> bodies;
    for (const Standing& one : people) bodies.push_back(body_box(camera, one.x_m, one.y_m, one.height_m));
    masks.push_back(test::mask_of(camera, bodies));
  }
  return masks;
}

// One detector knows somebody whom the others do not, bent or in the dark; all masks show that something
// stands there.
TEST(Fusion, MasksExcuseDetectorsThatMissSomebody) {
  const auto ring = ring_of(4);
  const std::vector<Standing> people = {{0.2, 0.1, 1.75}};
  auto detections = seen(ring, people);
  for (size_t c = 1; c < ring.size(); ++c) detections[c].people.clear();
  const std::vector<MaskSamples> masks = masks_of(ring, people);
  PeopleFusion fusion(kRingFloor, ring);
  const auto found = fusion.find({.cameras = detections, .masks = masks});
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].evidence.size(), 4U);
  for (const CameraEvidence& one : found[0].evidence) EXPECT_GT(one.in_mask, 0.35);
  EXPECT_LT(found[0].confidence, 0.95) << "one detector alone is no certainty";
  // Without the masks, by what is known of them.
  std::vector<MaskAtPlace> places;
  for (const CameraEvidence& one : found[0].evidence)
    places.push_back({found[0].x_m, found[0].y_m, one.camera, one.in_mask});
  const auto again = fusion.find({.cameras = detections, .mask_places = places});
  ASSERT_EQ(again.size(), 1U);
  EXPECT_LT(std::hypot(again[0].x_m - found[0].x_m, again[0].y_m - found[0].y_m), 0.15);
  // The mask of one camera more is not enough.
  const std::vector<MaskSamples> one_mask = {{}, masks[1], {}, {}};
  EXPECT_TRUE(fusion.find({.cameras = detections, .masks = one_mask}).empty());
}

// A chair that was moved fills masks, too.
TEST(Fusion, MasksAloneAreNobody) {
  const auto ring = ring_of(4);
  PeopleFusion fusion(kRingFloor, ring);
  const std::vector<MaskSamples> masks = masks_of(ring, {{0.2, 0.1, 1.75}});
  EXPECT_TRUE(fusion.find({.cameras = seen(ring, {}), .masks = masks}).empty());
  const auto found = fusion.find({.cameras = seen(ring, {{-0.9, -0.8, 1.7}}), .masks = masks});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(away(found[0], {-0.9, -0.8, 1.7}), 0.05);
}

// Empty masks say nothing: whoever was learnt with the scene has none.
TEST(Fusion, EmptyMasksChangeNothing) {
  const auto ring = ring_of(4);
  const auto detections = seen(ring, {{0.2, 0.1, 1.75}, {-0.9, -0.8, 1.7}});
  PeopleFusion fusion(kRingFloor, ring);
  const auto without = fusion.find({.cameras = detections});
  const std::vector<MaskSamples> masks = masks_of(ring, {});
  const auto with = fusion.find({.cameras = detections, .masks = masks});
  ASSERT_EQ(with.size(), without.size());
  for (size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].x_m, without[i].x_m);
    EXPECT_EQ(with[i].y_m, without[i].y_m);
    EXPECT_EQ(with[i].gain_nats, without[i].gain_nats);
  }
}

TEST(Fusion, OneCameraIsUnsureAlongItsRay) {
  const auto ring = ring_of(4);
  auto detections = seen(ring, {{0, 0, 1.72}});
  PeopleFusion fusion(kRingFloor, ring);
  const auto all = fusion.find({.cameras = detections});
  for (size_t c = 1; c < ring.size(); ++c) detections[c].known = false;
  const auto one = fusion.find({.cameras = detections});
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(one.size(), 1U);
  const double dx = std::cos(test::kRingStart_rad), dy = std::sin(test::kRingStart_rad);
  const auto along = [&](const FusedPerson& p, double x, double y) {
    return x * x * p.variance_x_m2 + 2 * x * y * p.covariance_xy_m2 + y * y * p.variance_y_m2;
  };
  EXPECT_GT(along(one[0], dx, dy), 2 * along(one[0], -dy, dx));
  EXPECT_GT(along(one[0], dx, dy), 3 * along(all[0], dx, dy));
}

// The detector of the camera behind which two stand in line finds the nearer one alone.
TEST(Fusion, WhoIsHiddenIsNotMissedByTheCameraThatCannotSee) {
  const auto ring = ring_of(3);
  const double dx = std::cos(test::kRingStart_rad), dy = std::sin(test::kRingStart_rad);
  const std::vector<Standing> people = {{-0.5 * dx, -0.5 * dy, 1.7}, {0.4 * dx, 0.4 * dy, 1.8}};
  auto detections = seen(ring, people);
  detections[0].people.erase(detections[0].people.begin());
  PeopleFusion fusion(kRingFloor, ring);
  const auto found = fusion.find({.cameras = detections});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_LT(away(found[0], people[0]), 0.1);
  const CameraEvidence& hidden = found[0].evidence[0];
  EXPECT_EQ(hidden.detection, -1);
  EXPECT_LT(hidden.visible, 0.5);
}

TEST(Fusion, EvidenceNamesTheDetections) {
  const auto ring = ring_of(4);
  const std::vector<Standing> people = {{-0.8, 0.1, 1.7}, {0.8, 0.2, 1.7}};
  auto detections = seen(ring, people);
  std::swap(detections[2].people[0], detections[2].people[1]);
  detections[1].people.insert(detections[1].people.begin(), {10, 10, 5, 3, 0.9F, {}});
  PeopleFusion fusion(kRingFloor, ring);
  const auto found = fusion.find({.cameras = detections});
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(found[0].evidence.size(), 4U);
  EXPECT_EQ(found[0].evidence[0].detection, 0);
  EXPECT_EQ(found[0].evidence[1].detection, 1);
  EXPECT_EQ(found[0].evidence[2].detection, 1);
  EXPECT_EQ(found[1].evidence[2].detection, 0);
  for (const CameraEvidence& one : found[0].evidence) EXPECT_GT(one.nats, 3);
}

// A camera that did not look can neither make nor hinder anybody; one that looked and saw nobody is against.
TEST(Fusion, CamerasThatDidNotLookSayNothing) {
  const auto ring = ring_of(4);
  auto detections = seen(ring, {{0.2, 0.1, 1.75}});
  PeopleFusion fusion(kRingFloor, ring);
  const auto before = fusion.find({.cameras = detections});
  detections[3].people.clear();
  const auto against = fusion.find({.cameras = detections});
  ASSERT_EQ(against.size(), 1U);
  detections[3].known = false;
  const auto without = fusion.find({.cameras = detections});
  ASSERT_EQ(without.size(), 1U);
  EXPECT_GT(without[0].gain_nats, against[0].gain_nats + 2);
  EXPECT_LT(without[0].gain_nats, before[0].gain_nats);
}

TEST(Fusion, TracksRaiseWhomTheyExpectAndLowerOthers) {
  const auto ring = ring_of(4);
  auto detections = seen(ring, {{0.2, 0.1, 1.75}});
  PeopleFusion fusion(kRingFloor, ring);
  const std::vector<ExpectedPerson> here = {{0.25, 0.1}}, elsewhere = {{-1, 1}};
  const double plain = fusion.find({.cameras = detections})[0].gain_nats;
  EXPECT_NEAR(fusion.find({.cameras = detections, .expected = here})[0].gain_nats, plain + 1.5, 1e-9);
  EXPECT_NEAR(fusion.find({.cameras = detections, .expected = elsewhere})[0].gain_nats, plain - 1.5, 1e-9);
}

TEST(Fusion, LargeFloorsGetLargerCells) {
  const fusion_detail::HypothesisGrid grid({0, 0, 100, 60});
  EXPECT_GT(grid.cell_m, 0.3);
  EXPECT_LE(static_cast<int64_t>(grid.nx) * grid.ny, PeopleFusion::kMaxCells * 11 / 10);
}

// The search by place and size loses no hypothesis that a detection may belong to, at any size in the
// picture.
TEST(Fusion, SearchByBoxesFindsWhateverMatches) {
  using namespace fusion_detail;
  std::mt19937 random(11);
  std::uniform_real_distribution<float> unit(0, 1);
  const PinholeCamera<double> camera = ring_of(3)[0];
  const HypothesisGrid grid(kRingFloor);
  const BoxIndex index(grid, camera);
  constexpr double kMinNats = -2.3;
  size_t matching = 0, given = 0;
  for (int i = 0; i < 40; ++i) {
    const float left = 1100 * unit(random), top = 600 * unit(random), height = 20 + 500 * unit(random);
    const Box box = inside({left, top, left + height * (0.2F + 0.6F * unit(random)), top + height}, camera);
    const double score = 0.4 + 0.5 * unit(random);
    const bool feet = i % 2 == 0;
    std::vector<char> offered(static_cast<size_t>(grid.count()));
    index.for_candidates(box, feet, 2 * (nats_of_score(score) - kMinNats),
                         [&](int32_t hypothesis, const BoxShape&) {
                           offered[hypothesis] = 1;
                           ++given;
                         });
    for (int32_t hypothesis = 0; hypothesis < grid.count(); ++hypothesis) {
      const BodyBox& body = index.box(hypothesis);
      if (!body.seen) continue;
      const BoxMatch one = match(shape_of(body), box, score, feet, kMinNats);
      if (!one.possible || std::max(nats(one, 0), nats(one, kLowerHalf)) <= kMinNats) continue;
      ++matching;
      ASSERT_TRUE(offered[hypothesis]) << "box " << i << ", hypothesis " << hypothesis;
    }
  }
  EXPECT_GT(matching, 500U);
  EXPECT_LT(given, 2 * matching);
}

std::vector<std::vector<HeadBox>> heads_of(const std::vector<PinholeCamera<double>>& cameras,
                                           const std::vector<Standing>& people) {
  std::vector<std::vector<HeadBox>> heads(cameras.size());
  for (size_t c = 0; c < cameras.size(); ++c)
    for (const Standing& one : people)
      heads[c].push_back(test::head_of(cameras[c], one.x_m, one.y_m, one.height_m));
  return heads;
}

TEST(FusionOfHeads, StandInWhereTheDetectorHasNoBox) {
  const auto ring = ring_of(4);
  const std::vector<Standing> people = {{0.4, -0.3, 1.8}};
  PeopleFusion fusion(kRingFloor, ring);
  auto detections = seen(ring, people);
  for (size_t c = 1; c < 4; ++c) detections[c].people.clear();
  EXPECT_TRUE(fusion.find({.cameras = detections}).empty());
  const auto heads = heads_of(ring, people);
  const auto found = fusion.find({.cameras = detections, .heads = heads});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].x_m, 0.4, 0.08);
  EXPECT_NEAR(found[0].y_m, -0.3, 0.08);
  EXPECT_NEAR(found[0].height_m, 1.8, 0.1);
  for (const CameraEvidence& one : found[0].evidence) {
    EXPECT_EQ(one.detection, one.camera == 0 ? 0 : -1);
    EXPECT_EQ(one.head, one.camera == 0 ? -1 : 0);
    EXPECT_GT(one.nats, 1);
  }
}

TEST(FusionOfHeads, OfBoxesThatAreThereChangeNothing) {
  const auto ring = ring_of(4);
  const std::vector<Standing> people = {{0.4, -0.3, 1.8}, {-0.9, 0.7, 1.6}};
  PeopleFusion fusion(kRingFloor, ring);
  const auto detections = seen(ring, people);
  const auto heads = heads_of(ring, people);
  const auto plain = fusion.find({.cameras = detections}),
             with = fusion.find({.cameras = detections, .heads = heads});
  ASSERT_EQ(with.size(), 2U);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(with[i].gain_nats, plain[i].gain_nats);
}

TEST(FusionOfHeads, OfOneCameraAloneAreNobody) {
  const auto ring = ring_of(4);
  PeopleFusion fusion(kRingFloor, ring);
  auto heads = heads_of(ring, {{0.4, -0.3, 1.8}});
  for (size_t c = 1; c < 4; ++c) heads[c].clear();
  EXPECT_TRUE(fusion.find({.cameras = seen(ring, {}), .heads = heads}).empty());
}

// Who is asked about is answered as by the search.
TEST(FusionOfHeads, AreNamedWhereSomebodyIsAskedAbout) {
  const auto ring = ring_of(4);
  const std::vector<Standing> people = {{0.4, -0.3, 1.8}};
  const auto heads = heads_of(ring, people);
  auto detections = seen(ring, people);
  for (size_t c = 1; c < 4; ++c) detections[c].people.clear();
  PeopleFusion fusion(kRingFloor, ring);
  const FusionInput input{.cameras = detections, .heads = heads};
  const auto found = fusion.find(input);
  ASSERT_EQ(found.size(), 1U);
  const PlaceEvidence place = evidence_at(0.4, -0.3, input, found, ring, {});
  EXPECT_EQ(place.cameras[0].answer, CameraAnswer::sees);
  for (size_t c = 1; c < 4; ++c) {
    EXPECT_EQ(place.cameras[c].answer, CameraAnswer::sees_head);
    EXPECT_NEAR(place.cameras[c].nats, found[0].evidence[c].nats, 1);
  }
}

TEST(BoxIndex, OffersEveryHypothesisThatAHeadMayBelongTo) {
  using namespace fusion_detail;
  std::mt19937 random(12);
  std::uniform_real_distribution<float> unit(0, 1);
  const PinholeCamera<double> camera = ring_of(3)[0];
  const HypothesisGrid grid(kRingFloor);
  const BoxIndex index(grid, camera);
  constexpr double kMinNats = -2.3;
  size_t matching = 0;
  for (int i = 0; i < 40; ++i) {
    const float left = 1100 * unit(random), top = 600 * unit(random), size = 20 + 80 * unit(random);
    const Box head{left, top, left + size, top + size};
    std::vector<char> offered(static_cast<size_t>(grid.count()));
    index.for_candidates_of_head(head, 2 * (kMaxForHead - kMinNats),
                                 [&](int32_t hypothesis, const BoxShape&) { offered[hypothesis] = 1; });
    for (int32_t hypothesis = 0; hypothesis < grid.count(); ++hypothesis) {
      const BodyBox& body = index.box(hypothesis);
      if (!body.seen || !match_head(shape_of(body), head, kMinNats).possible) continue;
      ++matching;
      ASSERT_TRUE(offered[hypothesis]) << "head " << i << ", hypothesis " << hypothesis;
    }
  }
  EXPECT_GT(matching, 500U);
}

// Random crowds: some not found, boxes shaken, some of nobody; every second one with masks, in which some
// are missing and something else is; two of three with heads, some of nobody.
TEST(Fusion, AgreesWithTheReference) {
  std::mt19937 random(7), random_heads(8);
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<float> shake(0, 6);
  const auto ring = ring_of(3, 3);
  PeopleFusion fusion(kRingFloor, ring);
  FusionParameters parameters;
  size_t people_found = 0;
  for (int scene = 0; scene < 16; ++scene) {
    std::vector<Standing> people;
    for (int i = 0; i < 1 + scene % 4; ++i)
      people.push_back({-1.2 + 2.4 * unit(random), -1.2 + 2.4 * unit(random), 1.5 + 0.4 * unit(random)});
    auto detections = seen(ring, people);
    for (CameraDetections& camera : detections) {
      for (PersonDetection& one : camera.people) {
        one.left_px += shake(random), one.top_px += shake(random);
        one.width_px += shake(random), one.height_px += shake(random);
        one.score = static_cast<float>(0.3 + 0.7 * unit(random));
      }
      std::erase_if(camera.people, [&](const PersonDetection&) { return unit(random) < 0.15; });
      if (unit(random) < 0.3)
        camera.people.push_back({static_cast<float>(900 * unit(random)),
                                 static_cast<float>(500 * unit(random)),
                                 150,
                                 400,
                                 0.8F,
                                 {}});
    }
    std::vector<MaskSamples> masks;
    if (scene % 2 == 1) {
      std::vector<Standing> shown = people;
      std::erase_if(shown, [&](const Standing&) { return unit(random) < 0.2; });
      shown.push_back({-1.2 + 2.4 * unit(random), -1.2 + 2.4 * unit(random), 1.2});
      masks = masks_of(ring, shown);
    }
    std::vector<std::vector<HeadBox>> heads;
    if (scene % 3 > 0) {
      heads = heads_of(ring, people);
      for (std::vector<HeadBox>& camera : heads) {
        std::erase_if(camera, [&](const HeadBox&) { return unit(random_heads) < 0.3; });
        camera.push_back({static_cast<float>(900 * unit(random_heads)),
                          static_cast<float>(500 * unit(random_heads)), 50, 50});
      }
    }
    const auto found = fusion.find({.cameras = detections, .heads = heads, .masks = masks});
    const auto expected = reference::Fusion(kRingFloor, ring, parameters).find(detections, masks, heads);
    ASSERT_EQ(found.size(), expected.size()) << "scene " << scene;
    // A point of a box on the edge of another falls on either side in single precision.
    constexpr double kSame_m = 0.005;
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].x_m, expected[i].x_m, kSame_m) << "scene " << scene;
      EXPECT_NEAR(found[i].y_m, expected[i].y_m, kSame_m) << "scene " << scene;
      EXPECT_NEAR(found[i].height_m, expected[i].height_m, kSame_m) << "scene " << scene;
    }
    people_found += found.size();
  }
  EXPECT_GT(people_found, 15U);
}

TrackingMetrics metrics_of(const test::CmcRecording& recording) {
  PeopleFusion fusion({0, 0, 7.67, 3.41}, recording.cameras);
  std::vector<TrackRow> rows;
  for (const auto& [frame, detections] : recording.frames) {
    int64_t id = 0;
    for (const FusedPerson& person : fusion.find({.cameras = detections})) {
      TrackRow& row = rows.emplace_back();
      row.frame = frame, row.id = ++id, row.x_m = person.x_m, row.y_m = person.y_m;
    }
  }
  return test::evaluate_cmc(recording, rows);
}

// Each frame by itself; tracks know more.
TEST(Fusion, RealDetectionsOfThree) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  const TrackingMetrics metrics = metrics_of(test::read_cmc(folder, "CMC1"));
  EXPECT_GT(metrics.clear.moda, 0.99);
  EXPECT_LT(metrics.places.floor_error_m, 0.07);
}

TEST(Fusion, RealDetectionsOfTen) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  const TrackingMetrics metrics = metrics_of(test::read_cmc(folder, "CMC2"));
  EXPECT_GT(metrics.clear.moda, 0.90);
  EXPECT_LT(metrics.places.floor_error_m, 0.13);
}

}  // namespace
}  // namespace vantage
