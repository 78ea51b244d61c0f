#include "core/results/event_marks.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
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

}  // namespace
}  // namespace vantage
