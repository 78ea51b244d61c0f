#include "core/session/session.h"

#include <thread>

#include "core/session/command_queue.h"
#include "core/session/session_worker.h"

namespace vantage {
namespace {

class ThreadedSession final : public Session {
 public:
  ThreadedSession(SessionOptions options, std::shared_ptr<SessionListener> listener)
      : thread_([this, options = std::move(options), listener = std::move(listener)] {
          SessionWorker(options, listener, commands_).run();
        }) {}

  ~ThreadedSession() override {
    commands_.post_last({Urgency::leave, [](SessionWorker& w) { w.quit(); }});
    thread_.join();
  }

  void open(const std::filesystem::path& path) override {
    post(Urgency::leave, [path](SessionWorker& w) { w.open_file(path); });
  }
  void open(const Project& project) override {
    post(Urgency::leave, [project](SessionWorker& w) { w.open_project(project); });
  }
  void close() override {
    post(Urgency::leave, [](SessionWorker& w) { w.close(); });
  }
  void save(const std::filesystem::path& path) override {
    post(Urgency::remark, [path](SessionWorker& w) { w.save(path); });
  }
  void overwrite() override {
    post(Urgency::remark, [](SessionWorker& w) { w.overwrite(); });
  }
  void reload() override {
    post(Urgency::change, [](SessionWorker& w) { w.reload(); });
  }
  void take_over() override {
    post(Urgency::remark, [](SessionWorker& w) { w.take_over(); });
  }
  void look_at_file() override {
    post(Urgency::remark, [](SessionWorker& w) { w.look_at_file(); });
  }
  void autosave() override {
    post(Urgency::remark, [](SessionWorker& w) { w.autosave(); });
  }
  void recover() override {
    post(Urgency::change, [](SessionWorker& w) { w.recover(); });
  }

  void seek(int64_t frame) override {
    post(Urgency::seek, [frame](SessionWorker& w) { w.seek(frame); });
  }
  // Several steps add up: none replaces another.
  void step(int64_t delta) override {
    post(Urgency::remark, [delta](SessionWorker& w) { w.step(delta); });
  }
  void play() override {
    post(Urgency::remark, [](SessionWorker& w) { w.play(); });
  }
  void pause() override {
    post(Urgency::remark, [](SessionWorker& w) { w.pause(); });
  }
  void set_playback_rate(double rate) override {
    post(Urgency::remark, [rate](SessionWorker& w) { w.set_playback_rate(rate); });
  }
  void set_analyse_while_playing(bool on) override {
    post(Urgency::remark, [on](SessionWorker& w) { w.set_analyse_while_playing(on); });
  }

  void set_parameter(const std::string& stage, const std::string& name, double value) override {
    post(Urgency::change, [=](SessionWorker& w) { w.set_parameter(stage, name, value); });
  }
  void reset_parameter(const std::string& stage, const std::string& name) override {
    post(Urgency::change, [=](SessionWorker& w) { w.set_parameter(stage, name, std::nullopt); });
  }
  void edit(const std::string& what, std::function<void(Project&)> change) override {
    post(Urgency::change, [=](SessionWorker& w) { w.edit(what, change); });
  }
  void repair(const MeantRepair& meant) override {
    post(Urgency::change, [meant](SessionWorker& w) { w.repair(meant); });
  }
  // Beside an analysis, which then goes on with it.
  void apply_offset(const OffsetProposal& proposal) override {
    post(Urgency::remark, [proposal](SessionWorker& w) { w.apply_offset(proposal); });
  }
  void undo() override {
    post(Urgency::change, [](SessionWorker& w) { w.undo(); });
  }
  void redo() override {
    post(Urgency::change, [](SessionWorker& w) { w.redo(); });
  }

  void analyse(FrameRange range) override {
    post(Urgency::change, [range](SessionWorker& w) { w.analyse(range); });
  }
  // Of an analysis of files its arrival is all that it does.
  void stop() override {
    post(Urgency::change, [](SessionWorker& w) { w.stop(); });
  }
  void start_recording(const std::filesystem::path& project) override {
    post(Urgency::remark, [project](SessionWorker& w) { w.start_recording(project); });
  }
  void stop_recording() override {
    post(Urgency::remark, [](SessionWorker& w) { w.stop_recording(); });
  }
  void accept_view(size_t camera) override {
    post(Urgency::remark, [camera](SessionWorker& w) { w.accept_view(camera); });
  }
  void continue_on_cpu() override {
    post(Urgency::change, [](SessionWorker& w) { w.continue_on_cpu(); });
  }
  void set_cut(std::optional<CutPlane> plane) override {
    post(Urgency::remark, [plane](SessionWorker& w) { w.set_cut(plane); });
  }
  void set_offset_watch(OffsetWatch watch) override {
    post(Urgency::remark, [watch](SessionWorker& w) { w.set_offset_watch(watch); });
  }
  void set_limits(const SessionLimits& limits) override {
    post(Urgency::remark, [limits](SessionWorker& w) { w.set_limits(limits); });
  }
  void set_host_display(bool on) override {
    post(Urgency::leave, [on](SessionWorker& w) { w.set_host_display(on); });
  }

 private:
  void post(Urgency urgency, std::function<void(SessionWorker&)> run) {
    commands_.post({urgency, std::move(run)});
  }

  CommandQueue commands_;
  std::thread thread_;  // after the queue: it starts at once
};

}  // namespace

std::unique_ptr<Session> Session::make(SessionOptions options, std::shared_ptr<SessionListener> listener) {
  return std::make_unique<ThreadedSession>(std::move(options), std::move(listener));
}

}  // namespace vantage
