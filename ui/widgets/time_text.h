// Times as people read them.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "core/project/recording_clock.h"

namespace vantage::ui {

// When the frames of a recording were taken: by the time of day where its clock is known, else from its
// start.
struct FrameTimes {
  double frame_rate = 0;  // 0: nothing is open
  std::optional<RecordingClock> clock;

  double seconds(int64_t frame) const;  // from the start
  // "14:32:05.480", with the day before it on other days than the first: "2 May 00:10:00.000"; without a
  // clock "0:32.480".
  QString text(int64_t frame) const;
  // "2026-05-01 14:32:05.480"; without a clock "+0:00:32.480".
  QString full_text(int64_t frame) const;
  bool operator==(const FrameTimes&) const = default;
};

// "0:32.480"; hours only where there are any: "1:02:05.480".
QString time_text(double seconds);
// "0:32", for ruler marks and remaining time.
QString short_time_text(double seconds);
// "18 MB", "2.0 GB", of 10^6 and 10^9 bytes.
QString bytes_text(int64_t bytes);
// "a few seconds", "about 40 s", "about 3 min", "about 2 h": how long something will take.
QString about_text(double seconds);
// Local time of day of an instant in seconds since 1970: "14:32:05.4".
QString clock_text(double utc_s);
// "2", "0.5", "-1" followed by the times sign.
QString rate_text(double rate);

}  // namespace vantage::ui
