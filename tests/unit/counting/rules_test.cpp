#include "core/counting/rules.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

constexpr double kRate = 10;
const std::vector<FloorZone> kZones = {{"shop", {{0, 0}, {2, 0}, {2, 2}, {0, 2}}}};
const std::vector<FloorLine> kLines = {{"door", {0, 0}, {0, 2}}};

struct Scene {
  std::vector<PersonPath> paths;
  std::vector<int64_t> frames;
  TrackedRange range() const { return {paths, frames, kRate}; }
};

// Along x at y = 1; frames count from 0 to the longest.
Scene walking(const std::vector<std::vector<double>>& xs) {
  Scene scene;
  size_t longest = 0;
  for (size_t i = 0; i < xs.size(); ++i) {
    PersonPath path{static_cast<int64_t>(i) + 1, {}};
    for (size_t f = 0; f < xs[i].size(); ++f)
      path.points.push_back({static_cast<int64_t>(f), xs[i][f], 1, 1.7, 0.9, true, 0});
    scene.paths.push_back(path);
    longest = std::max(longest, xs[i].size());
  }
  for (size_t f = 0; f < longest; ++f) scene.frames.push_back(static_cast<int64_t>(f));
  return scene;
}

std::vector<FloorEvent> events_of(const Scene& scene, const FloorRule& rule) {
  auto events = find_events(scene.range(), {&rule, 1}, kZones, kLines);
  EXPECT_TRUE(events);
  return events ? *events : std::vector<FloorEvent>{};
}

TEST(Rules, EnteringHoldsUntilThePersonIsOut) {
  const Scene scene = walking({{-1, -0.5, 0.5, 1, -1, -1, -1}});
  const auto events = events_of(scene, {.name = "in", .kind = RuleKind::enters, .where = "shop"});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, 1);
  EXPECT_EQ(events[0].raised_frame, 2);
  EXPECT_EQ(events[0].last_frame, 3);
}

TEST(Rules, ADelayLeavesOutWhatIsShort) {
  const Scene scene = walking({{-1, 0.5, -1, -1, 0.5, 0.5, 0.5, 0.5}});
  const auto events =
      events_of(scene, {.name = "in", .kind = RuleKind::enters, .where = "shop", .delay_s = 0.2});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].first_frame, 4);
  EXPECT_EQ(events[0].raised_frame, 6);
  EXPECT_FALSE(events[0].last_frame) << "still inside at the end";
}

TEST(Rules, ClearingJoinsWhatIsShortlyInterrupted) {
  const Scene scene = walking({{-1, 0.5, -1, 0.5, -1, -1, -1, -1, 0.5, -1}});
  FloorRule rule{.name = "in", .kind = RuleKind::enters, .where = "shop"};
  EXPECT_EQ(events_of(scene, rule).size(), 3u);
  rule.clear_s = 0.3;
  const auto events = events_of(scene, rule);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].last_frame, 3);
}

TEST(Rules, LeavingNeedsToHaveBeenInside) {
  const Scene scene = walking({{1, 1, -1, -1}, {-1, -1, -1, -1}});
  const auto events = events_of(scene, {.name = "out", .kind = RuleKind::leaves, .where = "shop"});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, 1);
  EXPECT_EQ(events[0].raised_frame, 2);
}

TEST(Rules, StayingIsHeldAgainstItsLimit) {
  const Scene scene = walking({{1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, -1, -1, -1, -1}});
  const auto events =
      events_of(scene, {.name = "waits", .kind = RuleKind::stays_longer, .where = "shop", .limit = 0.45});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].raised_frame, 5);
  EXPECT_NEAR(events[0].value, 0.5, 1e-12);
}

TEST(Rules, MoreThanCountsTheZoneAndSkipsUnknownFrames) {
  Scene scene = walking({{1, 1, 1, 1, 1, 1}, {-1, -1, 1, 1, 1, -1}});
  const FloorRule rule{.name = "crowd", .kind = RuleKind::more_than, .where = "shop", .limit = 1};
  auto events = events_of(scene, rule);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, 0);
  EXPECT_EQ(events[0].raised_frame, 2);
  EXPECT_EQ(events[0].last_frame, 4);
  EXPECT_EQ(events[0].value, 2);
  scene.frames = {0, 1, 5};
  EXPECT_TRUE(events_of(scene, rule).empty());
}

TEST(Rules, CrossingOneWayOnly) {
  const Scene scene = walking({{-1, -0.5, 0.5, 1}, {1, 0.5, -0.5, -1}});
  FloorRule rule{.name = "line", .kind = RuleKind::crosses, .where = "door"};
  EXPECT_EQ(events_of(scene, rule).size(), 2u);
  rule.way = CrossingWay::to_left;
  const auto events = events_of(scene, rule);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, 2);
  EXPECT_EQ(events[0].last_frame, events[0].first_frame);
}

TEST(Rules, SpeedAnywhere) {
  std::vector<double> slow, fast;
  for (int f = 0; f < 20; ++f) slow.push_back(0.05 * f), fast.push_back(0.3 * f);
  const Scene scene = walking({slow, fast});
  const auto events = events_of(scene, {.name = "runs", .kind = RuleKind::faster_than, .limit = 2});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].id, 2);
  EXPECT_EQ(events[0].raised_frame, 5) << "once half a second is known";
  EXPECT_NEAR(events[0].value, 3, 1e-9);
}

TEST(Rules, WhatIsNotDrawnIsNamed) {
  const Scene scene = walking({{1, 1}});
  const std::vector<FloorRule> rules = {{.name = "in", .kind = RuleKind::enters, .where = "yard"}};
  const auto events = find_events(scene.range(), rules, kZones, kLines);
  ASSERT_FALSE(events);
  EXPECT_NE(events.error().message().find("yard"), std::string::npos);
}

}  // namespace
}  // namespace vantage
