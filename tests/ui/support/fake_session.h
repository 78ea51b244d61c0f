// A Session without footage, for tests of the window: keeps a log of what it was told and answers with
// FakeScene's results, at once and on the caller's thread (the bridge still hands them over by the event
// loop). Playing advances with a timer.
#pragma once

#include <QStringList>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/session/detail/session_state.h"
#include "core/session/session.h"
#include "tests/ui/support/fake_scene.h"

namespace vantage::ui {

class FakeSession final : public Session {
 public:
  FakeSession(std::shared_ptr<SessionListener> listener, FakeScene scene);

  // "seek 12", "step -1", "set_parameter carving.threshold 0.6", in order.
  QStringList calls;
  int64_t frame() const { return status_.frame; }
  const Project& project() const { return project_; }
  // From the next open() on: changes of an earlier program can be recovered.
  void set_recoverable(int64_t unix_s) { recoverable_s_ = unix_s; }
  void report(const Error& error) { listener_->on_error(error); }
  void propose(const OffsetProposal& proposal) { listener_->on_offset_proposal(proposal, false); }
  void set_on_cpu(bool on_cpu);
  // Of the next analysis.
  void set_speed(double frames_per_s, double seconds_left) { speed_ = frames_per_s, left_s_ = seconds_left; }
  // From now on, files are opened, and analyses end, only by let_go().
  void hold(bool held) { held_back_ = held; }
  void let_go();
  // So many frames of every analysis are done before it is stopped; negative: all.
  void set_done(int64_t frames) { done_ = frames; }
  // Somebody else has the project; has changed its file; what of it is missing.
  void set_file(std::optional<ProcessOwner> held_by, const std::string& changed, const std::string& missing);
  void set_missing(std::vector<size_t> cameras, const std::string& keeps_from_analysing);

  void post(SessionCommand command) override {
    std::visit([this](const auto& posted) { on(posted); }, command);
  }

 private:
  void on(const command::OpenFile& open);  // a path that holds "missing" fails
  void on(const command::OpenProject& open);
  void on(const command::Close&);
  void on(const command::Save& save);
  void on(const command::Overwrite&);
  void on(const command::Reload&);
  void on(const command::TakeOver&);
  void on(const command::ExamineFile&) {}
  void on(const command::Autosave&);
  void on(const command::Recover&);
  void on(const command::Seek& seek);
  void on(const command::Step& step);
  void on(const command::Play&);
  void on(const command::FollowLive&);
  void on(const command::Pause&);
  void on(const command::SetPlaybackRate& set);
  void on(const command::SetAnalyseWhilePlaying& set);
  void on(const command::SetParameter& set);
  void on(const command::Edit& edit);
  void on(const command::Repair& repair);
  void on(const command::ApplyOffset& apply);
  void on(const command::Did& did);
  void on(const command::Undo&) { repeat_step(true); }
  void on(const command::Redo&) { repeat_step(false); }
  void on(const command::Analyse& analyse);
  void on(const command::Stop&);
  void on(const command::StartRecording& start);
  void on(const command::StopRecording&);
  void on(const command::AcceptView& accept);
  void on(const command::ReopenPush&);
  void on(const command::ContinueOnCpu&);
  void on(const command::SetCut& set);
  void on(const command::Explain& asked);
  void on(const command::SetOffsetWatch& set);
  void on(const command::SetLimits& set);
  void on(const command::SetHostDisplay& set);
  void on(const command::Quit&) {}

  void show(int64_t frame);
  void change(Project changed, const std::string& what);
  void repeat_step(bool undone);
  void tell_project();
  void tell_status();

  std::shared_ptr<SessionListener> listener_;
  FakeScene scene_;
  Project project_;
  SessionStatus status_;
  ProjectHistory history_;
  int64_t now_ns_ = 0;
  std::vector<FrameSummary> states_;
  QTimer timer_;
  double rate_ = 1;
  double speed_ = 0, left_s_ = -1;
  int64_t recoverable_s_ = 0, done_ = -1;
  bool held_back_ = false;
  std::optional<SessionCommand> waiting_;
};

}  // namespace vantage::ui
