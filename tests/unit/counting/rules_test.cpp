#include "core/tracks/counting/rules.h"

#include <gtest/gtest.h>

#include <map>

#include "core/tracks/counting/counting.h"

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

// Fed frame by frame, the watch tells each event that the whole range has, once raised and once over.
TEST(RuleWatch, TellsWhatTheWholeRangeHolds) {
  std::vector<std::vector<double>> xs(3);
  for (int f = 0; f < 200; ++f) {
    xs[0].push_back(-1 + 0.04 * f);        // through the zone and over the line
    xs[1].push_back(f / 30 % 2 ? 1 : -1);  // in and out
    xs[2].push_back(f < 100 ? 1.5 : -2);   // inside from the start
  }
  const Scene scene = walking(xs);
  const std::vector<FloorRule> rules = {
      {.name = "in", .kind = RuleKind::enters, .where = "shop", .delay_s = 0.3, .clear_s = 0.5},
      {.name = "stay", .kind = RuleKind::stays_longer, .where = "shop", .limit = 2},
      {.name = "gate", .kind = RuleKind::crosses, .where = "door"},
      {.name = "full", .kind = RuleKind::more_than, .where = "shop", .limit = 1}};
  const auto whole = find_events(scene.range(), rules, kZones, kLines);
  auto watch = RuleWatch::make(rules, kZones, kLines, kRate);
  ASSERT_TRUE(whole && watch);
  ASSERT_GE(whole->size(), 8u);
  std::map<std::tuple<std::string, int64_t, int64_t>, FloorEvent> told;
  for (const int64_t frame : scene.frames) {
    std::vector<FloorPerson> people;
    for (const PersonPath& path : scene.paths) {
      const PathPoint& point = path.points[frame];
      people.push_back({path.id, point.x_m, point.y_m, 1.7, 0.9});
    }
    for (const FloorEvent& event : watch->add(frame, people)) {
      EXPECT_LE(event.raised_frame, frame);
      const bool first = told.insert_or_assign({event.rule, event.id, event.first_frame}, event).second;
      EXPECT_TRUE(!first || event.raised_frame >= frame - 10) << "told late: " << event.rule;
    }
  }
  EXPECT_EQ(watch->raised(), static_cast<int64_t>(whole->size()));
  for (const FloorEvent& event : *whole) {
    const auto found = told.find({event.rule, event.id, event.first_frame});
    ASSERT_NE(found, told.end()) << event.rule << " of " << event.id << " from " << event.first_frame;
    EXPECT_EQ(found->second.raised_frame, event.raised_frame);
    const bool over = event.last_frame && *event.last_frame < 190;
    EXPECT_TRUE(!over || found->second.last_frame == event.last_frame) << event.rule;
  }
}

// Longer than the watch remembers: one event each, told once when it is raised and once when it is over.
TEST(RuleWatch, WhatLastsForHoursIsOneEvent) {
  constexpr double kSlow = 2;  // frames a second
  constexpr int64_t kIn = 20, kOut = 4000, kEnd = 4300;
  const std::vector<FloorRule> rules = {
      {.name = "in", .kind = RuleKind::enters, .where = "shop"},
      {.name = "stay", .kind = RuleKind::stays_longer, .where = "shop", .limit = 400},
      {.name = "full", .kind = RuleKind::more_than, .where = "shop", .limit = 0, .delay_s = 350}};
  auto watch = RuleWatch::make(rules, kZones, kLines, kSlow);
  ASSERT_TRUE(watch);
  std::map<std::string, std::vector<FloorEvent>> told;
  for (int64_t frame = 0; frame < kEnd; ++frame) {
    std::vector<FloorPerson> people;
    const double x = frame < kIn ? -1 : 1;
    if (frame < kOut) people.push_back({1, x, 1, 1.7, 0.9});
    for (const FloorEvent& event : watch->add(frame, people)) told[event.rule].push_back(event);
  }
  EXPECT_EQ(watch->raised(), 3);
  for (const FloorRule& rule : rules) {
    ASSERT_EQ(told[rule.name].size(), 2u) << rule.name;
    const FloorEvent &raised = told[rule.name][0], &over = told[rule.name][1];
    EXPECT_FALSE(raised.last_frame);
    ASSERT_TRUE(over.last_frame);
    EXPECT_NEAR(static_cast<double>(*over.last_frame), kOut - 1, 2) << rule.name;
    EXPECT_EQ(over.first_frame, raised.first_frame);
    EXPECT_EQ(over.raised_frame, raised.raised_frame);
  }
  EXPECT_EQ(told["in"][0].raised_frame, kIn);
  EXPECT_NEAR(static_cast<double>(told["stay"][0].raised_frame), kIn + 800, 2);
  EXPECT_NEAR(static_cast<double>(told["full"][0].raised_frame), kIn + 700, 2);
}

TEST(RuleWatch, NamesThatAreNotThereAreRefused) {
  EXPECT_FALSE(
      RuleWatch::make({{.name = "x", .kind = RuleKind::enters, .where = "nowhere"}}, kZones, kLines, kRate));
}

TEST(Rules, AreReadFromTheCommandLine) {
  const auto rule = parse_rule("night=stays_longer,where=shop,limit=20,delay=2,clear=1.5");
  ASSERT_TRUE(rule);
  EXPECT_EQ(*rule, (FloorRule{.name = "night",
                              .kind = RuleKind::stays_longer,
                              .where = "shop",
                              .limit = 20,
                              .delay_s = 2,
                              .clear_s = 1.5}));
  EXPECT_EQ(parse_rule("gate=crosses,where=door,way=to_left")->way, CrossingWay::to_left);
  for (const char* wrong : {"", "x", "x=sings", "x=enters,limit=a", "x=enters,way=up", "x=enters,colour=red"})
    EXPECT_FALSE(parse_rule(wrong)) << wrong;
}

TEST(Rules, EventsCloseTogetherAreOneItem) {
  const auto event = [](int64_t frame, double x_m) {
    FloorEvent made;
    made.rule = "r", made.raised_frame = frame, made.x_m = x_m;
    return made;
  };
  constexpr double kRate = 10;
  // The third is near the second, but 18 s after the first; the fourth is too far away, the fifth too late.
  const std::vector<FloorEvent> events = {event(0, 0), event(90, 1.5), event(180, 1.5), event(181, 9),
                                          event(400, 1.5)};
  const std::vector<EventItem> items = group_events(events, kRate);
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[0], (EventItem{0, 1}));
  EXPECT_EQ(items[1], EventItem{2});
  EXPECT_EQ(items[2], EventItem{3});
  EXPECT_EQ(items[3], EventItem{4});
  EXPECT_DOUBLE_EQ(events_per_hour(3, 36000, kRate), 3);
  EXPECT_EQ(events_per_hour(3, 0, kRate), 0);
}

// An entry every 9 s for an hour, at one place: no item lasts longer than 10 s.
TEST(Rules, ItemsDoNotChain) {
  constexpr double kRate = 25;
  std::vector<FloorEvent> events(400);
  for (size_t i = 0; i < events.size(); ++i) events[i].raised_frame = static_cast<int64_t>(225 * i);
  const std::vector<EventItem> items = group_events(events, kRate);
  EXPECT_EQ(items.size(), 200u);
  for (const EventItem& item : items)
    EXPECT_LE(static_cast<double>(events[item.back()].raised_frame - events[item.front()].raised_frame),
              kTogether_s * kRate);
}

}  // namespace
}  // namespace vantage
