#include "core/project/recording_clock.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "core/project/project.h"

namespace vantage {
namespace {

class ClockTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    ::tzset();
  }
  void TearDown() override {
    ::unsetenv("TZ");
    ::tzset();
  }
};

TEST_F(ClockTest, ReadsWhatIsTyped) {
  const auto zone = parse_clock("2026-05-01T14:32:05.04+02:00");
  ASSERT_TRUE(zone) << zone.error().message();
  EXPECT_EQ(zone->text(0), "2026-05-01 14:32:05.040 +02:00");
  EXPECT_EQ(zone->text(3600), "2026-05-01 15:32:05.040 +02:00");
  EXPECT_EQ(parse_clock("2026-05-01 12:32:05Z")->start_utc_s,
            parse_clock("2026-05-01T14:32:05+02:00")->start_utc_s);
  EXPECT_EQ(parse_clock("2026-05-01 14:32:05")->start_utc_s,
            parse_clock("2026-05-01T14:32:05+02:00")->start_utc_s);
  for (const char* wrong : {"", "14:32:05", "2026-13-01T00:00:00", "2026-02-30T00:00:00",
                            "2026-05-01T24:00:00", "2026-05-01T14:32:05+25:00", "2026-05-01T14:32"})
    EXPECT_FALSE(parse_clock(wrong)) << wrong;
}

// The clock goes back from 3:00 to 2:00 while it records.
TEST_F(ClockTest, DaylightSavingEndsInTheRecording) {
  const auto clock = parse_clock("2026-10-25T00:30:00Z");
  RecordingClock local = *clock;
  local.zone_minutes.reset();
  EXPECT_EQ(local.text(0), "2026-10-25 02:30:00.000 +02:00");
  EXPECT_EQ(local.text(3600), "2026-10-25 02:30:00.000 +01:00");
}

TEST_F(ClockTest, ReadsFileNames) {
  for (const char* name :
       {"cam1_20260501_143205.mp4", "/videos/NVR-ch01-2026-05-01_14-32-05.mkv", "20260501143205.avi",
        "front 2026.05.01 14.32.05.mp4", "ch2_20260501143205123.dav"}) {
    const auto clock = clock_of_name(name);
    ASSERT_TRUE(clock) << name;
    EXPECT_EQ(clock->text(0), "2026-05-01 14:32:05.000 +02:00") << name;
  }
  for (const char* name : {"cam1.mp4", "cam_20261399_143205.mp4", "20260501.mp4", "1234520260501143205.mp4"})
    EXPECT_FALSE(clock_of_name(name)) << name;
}

TEST_F(ClockTest, ReadsMoments) {
  const RecordingClock clock = *parse_clock("2026-05-01T23:50:00+02:00");
  EXPECT_DOUBLE_EQ(*moment_of("250", 25, std::nullopt), 10);
  EXPECT_DOUBLE_EQ(*moment_of("12.5s", 25, std::nullopt), 12.5);
  EXPECT_DOUBLE_EQ(*moment_of("+1:02:05.5", 25, std::nullopt), 3725.5);
  EXPECT_DOUBLE_EQ(*moment_of("+2:05", 25, std::nullopt), 125);
  EXPECT_DOUBLE_EQ(*moment_of("23:51:00", 25, clock), 60);
  EXPECT_DOUBLE_EQ(*moment_of("0:10:00", 25, clock), 1200) << "after midnight";
  EXPECT_DOUBLE_EQ(*moment_of("2026-05-02T00:00:00+02:00", 25, clock), 600);
  EXPECT_FALSE(moment_of("23:51:00", 25, std::nullopt));
  for (const char* wrong : {"", "-5", "12:", "s", "+", "abc", "1:99"})
    EXPECT_FALSE(moment_of(wrong, 25, clock)) << wrong;
}

TEST_F(ClockTest, MomentsAreFrames) {
  EXPECT_EQ(*frame_of_moment("250", 25, std::nullopt), 250);
  EXPECT_EQ(*frame_of_moment("+0:00:01.01", 25, std::nullopt), 26) << "the first one behind";
  EXPECT_EQ(*frame_of_moment("23:50:02", 30, parse_clock("2026-05-01T23:50:00+02:00").value()), 60);
  EXPECT_FALSE(frame_of_moment("23:50:02", 30, std::nullopt));
}

TEST_F(ClockTest, IsKeptAsItWasTyped) {
  for (const char* typed : {"2026-05-01T14:32:05.040+02:00", "2026-05-01T14:32:05.040-03:30",
                            "2026-05-01T14:32:05.040", "2026-05-01T14:32:05.000+00:00"}) {
    const auto clock = parse_clock(typed);
    ASSERT_TRUE(clock) << typed;
    EXPECT_EQ(clock->typed_text(), typed);
    EXPECT_EQ(*parse_clock(clock->typed_text()), *clock);
  }
  EXPECT_EQ(parse_clock("2026-05-01T14:32:05.0404Z")->typed_text(), "2026-05-01T14:32:05.040+00:00");
}

// Typed goes before the file's name; a recording of which nobody knows it has none.
TEST_F(ClockTest, IsFoundWhereSomebodySaysIt) {
  Project project;
  EXPECT_FALSE(find_clock(project));
  project.cameras.push_back({.name = "cam1", .video = "/nowhere/cam1.mp4"});
  EXPECT_FALSE(find_clock(project));
  project.cameras[0].video = "/nowhere/cam1_20260501_143205.mp4";
  ASSERT_TRUE(find_clock(project));
  EXPECT_EQ(find_clock(project)->source, "name of cam1_20260501_143205.mp4");
  project.clock = parse_clock("2026-05-01T15:00:00Z").value();
  EXPECT_EQ(find_clock(project), project.clock);
}

TEST_F(ClockTest, CountsFromTheStart) {
  EXPECT_EQ(elapsed_text(0), "0:00:00.000");
  EXPECT_EQ(elapsed_text(3725.0404), "1:02:05.040");
}

}  // namespace
}  // namespace vantage
