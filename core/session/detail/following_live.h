// Live cameras, frame set after frame set: analysed, shown, written into results and recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/session/detail/live_playback.h"
#include "core/session/detail/live_summary.h"
#include "core/session/detail/live_tracks.h"
#include "core/session/detail/session_state.h"
#include "core/session/live_events.h"

namespace vantage {

class FollowingLive final : public SessionMode {
 public:
  explicit FollowingLive(SessionState& state) : state_(state) {}

  void start();  // the cameras were opened

  // One set, a frame that was recorded before, or the cameras' state where no set comes. False: the chain
  // gave up, and only follow() tries again.
  bool work();

  void follow(bool on);           // true: what the cameras see now is shown
  void look_back(int64_t frame);  // of the recording that is being made of them
  void write_results();
  void finish_results();  // what was written so far becomes the results
  void record(const std::filesystem::path& project);
  void stop_recording();
  void accept_view(size_t camera);

  // After changes of the project, from the next set on.
  void publish_watched();  // what is told of the cameras while nothing is written
  void number_people();    // from 1: with paths, as in results that begin there
  void watch_rules();      // and sends their events: open_push()
  void open_push();
  void add_events(const std::vector<FloorEvent>& events) { events_.add(events); }

  void describe(SessionStatus& status) override;

 private:
  void take_next_set();
  Status take_set(int64_t number);
  void show_pictures_first(int64_t number, const StopSource& stop);
  Status begin_results();
  void note_set(const FrameResultRef& result);
  void show_recorded();
  void hand_over(FrameResultRef result);
  void note_shown(const FrameResult& result);
  void measure_rate();
  void report_detectors();
  const std::vector<PushState>& push_states();

  SessionState& state_;
  bool following_ = true;
  bool failed_ = false;       // the chain gave up
  bool back_wanted_ = false;  // a recorded frame is to be shown
  bool pictures_shown_ = false;
  bool shown_ = false;       // a set that was analysed
  double shown_time_s_ = 0;  // of the set shown, from the first one on
  double sets_per_s_ = 0;
  int64_t rate_since_ns_ = 0, rate_sets_ = 0;
  LivePlayback playback_;
  LiveTracks tracks_;  // of the last minutes, on which a new rule is tried
  LiveEvents events_;
  int64_t tracks_told_ns_ = 0;
  LiveSummary summary_;        // of the sets whose results are written
  SetSummariesRef summaries_;  // the same, as it is told
  int64_t summaries_told_ns_ = 0;
  std::map<std::string, DetectorFault> faults_;  // of detectors, by camera, as they were told
  int64_t faults_looked_ns_ = 0;
  std::vector<PushState> push_states_;  // as they were read last
  int64_t push_read_ns_ = 0;
};

}  // namespace vantage
