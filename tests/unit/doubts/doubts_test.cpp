// Passages, gaps and restarts whose outcome is known, and what answers make of the tracks.
#include "core/tracks/doubts/doubts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/seed.h"

namespace vantage {
namespace {

constexpr double kRate = 10;

// Places by frame, seen with some noise.
template <typename Place>
PersonPath walker(std::mt19937& random, int64_t id, int64_t first, int64_t last, double height_m,
                  const Place& place) {
  std::normal_distribution<double> noise(0, 0.03);
  PersonPath path{id, {}};
  for (int64_t frame = first; frame <= last; ++frame) {
    const Eigen::Vector2d at = place(static_cast<double>(frame) / kRate);
    path.points.push_back(
        {frame, at.x() + noise(random), at.y() + noise(random), height_m + noise(random), 0.9, true});
  }
  return path;
}

class Doubts : public testing::Test {
 protected:
  std::vector<Doubt> of(const std::vector<PersonPath>& paths, double least = kMinDoubt) const {
    return doubtful_identities(TrackIndex(paths, kRate), 200, least);
  }
  std::mt19937 random_{test::test_seed()};
};

Eigen::Vector2d along_x(double s) {
  return {-5 + s, 0};
}

// Meets the other in frame 50, stands with them for a second, and goes back where they came from.
Eigen::Vector2d there_and_back(double s) {
  if (s < 5) return {5 - s, 0.15};
  return {s < 6 ? 0 : s - 6, 0.15};
}
Eigen::Vector2d other_there_and_back(double s) {
  if (s < 5) return {-5 + s, -0.15};
  return {s < 6 ? 0 : 6 - s, -0.15};
}

TEST_F(Doubts, WaysThatCrossAtAnAngleAreNotInDoubt) {
  EXPECT_TRUE(of({walker(random_, 1, 0, 100, 1.75, along_x),
                  walker(random_, 2, 0, 100, 1.75, [](double s) { return Eigen::Vector2d(0, s - 5.6); })})
                  .empty());
}

TEST_F(Doubts, WhoMeetAndTurnBackMayHavePassed) {
  const std::vector<PersonPath> paths = {walker(random_, 1, 0, 110, 1.75, there_and_back),
                                         walker(random_, 2, 0, 110, 1.75, other_there_and_back)};
  const std::vector<Doubt> doubts = of(paths);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].kind, DoubtKind::passage);
  EXPECT_EQ(doubts[0].person, 1);
  EXPECT_EQ(doubts[0].other, 2);
  EXPECT_GT(doubts[0].wrong, 0.1);
  EXPECT_LT(doubts[0].nearest_m, 0.5);
  EXPECT_GE(doubts[0].before.frame, 35);
  EXPECT_LE(doubts[0].behind.frame, 75);
}

// Near each other twice, and not seen in between: one passage, not one for each time.
TEST_F(Doubts, APassageIsListedOnce) {
  std::vector<PersonPath> paths = {walker(random_, 1, 0, 110, 1.75, there_and_back),
                                   walker(random_, 2, 0, 110, 1.75, other_there_and_back)};
  for (PersonPath& path : paths) {
    PathPoints kept;
    for (const PathPoint& point : path.points)
      if (point.frame < 45 || point.frame > 62) kept.push_back(point);
    path.points = kept;
  }
  int passages = 0;
  for (const Doubt& doubt : of(paths)) passages += doubt.kind == DoubtKind::passage;
  EXPECT_EQ(passages, 1);
}

TEST_F(Doubts, ASwapAnswersForThoseTwoAlone) {
  const std::vector<PersonPath> paths = {
      walker(random_, 1, 0, 110, 1.75, there_and_back),
      walker(random_, 2, 0, 110, 1.75, other_there_and_back),
      walker(random_, 3, 0, 110, 1.75, [](double) { return Eigen::Vector2d(3, 3); })};
  const std::vector<Doubt> doubts = of(paths);
  ASSERT_EQ(doubts.size(), 1u);
  const int64_t frame = doubts[0].behind.frame;
  const auto at = [&](size_t path) {
    const PathPoint point = *paths[path].points.find(frame);
    return PlaceInTime{frame, point.x_m, point.y_m};
  };
  EXPECT_TRUE(is_answered(doubts[0], paths, {{RepairKind::swap, at(0), at(1)}}));
  EXPECT_FALSE(is_answered(doubts[0], paths, {{RepairKind::swap, at(0), at(2)}}));
}

TEST_F(Doubts, HeightsTellWhoIsWho) {
  const auto wrong = [&](double other_m, bool exchanged) {
    PersonPath one = walker(random_, 1, 0, 110, 1.6, there_and_back),
               two = walker(random_, 2, 0, 110, other_m, other_there_and_back);
    if (exchanged) {
      PathPoints a, b;
      for (const PathPoint& point : one.points) (point.frame < 55 ? a : b).push_back(point);
      PathPoints c, d;
      for (const PathPoint& point : two.points) (point.frame < 55 ? c : d).push_back(point);
      a.append(d.begin(), d.end()), c.append(b.begin(), b.end());
      one.points = a, two.points = c;
    }
    const std::vector<Doubt> doubts = of({one, two}, 0);
    double most = 0;
    for (const Doubt& doubt : doubts)
      if (doubt.kind == DoubtKind::passage) most = std::max(most, doubt.wrong);
    return most;
  };
  EXPECT_LT(wrong(1.9, false), 0.1);
  EXPECT_GT(wrong(1.9, true), 0.9);
}

TEST_F(Doubts, WhoComesBackOnTheirWayIsThePerson) {
  PersonPath one = walker(random_, 1, 0, 100, 1.75, along_x);
  PathPoints kept;
  for (const PathPoint& point : one.points)
    if (point.frame < 40 || point.frame > 52) kept.push_back(point);
  one.points = kept;
  EXPECT_TRUE(of({one}).empty());
}

TEST_F(Doubts, ATrackThatGoesOnAsAnotherIsTold) {
  const std::vector<Doubt> doubts =
      of({walker(random_, 1, 0, 40, 1.75, along_x), walker(random_, 2, 52, 100, 1.75, along_x),
          walker(random_, 3, 60, 90, 1.75, [](double s) { return Eigen::Vector2d(3, s - 20); })});
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].kind, DoubtKind::restart);
  EXPECT_EQ(doubts[0].person, 1);
  EXPECT_EQ(doubts[0].other, 2);
  EXPECT_GT(doubts[0].wrong, 0.8);
}

TEST_F(Doubts, WhoseTrackLastsUntilTheEndDidNotEnd) {
  const std::vector<PersonPath> paths = {walker(random_, 1, 0, 195, 1.75, along_x),
                                         walker(random_, 2, 197, 200, 1.75, along_x)};
  for (const Doubt& doubt : of(paths)) EXPECT_NE(doubt.kind, DoubtKind::restart);
}

TEST_F(Doubts, EveryAnswerHoldsAndEndsTheDoubt) {
  const std::vector<PersonPath> meeting = {walker(random_, 1, 0, 110, 1.75, there_and_back),
                                           walker(random_, 2, 0, 110, 1.75, other_there_and_back)};
  PersonPath jumping = walker(random_, 1, 0, 30, 1.75, along_x);
  for (const PathPoint& point :
       walker(random_, 1, 60, 100, 1.5, [](double s) { return Eigen::Vector2d(4, s - 3); }).points)
    jumping.points.push_back(point);
  const std::vector<PersonPath> gap = {jumping};
  const std::vector<PersonPath> restart = {walker(random_, 1, 0, 40, 1.75, along_x),
                                           walker(random_, 2, 52, 100, 1.75, along_x)};
  const std::pair<std::vector<PersonPath>, DoubtKind> cases[] = {
      {meeting, DoubtKind::passage}, {gap, DoubtKind::gap}, {restart, DoubtKind::restart}};
  for (const auto& [paths, kind] : cases) {
    const std::vector<Doubt> doubts = of(paths);
    ASSERT_EQ(doubts.size(), 1u) << doubt_name(kind);
    ASSERT_EQ(doubts[0].kind, kind);
    for (const DoubtAnswer answer : {DoubtAnswer::right, DoubtAnswer::other, DoubtAnswer::cut}) {
      std::vector<IdentityRepair> repairs;
      for (const IntendedRepair& meant : repairs_for(doubts[0], answer)) {
        EXPECT_EQ(why_not(apply_repairs(paths, repairs).paths, meant), "") << doubt_name(kind);
        repairs.push_back(meant.repair);
      }
      if (repairs.empty()) continue;  // of a restart there is nothing to cut
      const RepairedPaths repaired = apply_repairs(paths, repairs);
      EXPECT_TRUE(repaired.unmet.empty());
      EXPECT_TRUE(unanswered(of(repaired.paths), repaired.paths, repairs).empty())
          << doubt_name(kind) << ", answer " << static_cast<int>(answer);
      EXPECT_EQ(repaired.paths.size(), answer == DoubtAnswer::right ? paths.size()
                                       : kind == DoubtKind::passage ? (answer == DoubtAnswer::cut ? 4u : 2u)
                                                                    : (kind == DoubtKind::gap ? 2u : 1u));
    }
  }
}

}  // namespace
}  // namespace vantage
