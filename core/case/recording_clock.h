// The time of day of a recording: what people typed, else what the base camera's container says, else what
// its file is called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/project/project.h"

namespace vantage {

struct RecordingClock {
  double start_utc_s = 0;           // of frame 0 of the base camera, seconds since 1970
  std::optional<int> zone_minutes;  // east of UTC; nothing: this machine's zone, with its daylight saving
  std::string source;               // "typed", "container of cam1.mp4", "name of cam1_20260501_143205.mp4"

  // "2026-05-01 14:32:05.040 +02:00"
  std::string text(double seconds_from_start) const;
};

// "2026-05-01 14:32:05", with "T" for the space, fractions of a second, "Z" or "+02:00" if wanted; without,
// it is this machine's time. Errors: invalid_argument.
Result<RecordingClock> parse_clock(const std::string& text);

// Nothing where neither container nor name tells.
std::optional<RecordingClock> find_clock(const Project& project);
// The date and time in a recorder's file name: year, month, day, hour, minute, second in a row, with or
// without signs between.
std::optional<RecordingClock> clock_of_name(const std::string& file);

// "0:14:32.040", from the start.
std::string elapsed_text(double seconds);

// The seconds from the start that a text means: "1234" a frame, "12.5s" or "+0:02:05" from the start,
// "14:32:05" a time of day, the first at or behind the start, or with a date as for parse_clock(). Errors:
// invalid_argument, also for a time of day where the clock is not known.
Result<double> moment_of(const std::string& text, double frame_rate,
                         const std::optional<RecordingClock>& clock);

}  // namespace vantage
