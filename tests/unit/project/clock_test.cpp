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

// The clock is set back from 3:00 to 2:00 during the recording.
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

TEST_F(ClockTest, ReadsTimes) {
  const RecordingClock clock = *parse_clock("2026-05-01T23:50:00+02:00");
  const auto seconds = [](const std::string& text, const std::optional<RecordingClock>& of) {
    const Result<TypedTime> time = parse_time(text, 25, of);
    return time ? time->seconds : -1e9;
  };
  for (const auto& [text, expected] :
       {std::pair("250", 10.0), std::pair("frame 250", 10.0), std::pair("12.5s", 12.5),
        std::pair("12 s", 12.0), std::pair("+1:02:05.5", 3725.5), std::pair("+2:05", 125.0),
        std::pair(" +0:00:12.480 ", 12.48)})
    for (const std::optional<RecordingClock>& of : {std::optional<RecordingClock>(), std::optional(clock)})
      EXPECT_DOUBLE_EQ(seconds(text, of), expected) << text;
  for (const auto& [text, expected] :
       {std::pair("23:51:00", 60.0), std::pair("23:51", 60.0), std::pair("23:50:00.5", 0.5),
        std::pair("0:10:00", 1200.0), std::pair("0:10", 1200.0),
        std::pair("2026-05-02T00:00:00+02:00", 600.0), std::pair("2026-05-01 23:50:02", 2.0),
        std::pair("2026-05-01 21:50:02Z", 2.0), std::pair("2 May 00:10:00.000", 1200.0),
        std::pair("Sat 2 May", 600.0), std::pair("2026-05-02", 600.0), std::pair("23:50", 0.0),
        std::pair("75:30", 4530.0)})
    EXPECT_DOUBLE_EQ(seconds(text, clock), expected) << text;
  for (const char* wrong : {"", "-5", "12:", "s", "+", "abc", "1:99", "25:99", "2026-02-30", "30 Foo",
                            "0:12 pm", "5 frames", "1:60:00", "9999999999 s"})
    for (const std::optional<RecordingClock>& of : {std::optional<RecordingClock>(), std::optional(clock)})
      EXPECT_FALSE(parse_time(wrong, 25, of)) << wrong;
  EXPECT_FALSE(parse_time("2 May 00:10", 25, std::nullopt)) << "no day is known";
}

// An ambiguous text is read as on the time axis, with a note.
TEST_F(ClockTest, SaysHowItReadATime) {
  const RecordingClock clock = *parse_clock("2026-05-01T00:00:00Z");
  const TypedTime elapsed = *parse_time("0:12", 25, std::nullopt), of_day = *parse_time("0:12", 25, clock);
  EXPECT_DOUBLE_EQ(elapsed.seconds, 12);
  EXPECT_EQ(elapsed.note, "0:12 counts from the start, as on the time axis.");
  EXPECT_DOUBLE_EQ(of_day.seconds, 720);
  EXPECT_EQ(of_day.note, "0:12 is a time of day, as on the time axis; +0:12 counts from the start.");
  for (const char* plain : {"12", "12 s", "+0:12", "2026-05-01 00:12"})
    EXPECT_EQ(parse_time(plain, 25, clock)->note, "") << plain;
}

// Every error's examples can be typed.
TEST_F(ClockTest, ErrorsShowWhatWorks) {
  const RecordingClock clock = *parse_clock("2026-05-01T14:32:05Z");
  EXPECT_EQ(parse_time("soon", 25, std::nullopt).error().message(),
            "'soon' is not a time. Write a time from the start (0:01 or 1.5 s) or a frame (25).");
  EXPECT_EQ(parse_time("soon", 25, clock).error().message(),
            "'soon' is not a time. Write a time of day (14:32:05), one from the start (+0:01 or 1.5 s) or a "
            "frame (25).");
  for (const char* example : {"0:01", "1.5 s", "25"}) EXPECT_TRUE(parse_time(example, 25, std::nullopt));
  for (const char* example : {"14:32:05", "+0:01", "1.5 s", "25"})
    EXPECT_LE(parse_time(example, 25, clock)->frame, 38) << example;
}

TEST_F(ClockTest, TimesAreFrames) {
  EXPECT_EQ(parse_time("+0:00:01.01", 25, std::nullopt)->frame, 26) << "the first one behind";
  EXPECT_EQ(parse_time("23:50:02", 30, parse_clock("2026-05-01T23:50:00+02:00").value())->frame, 60);
  // The text of a frame gives that frame, for any rate and clock.
  RecordingClock clock = *parse_clock("2026-12-31T23:59:58.5+02:00");
  clock.start_utc_s += 0.0004;
  for (const double rate : {24000 / 1001.0, 25.0, 30000 / 1001.0, 50.0, 120.0})
    for (int64_t frame = 0; frame < 500; ++frame) {
      const double at_s = static_cast<double>(frame) / rate;
      EXPECT_EQ(parse_time("+" + elapsed_text(at_s), rate, clock)->frame, frame) << rate;
      EXPECT_EQ(parse_time(elapsed_text(at_s), rate, std::nullopt)->frame, frame) << rate;
      const std::string shown = clock.text(at_s);  // "2026-12-31 23:59:58.500 +02:00"
      EXPECT_EQ(parse_time(shown, rate, clock)->frame, frame) << rate << ' ' << shown;
      EXPECT_EQ(parse_time(shown.substr(0, 23), rate, clock)->frame, frame) << rate << ' ' << shown;
      EXPECT_EQ(parse_time(shown.substr(11, 12), rate, clock)->frame, frame) << rate << ' ' << shown;
      if (at_s > 1.5) EXPECT_EQ(parse_time("1 Jan " + shown.substr(11, 12), rate, clock)->frame, frame);
    }
}

TEST_F(ClockTest, ReadsSpans) {
  const TypedSpan span = *parse_span("0:02 to 100", 25, std::nullopt);
  EXPECT_EQ(span.first.frame, 50);
  EXPECT_EQ(span.last.frame, 100);
  EXPECT_EQ(parse_span("7 to 7", 25, std::nullopt)->last.frame, 7);
  for (const char* wrong : {"", "0:500", "5", "9 to 8", "to 8", "1 to soon"})
    EXPECT_FALSE(parse_span(wrong, 25, std::nullopt)) << wrong;
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

// A typed clock precedes the file's name; a recording without either has none.
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
