// The time of day of a recording: as typed (Project::clock), else from the base camera's list of files
// (file_list.h), else from its container, else from its file name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

struct Project;

// The time on a wall clock.
struct ClockTime {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0;
  int zone_minutes = 0;  // east of UTC, with daylight saving
};

struct RecordingClock {
  double start_utc_s = 0;           // time of frame 0 of the base camera, seconds since 1970
  std::optional<int> zone_minutes;  // east of UTC; nothing: this machine's zone, with its daylight saving
  std::string source;               // "typed", "container of cam1.mp4", "name of cam1_20260501_143205.mp4"

  // "2026-05-01 14:32:05.040 +02:00"
  std::string text(double seconds_from_start) const;
  ClockTime at(double seconds_from_start) const;
  // In the form of parse_clock() and project files: "2026-05-01T14:32:05.040+02:00"; without a zone where it
  // is this machine's.
  std::string typed_text() const;
  bool operator==(const RecordingClock&) const = default;
};

// "2026-05-01 14:32:05", with "T" or a space, fractions of a second, and optionally "Z" or "+02:00";
// otherwise in this machine's zone. Rounded to milliseconds. Errors: invalid_argument.
Result<RecordingClock> parse_clock(const std::string& text);

// Nothing where it was not typed, and neither container nor name states it. Opens the video.
std::optional<RecordingClock> find_clock(const Project& project);
// The date and time in a recorder's file name: year, month, day, hour, minute and second in a row, with or
// without separators.
std::optional<RecordingClock> clock_of_name(const std::string& file);
// A name without its dates and times: "cam1_" of "cam1_20260501_143205".
std::string name_without_clocks(std::string name);

// "0:14:32.040", from the start.
std::string elapsed_text(double seconds);

// A time of a recording as typed by the user.
struct TypedTime {
  double seconds = 0;  // measured from the start
  int64_t frame = 0;   // the first at or after it; may be beyond the recording's end, or negative
  std::string note;    // a sentence on the chosen reading; empty: there is only one
};

// Accepts every form in which times are shown: "163" or "frame 163"; "12.5 s", "+0:02:05.5" and, where the
// clock is unknown or has no such time, "0:12" from the start; with a known clock "14:32" and "14:32:05.480",
// the first at or after the start, also after "2 May", "Sat 2 May" or "2026-05-01", and with a zone if it is
// not the clock's. Errors: invalid_argument, also for a date without a known clock.
Result<TypedTime> parse_time(const std::string& text, double frame_rate,
                             const std::optional<RecordingClock>& clock);

struct TypedSpan {
  TypedTime first, last;  // both included
};

// "0:12 to 0:40": two times with "to" between them. Errors: theirs, and invalid_argument for other texts and
// where the last time is before the first.
Result<TypedSpan> parse_span(const std::string& text, double frame_rate,
                             const std::optional<RecordingClock>& clock);

}  // namespace vantage
