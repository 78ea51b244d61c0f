// The list of live cameras' events, on a clock controlled by the test.
#include "core/session/live_events.h"

#include <gtest/gtest.h>

#include "core/tracks/counting/rules.h"

namespace vantage {
namespace {

FloorEvent at_door(int64_t number, std::optional<int64_t> last_frame = {}) {
  return {"door", number, number, number, last_frame, 0, 0, 0};
}

// Far longer than tracks are remembered: a person who stays is one event throughout, which ends once.
TEST(LiveEvents, WhoStaysForHoursIsOneEvent) {
  constexpr double kRate = 2;  // sets a second
  constexpr int64_t kIn = 20, kOut = 7200, kEnd = 7300;
  const std::vector<FloorZone> zones = {{"shop", {{0, 0}, {3, 0}, {3, 3}, {0, 3}}}};
  auto watch = RuleWatch::make({{.name = "in", .kind = RuleKind::enters, .where = "shop"},
                                {.name = "full", .kind = RuleKind::more_than, .where = "shop", .limit = 0}},
                               zones, {}, kRate);
  ASSERT_TRUE(watch);
  LiveEvents events;
  LiveEventsRef before = events.events();
  int changes = 0;
  for (int64_t frame = 0; frame < kEnd; ++frame) {
    std::vector<FloorPerson> people;
    if (frame < kOut) people.push_back({1, frame < kIn ? -1.0 : 1.0, 1, 1.7, 0.9});
    events.add(watch->add(frame, people));
    changes += events.events() != before;
    before = events.events();
  }
  ASSERT_EQ(events.events()->size(), 2U);
  EXPECT_LE(changes, 4) << "each is told when it is raised and when it is over";
  for (const FloorEvent& event : *events.events()) {
    EXPECT_EQ(event.raised_frame, kIn) << event.rule;
    ASSERT_TRUE(event.last_frame) << event.rule;
    EXPECT_NEAR(static_cast<double>(*event.last_frame), kOut - 1, 2) << event.rule;
  }
}

TEST(LiveEvents, TheNewestStay) {
  LiveEvents events;
  for (int64_t i = 0; i < static_cast<int64_t>(LiveEvents::kMax) + 30; ++i)
    events.add(std::vector<FloorEvent>{at_door(i)});
  EXPECT_EQ(events.events()->size(), LiveEvents::kMax);
  EXPECT_EQ(events.events()->front().id, 30);
  const LiveEventsRef held = events.events();
  events.add(std::vector<FloorEvent>{at_door(40, 99)});
  EXPECT_EQ(events.events()->size(), LiveEvents::kMax);
  EXPECT_EQ((*events.events())[10].last_frame, std::optional<int64_t>(99)) << "in the place it had";
  EXPECT_FALSE((*held)[10].last_frame) << "what was handed out does not change";
}

}  // namespace
}  // namespace vantage
