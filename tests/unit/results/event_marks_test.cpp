#include "core/results/results_events.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "core/seal/custody.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

TEST(EventMarks, AreReadBackAndDamageIsSaid) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(read_event_marks(folder.path())->empty()) << "no file, no marks";
  EventMarks marks;
  marks[{"door", 3, 120}] = {EventStanding::false_alarm, "the \"cat\""};
  marks[{"door", 0, 7}] = {EventStanding::seen, ""};
  ASSERT_TRUE(write_event_marks(folder.path(), marks));
  const auto read = read_event_marks(folder.path());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ(read->at({"door", 3, 120}).standing, EventStanding::false_alarm);
  EXPECT_EQ(read->at({"door", 3, 120}).note, "the \"cat\"");
  for (const char* text : {"", "[]", "{\"schema\":\"vantage-event-marks-1\",\"marks\":[1]}"}) {
    ASSERT_TRUE(write_file_atomically(folder.path() / "event_marks.json", text));
    EXPECT_FALSE(read_event_marks(folder.path())) << text;
  }
}

TEST(EventMarks, StandingsHaveNames) {
  for (const std::string_view name : kEventStandingNames)
    EXPECT_EQ(standing_name(*standing_named(name)), name);
  EXPECT_FALSE(standing_named("gone"));
}

TEST(EventMarks, JudgementsAreInTheCustodyLogWhereThereIsOne) {
  const test::TemporaryFolder folder;
  const std::filesystem::path project = folder.path() / "hall.vantage";
  const EventMarks judged = {{{"door", 3, 120}, {EventStanding::false_alarm, "wind"}}};
  ASSERT_TRUE(change_event_marks(folder.path() / "hall.results", judged));
  EXPECT_FALSE(read_custody(custody_path(project)));
  ASSERT_TRUE(begin_or_note_custody(project, "sealed"));
  ASSERT_TRUE(change_event_marks(folder.path() / "hall.results", judged));
  const auto log = read_custody(custody_path(project));
  ASSERT_TRUE(log && log->entries.size() == 2U);
  EXPECT_EQ(log->entries[1].what, "events judged");
  EXPECT_EQ(log->entries[1].details, (CustodyDetails{{"false_alarm", "door, person 3, frame 120"}}));
}

// Concurrent changes lose no marks.
TEST(EventMarks, ChangedByManyAtOnceAllAreKept) {
  constexpr int kWho = 4, kEach = 25;
  const test::TemporaryFolder folder;
  std::vector<std::thread> people;
  for (int who = 0; who < kWho; ++who)
    people.emplace_back([&folder, who] {
      for (int i = 0; i < kEach; ++i) {
        const EventKey key{"door " + std::to_string(who), who, i};
        EXPECT_TRUE(change_event_marks(folder.path(), {{key, {EventStanding::exported, std::to_string(i)}}}));
      }
    });
  for (std::thread& one : people) one.join();
  const auto marks = read_event_marks(folder.path());
  ASSERT_TRUE(marks);
  ASSERT_EQ(marks->size(), static_cast<size_t>(kWho * kEach));
  EXPECT_EQ(marks->at({"door 2", 2, 7}), (EventMark{EventStanding::exported, "7"}));
  const auto changed = change_event_marks(folder.path(), {{{"door 2", 2, 7}, {EventStanding::fresh, ""}}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->size(), marks->size());
  EXPECT_EQ(read_event_marks(folder.path()).value(), *changed);
}

}  // namespace
}  // namespace vantage
