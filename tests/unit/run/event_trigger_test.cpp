#include "core/run/recorder.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

FloorEvent event(int64_t id, int64_t raised, std::optional<int64_t> last = std::nullopt) {
  FloorEvent event;
  event.rule = "door", event.id = id;
  event.first_frame = raised - 5, event.raised_frame = raised, event.last_frame = last;
  return event;
}

TEST(EventTrigger, RecordsFromTheFirstEventUntilAfterTheLast) {
  EventTrigger trigger(50);
  EXPECT_FALSE(trigger.wanted(0));
  trigger.add(std::vector{event(1, 100)});
  EXPECT_TRUE(trigger.wanted(110));
  EXPECT_EQ(trigger.raised_frame(), 100);
  trigger.add(std::vector{event(2, 180)});
  trigger.add(std::vector{event(1, 100, 200)});
  EXPECT_TRUE(trigger.wanted(1000)) << "the second goes on";
  trigger.add(std::vector{event(2, 180, 1000)});
  EXPECT_TRUE(trigger.wanted(1050));
  EXPECT_FALSE(trigger.wanted(1051));
}

TEST(EventTrigger, AnEventOfOneFrameIsRecordedToo) {
  EventTrigger trigger(50);
  trigger.add(std::vector{event(1, 100, 100)});
  EXPECT_TRUE(trigger.wanted(110));
  EXPECT_FALSE(trigger.wanted(151));
  trigger.add(std::vector{event(3, 300, 300)});
  EXPECT_EQ(trigger.raised_frame(), 300);
  EXPECT_TRUE(trigger.wanted(301));
}

}  // namespace
}  // namespace vantage
