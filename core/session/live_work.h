// What a session works with while live cameras are open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/counting/rule_watch.h"
#include "core/project/results_events.h"
#include "core/recording/recorder.h"
#include "core/session/live_playback.h"
#include "core/session/live_summary.h"
#include "core/session/live_tracks.h"
#include "core/session/session.h"

namespace vantage {

struct LiveWork {
  bool following = true;
  bool failed = false;      // the chain gave up; play() tries again
  double shown_time_s = 0;  // of the set shown, from the first one on
  bool shown = false;
  int64_t rate_since_ns = 0, rate_sets = 0;  // for the sets a second
  std::unique_ptr<Recorder> recorder;        // once a recording was begun
  LivePlayback playback;
  bool back_wanted = false;        // a recorded frame is to be shown
  LiveTracks tracks;               // of the last minutes, on which a new rule is tried
  std::optional<RuleWatch> rules;  // nothing: the project has none
  LiveEvents events;
  std::unique_ptr<EventWriter> event_file;  // beside the results, once there are rules
  int64_t tracks_told_ns = 0;
  LiveSummary summary;        // of the sets whose results are written
  SetSummariesRef summaries;  // the same, as it is told
  int64_t summaries_told_ns = 0;
};

}  // namespace vantage
