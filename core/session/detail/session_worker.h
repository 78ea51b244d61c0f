// The session's thread: everything here runs on it, one command or one piece of work at a time.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/thread_check.h"
#include "core/display/trails.h"
#include "core/project/missing_files.h"
#include "core/run/run.h"
#include "core/session/detail/analysed_frames.h"
#include "core/session/detail/command_queue.h"
#include "core/session/detail/live_work.h"
#include "core/session/detail/project_file.h"
#include "core/session/detail/project_history.h"
#include "core/session/recorded_tracks.h"
#include "core/session/session.h"

namespace vantage {

class SessionWorker final : private RunListener {
 public:
  SessionWorker(SessionOptions options, std::shared_ptr<SessionListener> listener, CommandQueue& commands);

  void run();  // until Quit

 private:
  // The commands.
  void carry_out(const SessionCommand& command);
  void on(const command::OpenFile& open);
  void on(const command::OpenProject& open);
  void on(const command::Close&) { close(); }
  void on(const command::Save& save);
  void on(const command::Overwrite&);
  void on(const command::Reload&);
  void on(const command::TakeOver&);
  void on(const command::ExamineFile&) { examine_file(); }
  void on(const command::Autosave&);
  void on(const command::Recover&);
  void on(const command::Seek& asked) { seek(asked.frame); }
  void on(const command::Step& step) { seek(frame_ + step.frames); }
  void on(const command::Play&);
  void on(const command::Pause&);
  void on(const command::SetPlaybackRate& set);
  void on(const command::SetAnalyseWhilePlaying& set) { analyse_while_playing_ = set.on; }
  void on(const command::SetParameter& set);
  void on(const command::Edit& asked) { edit(asked.what, asked.change); }
  void on(const command::Repair& repair);
  void on(const command::ApplyOffset& apply);
  void on(const command::Undo&);
  void on(const command::Redo&);
  void on(const command::Analyse& asked) { analyse(asked.range); }
  void on(const command::Stop&);
  void on(const command::StartRecording& start);
  void on(const command::StopRecording&) { stop_recording(); }
  void on(const command::AcceptView& accept);
  void on(const command::ContinueOnCpu&);
  void on(const command::SetCut& set);
  void on(const command::SetOffsetWatch& set) { run_.offsets().set_mode(set.watch); }
  void on(const command::SetLimits& set);
  void on(const command::SetHostDisplay& set);
  void on(const command::Quit&);

  void idle();
  void close();
  void begin(const Project& project);  // nothing is open
  void take_up_found_again();
  void write_file(const std::filesystem::path& path, ProjectFile::Over over);
  bool keeps_results() const;  // on disk, beside the project
  Result<std::unique_ptr<Analysis>> make_analysis(const Project& project);
  // The open project on the device and with the display there are now; false: that failed and was told.
  bool reopen();
  void take_analysis(std::unique_ptr<Analysis> analysis);
  void show();
  void show_recorded_people();
  void refine();
  void play_pictures();
  void play_analysing();
  void stop_playing();
  bool wait_until(int64_t time_ns);
  void seek(int64_t frame);
  void examine_file();
  // Errors are reported already.
  Status edit(const std::string& what, const std::function<void(Project&)>& change);
  Status change_project(Project changed);
  void forget_failure();
  void analyse(FrameRange range);
  Status write_range(FrameRange range);
  Status begin_range(FrameRange range);
  void leave_other_tracks();
  Status analyse_frames(FrameRange range, const StopSource& stop);
  void report_progress(int64_t done, int64_t total, int64_t start_ns);

  // session_worker_offsets.cpp
  void on_offset_proposal(const OffsetProposal& proposal) override;
  void on_offset_applied(const AppliedOffset& applied) override;
  void on_delays(const std::vector<OffsetProposal>& proposals) override;
  void on_watching_failed(const Error& error) override;
  void restate_stored(const VersionChange& versions);

  // session_worker_live.cpp
  void begin_live();
  void publish_watched();
  void leave_live();
  void follow_live();
  Status take_live_set(int64_t number);
  void on_events(const std::vector<FloorEvent>& events) override;
  void on_writing_failed(const Error& error) override;
  void note_set(const FrameResultRef& result);
  void follow(bool on);
  void write_live_results();
  Status begin_live_results();
  void finish_live_results();
  void stop_recording();
  void number_people();
  void watch_rules();
  void describe_live();
  void look_back(int64_t frame);
  void show_recorded();

  void deliver(FrameResultRef result);
  void hand_over(FrameResultRef result);
  void note_analysed(const FrameResult& result);
  // The numbers that a frame of a recording can be shown with.
  enum class Numbers { of_results, of_chain, none };
  Numbers numbers_of(const FrameResult& result) const;
  std::vector<uint64_t> current_tracks() const;
  void show_people(Numbers numbers, ShownFrame* shown) const;
  void show_trails(int64_t trail_frames, Numbers numbers, ShownFrame* shown) const;
  void read_stored_results();
  void read_tracks(const StoredResults& stored);
  void repair_tracks();
  void report_error(const Error& error);
  void report_status();
  void report_results();
  bool due(int64_t* last_ns, int64_t interval_ns);
  int64_t last_frame() const;
  double frame_rate() const;
  std::string_view last_stage() const;
  StageVersions present_versions() const;
  StageVersions with_results(const StageVersions& versions) const;
  Result<RunDescription> describe();

  static constexpr int64_t kStatusInterval_ns = 200'000'000;

  // The chain's device.
  DeviceBackends backends() const {
    DeviceBackends chosen = options_.backends;
    chosen.device = device_;
    return chosen;
  }

  SessionListener& listener() const {
    assert(thread_.here());
    return *listener_;
  }

  const ThreadCheck thread_;
  const SessionOptions options_;
  const std::shared_ptr<SessionListener> listener_;
  CommandQueue& commands_;

  bool quit_ = false;
  Project project_;
  std::unique_ptr<Analysis> analysis_;  // null: nothing is open
  Device device_;                       // the chain's: the CPU once the device failed
  // Versions on the device that failed, as long as the project is as it was: its frames are as good as the
  // CPU's.
  std::optional<StageVersions> before_failure_;
  StageVersions device_versions_;         // of what it analysed last
  std::optional<FrameRange> unfinished_;  // what an error left of an analysis
  bool host_display_ = false;
  std::optional<CutPlane> cut_;
  SessionLimits limits_;
  ProjectHistory history_;
  ProjectFile file_;
  std::vector<MissingFile> missing_;  // when the analysis was opened

  int64_t frame_ = 0;  // the one asked for
  bool show_wanted_ = false;
  bool refine_wanted_ = false;
  bool shown_once_ = false;    // something of this project is on screen
  bool first_people_ = false;  // none of the results' people was shown since it was opened

  double rate_ = 1;
  bool analyse_while_playing_ = false;

  Run run_;  // of the analysis
  std::optional<LiveWork> live_;
  AnalysedFrames analysed_;  // by this session or, when the project was opened, as the results on disk say
  bool stored_results_wanted_ = false;
  RecordedTracks tracks_;        // of the results on disk
  uint64_t tracks_version_ = 0;  // of the tracking stage they were made with
  TrailStore trails_;
  SessionStatus status_;
  int64_t last_status_ns_ = 0, last_results_ns_ = 0, last_frame_ns_ = 0;
};

}  // namespace vantage
