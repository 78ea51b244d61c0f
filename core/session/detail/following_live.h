// Analyses live cameras frame set after frame set, shows them, writes results, keeps a past and records.
// Meanwhile the past can be shown and played.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/session/detail/live_tracks.h"
#include "core/session/detail/session_state.h"
#include "core/session/live_events.h"
#include "core/video/frame_source.h"

namespace vantage {

// Earlier frames of live cameras: pictures from the kept past or the recording in progress, people and tracks
// from the live analysis.

class LivePlayback {
 public:
  static constexpr size_t kMaxKept_bytes =
      64 << 20;  // limit of results without pictures; the oldest are dropped first

  // Keeps the live analysis's result of a set.
  void keep(const FrameResult& result);
  // Kept results of the sets from that one on, in order: people and their data, and which picture was there,
  // without pictures, masks, maps and volumes.
  std::vector<FrameResultRef> since(int64_t frame) const;
  // The frame with its pictures, as a preview. `project`: that of the past or the recording. Errors: those of
  // FrameSource; end_of_stream where it has not been written yet.
  Result<FrameResultRef> frame(int64_t frame, const Project& project);
  void close() { sources_.clear(); }  // closes the pictures until they are needed again

 private:
  struct Kept {
    FrameResultRef result;
    size_t bytes = 0;
  };
  std::map<int64_t, Kept> kept_;  // keyed by set
  size_t kept_bytes_ = 0;
  std::map<std::filesystem::path, std::unique_ptr<FrameSource>> sources_;  // keyed by project
};

class FollowingLive final : public SessionMode {
 public:
  explicit FollowingLive(SessionState& state) : state_(state) {}

  void start();  // the cameras were opened

  // Handles one set, one earlier frame, or the cameras' state where no set comes. False: the chain failed,
  // and only follow() tries again.
  bool work();

  void follow();                  // shows the present
  void pause();                   // keeps the frame on screen
  void play();                    // plays the past from the frame on screen
  void set_rate(double rate);     // rate of play(); negative: backwards
  void look_back(int64_t frame);  // in the kept past
  void write_results();
  void finish_results();  // completes the results written so far
  void record(const std::filesystem::path& project);
  void stop_recording();
  void record_event(int64_t raised_frame);
  void events_over();
  void accept_view(size_t camera);

  // Applies changes of the project from the next set on.
  void prepare_recordings();
  void publish_watched();  // state of the cameras while nothing is written
  void number_people();    // numbers start at 1; while results are written, when they end
  void watch_rules();      // and sends their events: open_push()
  void open_push();
  void add_events(const std::vector<FloorEvent>& events) { events_.add(events); }
  int64_t shown_id(const FrameResult& result, int64_t id) const { return tracks_.shown_id(result, id); }

  void describe(SessionStatus& status) override;

 private:
  void take_next_set();
  Status take_set(int64_t number);
  void show_pictures_first(int64_t number, const StopSource& stop);
  Status begin_results(int64_t first);
  void note_set(const FrameResultRef& result);
  void show_recorded();
  void record_from(const std::filesystem::path& project, int64_t set);
  void keep_past();
  void renew_past();
  PastStatus past_status() const;
  void play_on();
  double wait_s() const;
  void restart_clock();
  FrameRange kept() const;
  const Project& kept_project(int64_t frame) const;
  void hand_over(FrameResultRef result);
  void note_shown(const FrameResult& result);
  void measure_rate();
  void report_detectors();
  const std::vector<PushState>& push_states();

  // Start of playing the past: frame and time.
  struct Clock {
    int64_t frame = 0, since_ns = 0;
  };

  SessionState& state_;
  bool following_ = true;
  std::optional<Clock> clock_;    // clock of playing the past; nothing: it is paused
  double rate_ = 1;               // 1: real time
  bool records_event_ = false;    // an event began the recording
  bool records_results_ = false;  // the results being written belong to the recording
  bool number_again_ = false;     // when the results end
  int64_t newest_ = -1;           // the newest analysed set
  int64_t past_tried_ns_ = 0;
  std::string past_problem_;  // why no past could be begun
  bool failed_ = false;       // the chain failed
  bool back_wanted_ = false;  // a frame of the past is to be shown
  bool pictures_shown_ = false;
  bool shown_ = false;       // an analysed set was shown
  double shown_time_s_ = 0;  // time of the set shown, from the first one
  double sets_per_s_ = 0;
  int64_t rate_since_ns_ = 0, rate_sets_ = 0;
  LivePlayback playback_;
  LiveTracks tracks_;  // the last minutes', on which a new rule is tried
  LiveEvents events_;
  int64_t tracks_reported_ns_ = 0;
  LiveSummary summary_;        // summarises the sets that can be shown
  SetSummariesRef summaries_;  // the same, as reported
  int64_t summaries_reported_ns_ = 0;
  std::map<std::string, DetectorFault> faults_;  // keyed by camera, as reported
  int64_t faults_looked_ns_ = 0;
  std::vector<PushState> push_states_;  // as read last
  int64_t push_read_ns_ = 0;
};

}  // namespace vantage
