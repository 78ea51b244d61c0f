// Greedy association: its definition against every device. Lengths of the small problems are multiples of
// 1/64 m, whose squares and sums are exact, so that equal distances are equal everywhere; weights of height
// likewise. On arbitrary numbers the devices are compared with each other.
#include "core/tracking/association.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/tracking/tracker.h"
#include "tests/reference/association.h"
#include "tests/support/association_problems.h"
#include "tests/support/backends.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

using test::Crowd;
using test::make_crowd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class AssociationParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<TrackAssociation>()) GTEST_SKIP() << device_.why_missing();
    association_ = device_.create<TrackAssociation>({});
  }

  std::vector<int32_t> associate(const AssociationProblem& problem) {
    return association_->associate(problem, 0).value();
  }

  test::DeviceUnderTest device_{GetParam()};
  std::unique_ptr<TrackAssociation> association_;
};

TEST_P(AssociationParity, CrowdsAsDefined) {
  std::mt19937 random(test::test_seed());
  for (const auto& [tracks, detections] :
       {std::pair{1, 1}, {1, 7}, {7, 1}, {6, 6}, {31, 33}, {33, 31}, {40, 40}, {64, 20}, {97, 130}})
    for (const double people_per_m2 : {0.5, 4.0, 100.0})
      for (const double quantum_m : {1.0 / 64, 0.25, 1.0})
        for (const double height_weight : {0.0, 1.5}) {
          SCOPED_TRACE(std::to_string(tracks) + " tracks, " + std::to_string(detections) + " detections, " +
                       std::to_string(people_per_m2) + " a m2, steps of " + std::to_string(quantum_m));
          const Crowd crowd = make_crowd({tracks, detections, people_per_m2, 0.3, 2, quantum_m}, random);
          const AssociationProblem problem = crowd.problem(height_weight);
          ASSERT_EQ(associate(problem), reference::associate(problem));
        }
}

TEST_P(AssociationParity, NobodyOnEitherSide) {
  const std::vector<ExpectedTrack> track = {{0, 0, 1.7, 1}};
  const std::vector<FloorDetection> detection = {{0, 0, 1.7}};
  EXPECT_TRUE(associate({}).empty());
  EXPECT_TRUE(associate({track, {}}).empty());
  EXPECT_EQ(associate({{}, detection}), (std::vector<int32_t>{-1}));
}

TEST_P(AssociationParity, TheGateCountsWithItsBorder) {
  const std::vector<ExpectedTrack> tracks = {{0, 0, 0, 0.5}};
  EXPECT_EQ(associate({tracks, std::vector<FloorDetection>{{0.5, 0, 0}}}), (std::vector<int32_t>{0}));
  EXPECT_EQ(associate({tracks, std::vector<FloorDetection>{{0.5000001, 0, 0}}}), (std::vector<int32_t>{-1}));
}

TEST_P(AssociationParity, ASmallerRankGoesFirstHoweverFar) {
  const std::vector<ExpectedTrack> tracks = {{0, 0, 0, 3, 1}, {2, 0, 0, 3, 0}};
  EXPECT_EQ(associate({tracks, std::vector<FloorDetection>{{0, 0, 0}}}), (std::vector<int32_t>{1}));
}

// Everybody at one place: the first tracks get the first detections.
TEST_P(AssociationParity, EqualDistancesGoByNumber) {
  const std::vector<ExpectedTrack> tracks(70, {1, 2, 1.7, 1});
  const std::vector<FloorDetection> detections(50, {1, 2, 1.7});
  std::vector<int32_t> expected;
  for (int32_t d = 0; d < 50; ++d) expected.push_back(d);
  EXPECT_EQ(associate({tracks, detections}), expected);
}

// On a line with gaps that shrink every choice depends on the one before: each track wants the detection that
// the next one wants more.
TEST_P(AssociationParity, AChainOfChoices) {
  std::vector<ExpectedTrack> tracks;
  std::vector<FloorDetection> detections;
  double x_m = 0;
  for (int i = 0; i < 600; ++i) {
    tracks.push_back({x_m, 0, 0, 10});
    x_m += (1200 - 2 * i) / 1024.0;
    detections.push_back({x_m, 0, 0});
    x_m += (1199 - 2 * i) / 1024.0;
  }
  const AssociationProblem problem{tracks, detections};
  EXPECT_EQ(associate(problem), reference::associate(problem));
}

TEST_P(AssociationParity, WhatIsNoNumberMakesNoEdge) {
  const std::vector<ExpectedTrack> tracks = {
      {kNone, 0, 0, 1}, {0, 0, 0, kNone}, {0, 0, 0, -1}, {0, 0, 0, kInfinity}, {0, 0, 0, 1}};
  const std::vector<FloorDetection> detections = {
      {0, kNone, 0}, {kInfinity, 0, 0}, {0, 0, kNone}, {0.5, 0, 0}};
  EXPECT_EQ(associate({tracks, detections}), (std::vector<int32_t>{-1, -1, -1, 3}));
  const std::vector<FloorDetection> far = {{kInfinity, 0, 0}};
  EXPECT_EQ(associate({tracks, far}), (std::vector<int32_t>{3}));
}

// As the calling thread does it: arbitrary numbers, crowds up to some thousands; gates of 40 m hold everybody
// of the smaller ones. Again and again, since warps come in any order.
TEST_P(AssociationParity, LargeCrowdsOfArbitraryNumbers) {
  struct Case {
    int tracks, detections;
    double max_gate_m;
  };
  std::mt19937 random(test::test_seed());
  for (const auto& [tracks, detections, max_gate_m] :
       {Case{400, 380, 1}, {400, 380, 40}, {1000, 1100, 40}, {3000, 2900, 1}}) {
    SCOPED_TRACE(std::to_string(tracks) + " tracks, gates to " + std::to_string(max_gate_m) + " m");
    const Crowd crowd = make_crowd({tracks, detections, 2, 0.2, max_gate_m}, random);
    const std::vector<int32_t> expected = associate_greedily(crowd.problem());
    for (int again = 0; again < 3; ++again) ASSERT_EQ(associate(crowd.problem()), expected);
  }
}

// A tracker that leaves all of its frames to the device.
TEST_P(AssociationParity, TracksAreTheSame) {
  std::mt19937 random(test::test_seed());
  TrackingParameters parameters;
  parameters.device_from_pairs = 0;
  Tracker here(25), there(25, std::move(association_));
  here.set_parameters(parameters), there.set_parameters(parameters);
  std::vector<FloorDetection> people = make_crowd({0, 60, 1}, random).detections;
  std::normal_distribution<double> step_m(0, 0.1);
  for (int64_t frame = 0; frame < 40; ++frame) {
    for (FloorDetection& person : people) person.x_m += step_m(random), person.y_m += step_m(random);
    const std::vector<FloorDetection> seen(people.begin() + frame % 5, people.end());
    const auto expected = here.update(frame, seen).value(), got = there.update(frame, seen).value();
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].id, expected[i].id) << frame;
      ASSERT_EQ(got[i].x_m, expected[i].x_m) << frame;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, AssociationParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
