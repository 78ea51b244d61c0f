// A Session without footage, for tests of the window: keeps a log of what it was told and answers with
// FakeScene's results, at once and on the caller's thread (the bridge still hands them over by the event
// loop). Playing advances with a timer.
#pragma once

#include <QStringList>
#include <QTimer>
#include <memory>
#include <vector>

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
  // Somebody else has the project; has changed its file; what of it is missing.
  void set_file(std::optional<ProcessOwner> held_by, const std::string& changed, const std::string& missing);

  void open(const std::filesystem::path& path) override;  // a path that holds "missing" fails
  void open(const Project& project) override;
  void close() override;
  void save(const std::filesystem::path& path) override;
  void overwrite() override;
  void reload() override;
  void take_over() override;
  void look_at_file() override {}
  void autosave() override;
  void recover() override;
  void seek(int64_t frame) override;
  void step(int64_t delta) override;
  void play() override;
  void pause() override;
  void set_playback_rate(double rate) override;
  void set_analyse_while_playing(bool on) override;
  void set_parameter(const std::string& stage, const std::string& name, double value) override;
  void reset_parameter(const std::string& stage, const std::string& name) override;
  void edit(const std::string& what, std::function<void(Project&)> change) override;
  void repair(const MeantRepair& meant) override;
  void apply_offset(const OffsetProposal& proposal) override;
  void undo() override;
  void redo() override;
  void analyse(FrameRange range) override;
  void stop() override;
  void start_recording(const std::filesystem::path& project) override;
  void stop_recording() override;
  void accept_view(size_t camera) override;
  void continue_on_cpu() override;
  void set_cut(std::optional<CutPlane> plane) override;
  void set_offset_watch(OffsetWatch watch) override;
  void set_limits(const SessionLimits& limits) override;
  void set_host_display(bool on) override;

 private:
  void show(int64_t frame);
  void change(Project changed);
  void tell_project();
  void tell_status();

  std::shared_ptr<SessionListener> listener_;
  FakeScene scene_;
  Project project_;
  SessionStatus status_;
  std::vector<Project> undo_, redo_;
  std::vector<FrameSummary> states_;
  QTimer timer_;
  double rate_ = 1;
  int64_t recoverable_s_ = 0;
};

}  // namespace vantage::ui
