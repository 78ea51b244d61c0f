// The ticks of a ruler over a recording's time: every so many parts of a second, seconds, minutes, hours or
// days, by the time of day where the clock is known, else from the start.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/project/recording_clock.h"

namespace vantage::ui {

struct RulerTick {
  double seconds = 0;  // from the start
  // "14:32", "14:32:05", "14:32:05.48"; at midnight the day, "Sat 2 May"; without a clock "0:32".
  QString label;
};

// Ascending, from from_s to to_s, both included; labels have room where each takes label_px at most.
std::vector<RulerTick> ruler_ticks(double from_s, double to_s, double px_per_s, double label_px,
                                   const std::optional<RecordingClock>& clock);

}  // namespace vantage::ui
