// The time of day of a recording: what people typed (Project::clock), else what the base camera's container
// says, else what its file is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

struct Project;

// What a clock on the wall shows.
struct ClockTime {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0;
  int zone_minutes = 0;  // east of UTC, with daylight saving
};

struct RecordingClock {
  double start_utc_s = 0;           // of frame 0 of the base camera, seconds since 1970
  std::optional<int> zone_minutes;  // east of UTC; nothing: this machine's zone, with its daylight saving
  std::string source;               // "typed", "container of cam1.mp4", "name of cam1_20260501_143205.mp4"

  // "2026-05-01 14:32:05.040 +02:00"
  std::string text(double seconds_from_start) const;
  ClockTime at(double seconds_from_start) const;
  // As parse_clock() reads it, and project files hold it: "2026-05-01T14:32:05.040+02:00"; without a zone
  // where it is this machine's.
  std::string typed_text() const;
  bool operator==(const RecordingClock&) const = default;
};

// "2026-05-01 14:32:05", with "T" for the space, fractions of a second, "Z" or "+02:00" if wanted; without,
// it is this machine's time. Rounded to milliseconds. Errors: invalid_argument.
Result<RecordingClock> parse_clock(const std::string& text);

// Nothing where no one typed it, and neither container nor name tells. Opens the video.
std::optional<RecordingClock> find_clock(const Project& project);
// The date and time in a recorder's file name: year, month, day, hour, minute, second in a row, with or
// without signs between.
std::optional<RecordingClock> clock_of_name(const std::string& file);

// "0:14:32.040", from the start.
std::string elapsed_text(double seconds);

// A time of a recording as people type it.
struct TypedTime {
  double seconds = 0;  // from the start
  int64_t frame = 0;   // the first at or behind it; it may be beyond the recording's end, or negative
  std::string note;    // the reading that was taken, a sentence; empty: there is only one
};

// Whatever shows a time of the recording can be typed: "163" or "frame 163"; "12.5 s", "+0:02:05.5" and,
// where the clock is not known or shows no such time, "0:12" from the start; of a known clock "14:32" and
// "14:32:05.480", the first at or behind the start, also behind "2 May", "Sat 2 May" or "2026-05-01", and
// with a zone if it is not the clock's. Errors: invalid_argument, also for a date where the clock is not
// known.
Result<TypedTime> parse_time(const std::string& text, double frame_rate,
                             const std::optional<RecordingClock>& clock);

struct TypedSpan {
  TypedTime first, last;  // both are in it
};

// "0:12 to 0:40": two of these with "to" between. Errors: those, and invalid_argument for other texts and
// where the last one lies before the first.
Result<TypedSpan> parse_span(const std::string& text, double frame_rate,
                             const std::optional<RecordingClock>& clock);

}  // namespace vantage
