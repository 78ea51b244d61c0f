#include "core/tracking/paths/path_tracker.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace vantage {
namespace {

constexpr double kRate = 25;

// Two people who cross at right angles in the middle, 1 m/s each, at 25 frames/s.
std::vector<SeenFrame> crossing(int frames) {
  std::vector<SeenFrame> seen;
  for (int f = 0; f < frames; ++f) {
    const double along = -0.02 * frames + 0.04 * f;
    seen.push_back({f, {{0, along, 0.3, 1.8, 0.9}, {0, 0.3, along, 1.6, 0.9}}, {}});
    if (f % 2) std::swap(seen.back().people[0], seen.back().people[1]);  // detections have no order
  }
  return seen;
}

// Whether the path keeps to one of the two all the time.
bool keeps_to_one(const PersonPath& path) {
  const bool tall = path.points.front().height_m > 1.7;
  for (const PathPoint& point : path.points)
    if ((point.height_m > 1.7) != tall) return false;
  return true;
}

class PathTracker : public testing::TestWithParam<PathMethod> {
 protected:
  PathParameters parameters() const {
    PathParameters p;
    p.method = GetParam();
    return p;
  }
};

TEST_P(PathTracker, NobodyMakesNoPath) {
  const auto none = follow_paths({}, kRate, parameters());
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  const std::vector<SeenFrame> empty = {{3, {}, {}}, {9, {}, {}}};
  const auto still_none = follow_paths(empty, kRate, parameters());
  ASSERT_TRUE(still_none);
  EXPECT_TRUE(still_none->empty());
}

TEST_P(PathTracker, PeopleAreFollowedAndGapsFilledOnTheStraightLine) {
  std::vector<SeenFrame> seen;
  for (int f = 10; f < 60; ++f) {
    SeenFrame frame{f, {{0, 0.04 * f, 1, 1.8, 0.9}}, {}};
    if (f >= 30 && f < 34) frame.people.clear();
    if (f != 40) seen.push_back(frame);  // a frame that is missing altogether
  }
  const auto paths = follow_paths(seen, kRate, parameters());
  ASSERT_TRUE(paths);
  ASSERT_EQ(paths->size(), 1u);
  const PersonPath& path = paths->front();
  EXPECT_EQ(path.id, 1);
  ASSERT_EQ(path.points.size(), 50u);
  for (int i = 0; i < 50; ++i) {
    const PathPoint& point = path.points[i];
    const int f = 10 + i;
    EXPECT_EQ(point.frame, f);
    EXPECT_NEAR(point.x_m, 0.04 * f, 1e-9);
    EXPECT_EQ(point.seen, !((f >= 30 && f < 34) || f == 40)) << f;
  }
}

TEST_P(PathTracker, ARejectedPeakBridgesButMakesNobody) {
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 60; ++f) {
    SeenFrame& frame = seen.emplace_back(SeenFrame{f, {}, {{0, 5, 5, 1.8, 0.9}}});  // always rejected
    (f >= 20 && f < 40 ? frame.rejected : frame.people).push_back({0, 0, 0, 1.8, 0.9});
  }
  const auto paths = follow_paths(seen, kRate, parameters());
  ASSERT_TRUE(paths);
  ASSERT_EQ(paths->size(), 1u);
  EXPECT_EQ(paths->front().points.size(), 60u);
  EXPECT_NEAR(paths->front().points[30].x_m, 0, 1e-9);
  EXPECT_EQ(paths->front().points[10].person, 0);
  EXPECT_EQ(paths->front().points[30].person, -1);
}

// Two who stand 90 cm from each other are lost for 13 frames, one behind the other. One path that goes over
// to the second person's place, and two ends, would leave out fewer frames.
TEST_P(PathTracker, TwoWhoAreLostAtOnceAreNotExchanged) {
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 50; ++f) {
    SeenFrame& frame = seen.emplace_back(SeenFrame{f, {}, {}});
    if (f < 10 || f > 22) frame.people.push_back({0, 0, 0, 1.7, 0.9});
    if (f < 18 || f > 30) frame.people.push_back({0, 0.9, 0, 1.7, 0.9});
  }
  const auto paths = follow_paths(seen, kRate, parameters());
  ASSERT_TRUE(paths);
  ASSERT_EQ(paths->size(), 2u);
  for (const PersonPath& path : *paths)
    for (const PathPoint& point : path.points) EXPECT_NEAR(point.x_m, path.points.front().x_m, 1e-9);
}

TEST_P(PathTracker, AJumpIsAnotherPerson) {
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 100; ++f) seen.push_back({f, {{0, f < 50 ? 0.0 : 6.0, 0, 1.8, 0.9}}, {}});
  const auto paths = follow_paths(seen, kRate, parameters());
  ASSERT_TRUE(paths);
  EXPECT_EQ(paths->size(), 2u);
}

TEST_P(PathTracker, WindowsContinueTheSamePeople) {
  const std::vector<SeenFrame> seen = crossing(200);
  PathParameters p = parameters();
  p.window_s = 2, p.overlap_s = 0.8;
  const auto paths = follow_paths(seen, kRate, p);
  ASSERT_TRUE(paths);
  ASSERT_EQ(paths->size(), 2u);
  for (const PersonPath& path : *paths) {
    EXPECT_EQ(path.points.size(), 200u);
    EXPECT_TRUE(GetParam() == PathMethod::grid || keeps_to_one(path));  // the grid knows no heights
  }
}

// Few frames say as much as many: who is there in one cut out of the middle of a recording was there before
// and stays. Somebody who is seen as shortly while the recording goes on is nobody.
TEST_P(PathTracker, PeopleOfAFewFramesAreFollowed) {
  for (const int frames : {1, 3, 8}) {
    std::vector<SeenFrame> seen;
    for (int f = 0; f < frames; ++f)
      seen.push_back({f, {{0, 0.04 * f, 0, 1.8, 0.8}, {0, 2, 0.04 * f, 1.6, 0.8}}, {}});
    const auto paths = follow_paths(seen, kRate, parameters());
    ASSERT_EQ(paths->size(), 2u) << frames;
    for (const PersonPath& path : *paths) EXPECT_EQ(std::ssize(path.points), frames);
  }
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 60; ++f) seen.push_back({f, {}, {}});
  for (int f = 30; f < 38; ++f) seen[f].people.push_back({0, 0, 0, 1.8, 0.8});
  EXPECT_TRUE(follow_paths(seen, kRate, parameters())->empty());
}

// In windows only the first begins where the range does: what flickers at the others' borders is nobody.
TEST_P(PathTracker, BordersOfWindowsMakeNobody) {
  PathParameters p = parameters();
  p.window_s = 2, p.overlap_s = 0.8;  // windows of 50 frames, each 30 after the last
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 200; ++f) seen.push_back({f, {}, {}});
  for (const int border : {30, 50, 60, 80})
    for (int f = border - 3; f < border + 3; ++f) seen[f].people.push_back({0, 0.1 * border, 0, 1.8, 0.7});
  EXPECT_TRUE(follow_paths(seen, kRate, p)->empty());
}

// Sets of live cameras are often left out: nobody looked, so that it costs nothing. Lost for 1.8 s costs 4.3
// nats, more than to end and to begin; three looks meanwhile count as a quarter of a second each.
TEST_P(PathTracker, FramesThatNobodyLookedAtCostNothing) {
  PathParameters p = parameters();
  p.entry_cost = 2;
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 120; ++f) {
    seen.push_back({f, {{0, 0.01 * f, 0, 1.8, 0.9}}, {}});
    if (f >= 40 && f < 85) seen.back().people.clear();
  }
  EXPECT_EQ(follow_paths(seen, kRate, p)->size(), 2u);
  std::erase_if(seen, [](const SeenFrame& frame) { return frame.people.empty() && frame.frame % 15 != 0; });
  for (const double window_s : {0.0, 2.0}) {
    p.window_s = window_s;
    const auto paths = follow_paths(seen, kRate, p);
    ASSERT_EQ(paths->size(), 1u);
    EXPECT_EQ(paths->front().points.size(), 120u);
  }
  // A recording of which two parts were analysed is another matter.
  p.window_s = 0;
  std::erase_if(seen, [](const SeenFrame& frame) { return frame.frame > 30 && frame.frame < 90; });
  EXPECT_EQ(follow_paths(seen, kRate, p)->size(), 2u);
}

TEST_P(PathTracker, WrongInputIsRefused) {
  const std::vector<SeenFrame> twice = {{1, {}, {}}, {1, {}, {}}};
  EXPECT_FALSE(follow_paths(twice, kRate, parameters()));
  EXPECT_FALSE(follow_paths({}, 0, parameters()));
}

// Two pass each other while nobody is found, and stand where the other was: the nearest place is the wrong
// one, the colours of their clothes are not. Only on the graph: cells of a grid have no colour.
TEST(PathTrackerColors, TellWhoPassedWhom) {
  const auto seen_of = [](bool measured) {
    const BodyColor red{1, std::array<float, 3>{60, 100, 180}, std::nullopt},
        green{1, std::array<float, 3>{90, 90, 90}, std::nullopt}, other_camera{2, red.trunk, red.legs};
    std::vector<SeenFrame> seen;
    for (int f = 0; f < 60; ++f) {
      const double away = f < 30 ? 0.05 + 0.02 * (29 - f) : -(0.05 + 0.02 * (f - 35));
      if (f >= 30 && f < 35) continue;
      SeenFrame frame{f, {{0, -away, 0, 1.7, 0.9}, {0, away, 0, 1.7, 0.9}}, {}};
      if (measured) frame.people[0].colors = {red}, frame.people[1].colors = {green, other_camera};
      seen.push_back(frame);
    }
    return seen;
  };
  const auto passes = [](const std::vector<PersonPath>& paths) {
    return paths.size() == 2 && paths[0].points.front().x_m * paths[0].points.back().x_m < 0;
  };
  EXPECT_FALSE(passes(follow_paths(seen_of(false), kRate, {}).value()));
  EXPECT_TRUE(passes(follow_paths(seen_of(true), kRate, {}).value()));
  PathParameters without;
  without.color_cap = 0;
  EXPECT_FALSE(passes(follow_paths(seen_of(true), kRate, without).value()));
}

// The same with velocities: both walk on.
TEST(PathTrackerMotion, TellsWhoPassedWhom) {
  const auto seen_of = [](bool measured) {
    std::vector<SeenFrame> seen;
    for (int f = 0; f < 60; ++f) {
      const double away = f < 30 ? 0.07 + 0.02 * (29 - f) : -(0.07 + 0.02 * (f - 37));
      if (f >= 30 && f < 37) continue;
      SeenFrame frame{f, {{0, -away, 0, 1.7, 0.9}, {0, away, 0, 1.7, 0.9}}, {}};
      if (measured) frame.people[0].velocity_m_per_s = {0.5, 0}, frame.people[1].velocity_m_per_s = {-0.5, 0};
      seen.push_back(frame);
    }
    return seen;
  };
  const auto passes = [](const std::vector<PersonPath>& paths) {
    return paths.size() == 2 && paths[0].points.front().x_m * paths[0].points.back().x_m < 0;
  };
  EXPECT_FALSE(passes(follow_paths(seen_of(false), kRate, {}).value()))
      << "the nearest place is the wrong one";
  EXPECT_TRUE(passes(follow_paths(seen_of(true), kRate, {}).value()));
  PathParameters without;
  without.motion_cap = 0;
  EXPECT_FALSE(passes(follow_paths(seen_of(true), kRate, without).value()));
}

// A velocity that only one of two detections has says nothing.
TEST(PathTrackerMotion, IsNotNeededOfEverybody) {
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 60; ++f) {
    seen.push_back({f, {{0, 0.04 * f, 0, 1.7, 0.9}}, {}});
    if (f % 2) seen.back().people[0].velocity_m_per_s = {1, 0};
  }
  EXPECT_EQ(follow_paths(seen, kRate, {})->size(), 1u);
}

FloorZone door_at(double x_m, double y_m) {
  return {"door",
          {{x_m - 0.3, y_m - 0.3}, {x_m + 0.3, y_m - 0.3}, {x_m + 0.3, y_m + 0.3}, {x_m - 0.3, y_m + 0.3}},
          ZoneKind::entrance};
}

// Nobody is found for 1.8 s, which costs 4.3 nats: more than to end and to start again, but a second each at
// the highest speed lies between the place and the door.
TEST_P(PathTracker, WhoIsLostAwayFromEntrancesIsTheSameWhoIsFoundAgain) {
  PathParameters p = parameters();
  p.entry_cost = 2;
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 200; ++f) seen.push_back({f, {{0, 0, 0, 1.8, 0.9}}, {}});
  for (int f = 80; f < 125; ++f) seen[f].people.clear();
  EXPECT_EQ(follow_paths(seen, kRate, p)->size(), 2u);
  const std::vector<FloorZone> far = {door_at(0, 4.3)}, here = {door_at(9, 9), door_at(0.1, 0)};
  const auto one = follow_paths(seen, kRate, p, far);
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ(one->front().points.size(), 200u);
  EXPECT_EQ(follow_paths(seen, kRate, p, here)->size(), 2u);
}

TEST_P(PathTracker, NobodyAppearsAwayFromEntrances) {
  PathParameters p = parameters();
  p.entry_cost = 2;
  std::vector<SeenFrame> seen;
  for (int f = 0; f < 200; ++f) {
    seen.push_back({f, {{0, 0.02 * f, 0, 1.8, 0.9}}, {}});
    if (f >= 100 && f < 109) seen.back().people.push_back({0, -3, 0, 1.8, 0.9});  // 9 times 0.6 nats
  }
  EXPECT_EQ(follow_paths(seen, kRate, p)->size(), 2u);
  const std::vector<FloorZone> door = {door_at(4, 0)};
  const auto paths = follow_paths(seen, kRate, p, door);
  ASSERT_EQ(paths->size(), 1u) << "who is there from the first frame to the last needs no entrance";
  EXPECT_EQ(paths->front().points.size(), 200u);
  const std::vector<FloorZone> beside = {door_at(-3, 0)};
  EXPECT_EQ(follow_paths(seen, kRate, p, beside)->size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Methods, PathTracker, testing::Values(PathMethod::graph, PathMethod::grid),
                         [](const auto& info) { return info.param == PathMethod::graph ? "graph" : "grid"; });

TEST(PathTrackerGraph, HeightsTellPeopleApartWhoCross) {
  const auto paths = follow_paths(crossing(150), kRate, {});
  ASSERT_TRUE(paths);
  ASSERT_EQ(paths->size(), 2u);
  for (const PersonPath& path : *paths) EXPECT_TRUE(keeps_to_one(path));
}

// Single instants a minute apart, by numbers or by rate: no one can be tracked from one to the next, so that
// nothing is expected, and anyone who was found is a path. (The grid holds all frames between.)
TEST(PathTrackerInstants, FarApartAreRecordingsOfTheirOwn) {
  for (const PathMethod method : {PathMethod::graph, PathMethod::motion})
    for (const bool by_rate : {false, true}) {
      SCOPED_TRACE(by_rate);
      PathParameters p;
      p.method = method;
      std::vector<SeenFrame> seen;
      for (int i = 0; i < 6; ++i)
        seen.push_back({by_rate ? i : 1500 * i, {{0, 0.1 * i, 1, 1.8, 0.9}, {0, 2, -0.1 * i, 1.6, 0.7}}, {}});
      int searched = 0;
      const FindAgain find_again = [&](std::span<const ExpectedPlace>, SeenFrame*) { ++searched; };
      const auto paths = follow_paths(seen, by_rate ? 1.0 / 60 : kRate, p, {}, find_again);
      ASSERT_TRUE(paths);
      EXPECT_EQ(paths->size(), 12U);
      for (const PersonPath& path : *paths) EXPECT_EQ(path.points.size(), 1U);
      EXPECT_EQ(searched, 0);
    }
}

TEST(PathTrackerGrid, TooLargeAFloorIsRefusedWithTheFigure) {
  PathParameters p;
  p.method = PathMethod::grid;
  const std::vector<SeenFrame> seen = {{0, {{0, -200, -200, 1.8, 0.9}}, {}},
                                       {900, {{0, 200, 200, 1.8, 0.9}}, {}}};
  const auto paths = follow_paths(seen, kRate, p);
  ASSERT_FALSE(paths);
  EXPECT_EQ(paths.error().kind, ErrorKind::out_of_memory);
  EXPECT_NE(paths.error().message().find("MiB"), std::string::npos);
}

}  // namespace
}  // namespace vantage
