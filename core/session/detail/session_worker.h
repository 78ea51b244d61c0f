// The session's thread: one command or one piece of work at a time. Commands are passed to the mode they
// concern; changes of the project are made here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/session/detail/following_live.h"
#include "core/session/detail/playing.h"
#include "core/session/detail/recorded_results.h"
#include "core/session/detail/session_state.h"

namespace vantage {

// Analyses a range of a recording into the results.

class Analysing final : public SessionMode {
 public:
  // `carry_out` is called between two frames for commands that do not end an analysis.
  Analysing(SessionState& state, RecordedResults& results, Showing& showing, Playing& playing,
            std::function<void(const SessionCommand&)> carry_out)
      : state_(state),
        results_(results),
        showing_(showing),
        playing_(playing),
        carry_out_(std::move(carry_out)) {}

  // Analyses until the range is done or a command ends it. In every case the computed frames are stored
  // completely.
  void analyse(FrameRange range);
  bool on() const { return on_; }
  // The frames left by an analysis that a device error ended.
  std::optional<FrameRange> take_unfinished() { return std::exchange(unfinished_, std::nullopt); }
  void forget_unfinished() { unfinished_.reset(); }

  void describe(SessionStatus& status) override;

 private:
  Status write_range(FrameRange range);
  Status begin_results(FrameRange range);
  Status analyse_frames(FrameRange range, const StopSource& stop);
  void report_progress(int64_t done, int64_t total, int64_t start_ns);
  void report_end(const Status& status);

  SessionState& state_;
  RecordedResults& results_;
  Showing& showing_;
  Playing& playing_;
  const std::function<void(const SessionCommand&)> carry_out_;
  bool on_ = false;
  double analysed_fps_ = 0, seconds_left_ = -1;
  std::string activity_;
  std::optional<FrameRange> unfinished_;
  int64_t last_frame_ns_ = 0;  // when a frame was last shown
};

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
  void on(const command::Step& step) { seek(state_.frame + step.frames); }
  void on(const command::Play&);
  void on(const command::FollowLive&);
  void on(const command::Pause&);
  void on(const command::SetPlaybackRate& set);
  void on(const command::SetAnalyseWhilePlaying& set) { playing_.set_analysing(set.on); }
  void on(const command::SetParameter& set);
  void on(const command::Edit& asked) { edit(asked.what, asked.change); }
  void on(const command::Repair& repair);
  void on(const command::ApplyOffset& apply);
  void on(const command::Did& did);
  void on(const command::Undo&) { repeat_step(true); }
  void on(const command::Redo&) { repeat_step(false); }
  void on(const command::Analyse& asked);
  void on(const command::Stop&);
  void on(const command::StartRecording& start);
  void on(const command::StopRecording&);
  void on(const command::AcceptView& accept);
  void on(const command::ReopenPush&);
  void on(const command::ContinueOnCpu&);
  void on(const command::SetCut& set);
  void on(const command::Explain& asked);
  void on(const command::SetOffsetWatch& set) { state_.run.offsets().set_mode(set.watch); }
  void on(const command::SetLimits& set);
  void on(const command::SetHostDisplay& set);
  void on(const command::Quit&);

  // Does one piece of work; false: there is none.
  bool work();
  bool work_on_recording();
  bool explain_wanted();  // false: there is no question
  void idle();

  // Opening and closing.
  void begin(const Project& project);  // nothing is open
  Result<std::unique_ptr<Analysis>> make_analysis(const Project& project);
  void take_analysis(std::unique_ptr<Analysis> analysis);
  // Opens the project again with the present device and display; false: that failed and was reported.
  bool reopen();
  void close();
  void leave_live();
  void take_up_found_again();
  void examine_file();
  void write_file(const std::filesystem::path& path, ProjectFile::Over over);
  void write_repaired_tracks();
  void seek(int64_t frame);

  // Changes of the project; session_worker_project.cpp. Errors have been reported.
  Status edit(const std::string& what, const std::function<void(Project&)>& change);
  void repeat_step(bool undone);
  Status change_project(Project changed);
  void take_up_change(const ProjectChange& change, bool numbered_otherwise);
  void read_results();
  void repair_tracks();
  void forget_failure();

  // RunListener; session_worker_project.cpp.
  void on_offset_proposal(const OffsetProposal& proposal) override;
  void on_offset_applied(const AppliedOffset& applied) override;
  void on_delays(const std::vector<OffsetProposal>& proposals) override;
  void on_watching_failed(const Error& error) override { state_.report_error(error); }
  void on_events(const std::vector<FloorEvent>& events) override { live_->add_events(events); }
  int64_t shown_id(const FrameResult& result, int64_t id) override {
    return live_ ? live_->shown_id(result, id) : id;
  }
  void on_event_to_record(int64_t raised_frame) override { live_->record_event(raised_frame); }
  void on_events_over() override { live_->events_over(); }
  void on_writing_failed(const Error& error) override;
  void restate_stored(const VersionChange& versions);

  SessionListener& listener() const { return state_.listener(); }
  bool is_open() const { return state_.analysis != nullptr; }

  SessionState state_;
  RecordedResults results_{state_};
  Showing showing_{state_, results_};
  Playing playing_{state_, results_, showing_};
  Analysing analysing_{state_, results_, showing_, playing_,
                       [this](const SessionCommand& command) { carry_out(command); }};
  std::optional<WhyQuestion> asked_;   // not answered yet
  std::optional<FollowingLive> live_;  // while live cameras are open, instead of the other modes
  bool host_display_ = false;
  bool quit_ = false;
};

}  // namespace vantage
