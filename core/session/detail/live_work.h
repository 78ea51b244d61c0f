// The state of a session while live cameras are open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/session/detail/live_playback.h"
#include "core/session/detail/live_summary.h"
#include "core/session/detail/live_tracks.h"
#include "core/session/session.h"

namespace vantage {

struct LiveWork {
  bool following = true;
  bool failed = false;      // the chain gave up; play() tries again
  double shown_time_s = 0;  // of the set shown, from the first one on
  bool shown = false;
  int64_t rate_since_ns = 0, rate_sets = 0;  // for the sets a second
  LivePlayback playback;
  bool back_wanted = false;  // a recorded frame is to be shown
  LiveTracks tracks;         // of the last minutes, on which a new rule is tried
  LiveEvents events;
  int64_t tracks_told_ns = 0;
  LiveSummary summary;        // of the sets whose results are written
  SetSummariesRef summaries;  // the same, as it is told
  int64_t summaries_told_ns = 0;
};

}  // namespace vantage
