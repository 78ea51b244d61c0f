// Cases whose answer one can write down.
#include "core/tracking/tracker.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vantage {
namespace {

using Detections = std::vector<FloorDetection>;

std::vector<int64_t> ids(const std::vector<TrackedPerson>& tracked) {
  std::vector<int64_t> ids;
  for (const TrackedPerson& t : tracked) ids.push_back(t.id);
  return ids;
}

TrackingParameters at_once() {
  TrackingParameters parameters;
  parameters.confirm_frames = 1;
  parameters.rejoin_m = 0;
  return parameters;
}

// Two people who cross at right angles, a metre per second each, seen at 25 frames/s.
Detections crossing(int64_t frame) {
  const double along = -2 + 0.04 * static_cast<double>(frame);
  Detections seen = {{along, 0.3, 1.8}, {0.3, along, 1.6}};
  if (frame % 2) std::swap(seen[0], seen[1]);  // detections have no order
  return seen;
}

TEST(Tracker, KeepsIdentitiesThroughACrossing) {
  Tracker tracker(25);
  tracker.set_parameters(at_once());
  for (int64_t frame = 0; frame < 100; ++frame) {
    const auto tracked = tracker.update(frame, crossing(frame)).value();
    EXPECT_EQ(tracked[frame % 2].id, 1) << frame;
    EXPECT_EQ(tracked[(frame + 1) % 2].id, 2) << frame;
  }
}

TEST(Tracker, TheNearestPairIsJoinedFirst) {
  Tracker tracker(25);
  tracker.set_parameters(at_once());
  ASSERT_EQ(ids(tracker.update(0, Detections{{0, 0, 1.7}, {1, 0, 1.7}}).value()),
            (std::vector<int64_t>{1, 2}));
  // Both are inside the second one's gate; the nearer gets it, the other is outside the first one's.
  EXPECT_EQ(ids(tracker.update(1, Detections{{1.35, 0, 1.7}, {1.1, 0, 1.7}}).value()),
            (std::vector<int64_t>{3, 2}));
}

TEST(Tracker, NumbersComeWithConfirmationAndAreNotReused) {
  Tracker tracker(10);
  TrackingParameters parameters;
  parameters.confirm_frames = 3;
  parameters.keep_s = 0.5;
  tracker.set_parameters(parameters);
  const Detections here = {{0, 0, 1.7}};
  EXPECT_EQ(tracker.update(0, here).value()[0].id, 0);
  EXPECT_EQ(tracker.update(1, here).value()[0].id, 0);
  EXPECT_EQ(tracker.update(2, here).value()[0].id, 1);
  tracker.update(3, {}).value();
  EXPECT_EQ(tracker.update(7, here).value()[0].id, 1) << "lost for four frames, kept for five";
  EXPECT_EQ(tracker.update(14, here).value()[0].id, 0) << "lost for six";
  tracker.update(15, here).value();
  EXPECT_EQ(tracker.update(16, here).value()[0].id, 2);
  tracker.update(17, Detections{{5, 5, 1.7}}).value();
  tracker.update(18, {}).value();
  EXPECT_EQ(tracker.update(19, Detections{{5, 5, 1.7}}).value()[0].id, 0)
      << "an unconfirmed one is forgotten at once";
}

// What is found for less than a tenth of a second is no one at any rate, and one missed look at a high rate
// does not begin the count again.
TEST(Tracker, ConfirmationLastsAsLongAtHighRates) {
  const Detections here = {{0, 0, 1.7}};
  for (const int rate : {25, 50, 60}) {
    Tracker tracker(rate);
    int64_t confirmed = -1;
    for (int64_t frame = 0; frame < rate && confirmed < 0; ++frame)
      if (tracker.update(frame, here).value()[0].id > 0) confirmed = frame;
    EXPECT_GE(static_cast<double>(confirmed) / rate, 0.06) << rate;
    EXPECT_LE(static_cast<double>(confirmed) / rate, 0.08 + 1e-9) << rate;
  }
  Tracker tracker(50);
  for (int64_t frame = 0; frame < 4; ++frame) tracker.update(frame, frame == 2 ? Detections{} : here).value();
  EXPECT_EQ(tracker.update(4, here).value()[0].id, 1);
}

TEST(Tracker, TheGateGrowsWithTheTimeUnseen) {
  TrackingParameters parameters = at_once();
  parameters.gate_m = 0.2;
  parameters.max_speed_m_per_s = 2;
  for (const auto& [frames, distance_m, same] :
       {std::tuple{1, 0.39, true}, {1, 0.41, false}, {5, 1.19, true}, {5, 1.21, false}}) {
    Tracker tracker(10);
    tracker.set_parameters(parameters);
    tracker.update(0, Detections{{0, 0, 1.7}}).value();
    EXPECT_EQ(tracker.update(frames, Detections{{distance_m, 0, 1.7}}).value()[0].id, same ? 1 : 2)
        << frames << " frames, " << distance_m << " m";
  }
}

TEST(Tracker, OfTwoNearPlacesTheRightHeightCounts) {
  TrackingParameters parameters = at_once();
  for (const double weight : {0.0, 1.5}) {
    parameters.height_weight = weight;
    Tracker tracker(25);
    tracker.set_parameters(parameters);
    tracker.update(0, Detections{{0, 0, 1.8}}).value();
    // What stands a little nearer is 30 cm shorter.
    const auto tracked = tracker.update(1, Detections{{0.2, 0, 1.5}, {-0.25, 0, 1.8}}).value();
    EXPECT_EQ(tracked[weight > 0 ? 1 : 0].id, 1) << weight;
  }
}

TEST(Tracker, InAnOutageTracksAreKeptLongerAndNewOnesWait) {
  constexpr int64_t kUnseen = 20;
  for (const Sight sight : {Sight::whole, Sight::reduced}) {
    Tracker tracker(10);
    tracker.set_parameters({});
    int64_t frame = 0;
    while (frame < 5) tracker.update(frame++, Detections{{0, 0, 1.7}}).value();
    while (frame < 5 + kUnseen) tracker.update(frame++, {}, {}, sight).value();
    const int64_t expected = sight == Sight::reduced ? 1 : 0;
    EXPECT_EQ(tracker.update(frame++, Detections{{0.6, 0, 1.7}}, {}, sight).value()[0].id, expected);
    const int64_t begun = frame;
    while (tracker.update(frame++, Detections{{0.6, 0, 1.7}, {3, 3, 1.7}}, {}, sight).value()[1].id == 0)
      continue;
    EXPECT_EQ(frame - begun, sight == Sight::reduced ? 10 : 3);
  }
}

// Somebody hidden for three frames, while a ghost is found within the gate.
TEST(Tracker, ARejectedPeakKeepsAPersonFromBecomingTheGhostBeside) {
  const Detections person = {{0, 0, 1.7}}, ghost = {{0.45, 0, 1.7}}, rejected = {{0.1, 0, 1.7}};
  for (const bool known : {false, true}) {
    Tracker tracker(10);
    tracker.set_parameters({});
    int64_t frame = 0;
    while (frame < 5) tracker.update(frame++, person).value();
    for (; frame < 8; ++frame)
      EXPECT_EQ(tracker.update(frame, ghost, known ? rejected : Detections{}).value()[0].id,
                known ? (frame == 7 ? 2 : 0) : 1);
    const auto both = tracker.update(frame, Detections{{0.5, 0, 1.7}, person[0]}).value();
    EXPECT_EQ(both[1].id == 1, known) << "the ghost has the number";
  }
}

TEST(Tracker, WhoTookAGhostGoesBackToThePersonWhenTheGhostIsRejected) {
  const Detections person = {{0, 0, 1.7}}, ghost = {{0.45, 0, 1.7}};
  Tracker tracker(10);
  tracker.set_parameters({});
  int64_t frame = 0;
  while (frame < 5) tracker.update(frame++, person).value();
  EXPECT_EQ(tracker.update(frame++, ghost).value()[0].id, 1);
  EXPECT_EQ(tracker.update(frame, person, ghost).value()[0].id, 1);
}

TEST(Tracker, OnlyARejectedPeakNearbyShowsAPersonAndNotForLongerThanTracksAreKept) {
  const auto number_after = [](int frames, double away_m) {
    TrackingParameters parameters = at_once();
    parameters.keep_s = 0.5;
    Tracker tracker(10);
    tracker.set_parameters(parameters);
    int64_t frame = 0;
    tracker.update(frame++, Detections{{0, 0, 1.7}}).value();
    for (int i = 0; i < frames; ++i)
      EXPECT_TRUE(tracker.update(frame++, {}, Detections{{away_m, 0, 1.7}}).value().empty());
    return tracker.update(frame, Detections{{away_m - 0.35, 0, 1.7}}).value()[0].id;
  };
  EXPECT_EQ(number_after(1, 0.19), 1);
  EXPECT_EQ(number_after(5, 0.19), 1);
  EXPECT_EQ(number_after(6, 0.19), 2) << "nobody was found for longer";
  EXPECT_EQ(number_after(1, 1.1), 2) << "0.75 m away from where somebody stood, beyond the gate of 0.7";
}

// Frames at 10 a second; the number that whoever stands last in the last of them has.
int64_t number_at_the_end(const std::vector<Detections>& frames, double rejoin_m = 1) {
  TrackingParameters parameters;
  parameters.rejoin_m = rejoin_m;
  Tracker tracker(10);
  tracker.set_parameters(parameters);
  int64_t number = 0;
  for (size_t frame = 0; frame < frames.size(); ++frame)
    number = tracker.update(static_cast<int64_t>(frame), frames[frame]).value().back().id;
  return number;
}

TEST(Tracker, WhoComesOutNearWhereSomebodyWasLostHasTheirNumber) {
  for (const auto& [away_m, height_m, rejoin_m, number] : {std::tuple{0.85, 1.7, 1.0, 1},
                                                           {0.85, 1.7, 0.0, 2},
                                                           {1.05, 1.7, 1.0, 2},
                                                           {1.05, 1.7, 1.2, 1},
                                                           {0.85, 1.3, 1.0, 2}}) {
    std::vector<Detections> frames(5, {{0, 0, 1.7}});
    frames.resize(8, {{away_m, 0, height_m}});
    EXPECT_EQ(number_at_the_end(frames, rejoin_m), number) << away_m << ' ' << height_m << ' ' << rejoin_m;
  }
}

// The number went to a ghost, and the person is found again while it still stands there.
TEST(Tracker, WhoComesBackHasTheirNumberOnceTheGhostIsGone) {
  const FloorDetection person = {0, 0, 1.7}, ghost = {0.55, 0, 1.7};
  std::vector<Detections> frames(5, {person});
  frames.resize(7, {ghost});
  frames.push_back({ghost, person});
  frames.resize(10, {person});
  EXPECT_EQ(number_at_the_end(frames), 1);
  EXPECT_EQ(number_at_the_end(frames, 0), 2);
}

TEST(Tracker, WhoIsStillFoundKeepsTheirNumberFromOneWhoIsNew) {
  std::vector<Detections> frames(5, {{0, 0, 1.7}});
  frames.resize(12, {{0, 0, 1.7}, {0.9, 0, 1.7}});
  EXPECT_EQ(number_at_the_end(frames), 2);
}

// A ghost beside somebody lost has no number for a fifth of a second, whatever the rate.
TEST(Tracker, AGhostOfAMomentTakesNoNumberFromWhoIsLost) {
  const Detections person = {{0, 0, 1.7}}, ghost = {{0.85, 0, 1.7}};
  Tracker tracker(25);
  int64_t frame = 0;
  while (frame < 5) tracker.update(frame++, person).value();
  while (frame < 10) EXPECT_EQ(tracker.update(frame++, ghost).value()[0].id, 0);
  EXPECT_EQ(tracker.update(frame, person).value()[0].id, 1);

  Tracker other(25);
  frame = 0;
  while (frame < 5) other.update(frame++, person).value();
  while (frame < 10) EXPECT_EQ(other.update(frame++, ghost).value()[0].id, 0);
  EXPECT_EQ(other.update(frame, ghost).value()[0].id, 1) << "it stays: they stood there";
}

// Live sets are thinned when the analysis is slower than the cameras.
TEST(Tracker, WhereOnlyEveryThirdFrameIsLookedAtPeopleGetNumbersToo) {
  for (const Sight sight : {Sight::whole, Sight::reduced}) {
    Tracker tracker(25);
    tracker.set_parameters({});
    int64_t numbered = -1;
    for (int64_t frame = 0; frame < 90 && numbered < 0; frame += 3)
      if (tracker.update(frame, crossing(frame), {}, sight).value()[0].id > 0) numbered = frame;
    EXPECT_EQ(numbered, sight == Sight::whole ? 6 : 24) << "the third look; a second";
  }
}

TEST(Tracker, OfManyCamerasOneMoreOrLessChangesNothing) {
  EXPECT_EQ(sight_of(4, 0), Sight::whole);
  EXPECT_EQ(sight_of(0, 0), Sight::whole);
  EXPECT_EQ(sight_of(4, 1), Sight::reduced);
  EXPECT_EQ(sight_of(8, 1), Sight::reduced);
  EXPECT_EQ(sight_of(16, 1), Sight::whole);
  EXPECT_EQ(sight_of(16, 2), Sight::reduced);
}

TEST(Tracker, ARestoredMemoryGoesOnExactly) {
  Tracker straight(25), other(25);
  std::vector<std::vector<TrackedPerson>> expected;
  TrackerMemory middle;
  for (int64_t frame = 0; frame < 80; ++frame) {
    expected.push_back(straight.update(frame, crossing(frame)).value());
    if (frame == 40) middle = straight.memory();
  }
  other.update(0, Detections{{9, 9, 1.2}}).value();
  other.restore(middle);
  for (int64_t frame = 41; frame < 80; ++frame) {
    const auto again = other.update(frame, crossing(frame)).value();
    const auto& before = expected[frame];
    ASSERT_EQ(ids(again), ids(before));
    for (size_t i = 0; i < again.size(); ++i) {
      EXPECT_EQ(again[i].x_m, before[i].x_m);
      EXPECT_EQ(again[i].height_m, before[i].height_m);
    }
  }
}

}  // namespace
}  // namespace vantage
