#include "tests/ui/support/fake_session.h"

#include <algorithm>

namespace vantage::ui {
namespace {

QString text(const std::string& stage, const std::string& name) {
  return QString::fromStdString(stage + "." + name);
}

}  // namespace

FakeSession::FakeSession(std::shared_ptr<SessionListener> listener, FakeScene scene)
    : listener_(std::move(listener)), scene_(scene), project_(scene.project()) {
  QObject::connect(&timer_, &QTimer::timeout, &timer_,
                   [this] { show(status_.frame + (rate_ < 0 ? -1 : 1)); });
}

void FakeSession::open(const std::filesystem::path& path) {
  calls << "open " + QString::fromStdString(path.string());
  if (path.string().find("missing") != std::string::npos)
    return listener_->on_error(
        {ErrorKind::not_found, "the project file is not there", path.string(), "Choose another file."});
  Project project = scene_.project();
  project.path = path;
  open(project);
}

void FakeSession::open(const Project& project) {
  project_ = project;
  status_ = {};
  status_.open = true;
  status_.frame_count = scene_.frames;
  status_.frame_count_exact = true;
  status_.frame_rate = scene_.frame_rate;
  status_.recoverable_s = recoverable_s_;
  states_.assign(static_cast<size_t>(scene_.frames), {});
  tell_project();
  listener_->on_results(states_);
  show(0);
}

void FakeSession::close() {
  calls << "close";
  timer_.stop();
  status_ = {};
  tell_status();
}

void FakeSession::save(const std::filesystem::path& path) {
  calls << "save " + QString::fromStdString(path.string());
  project_.path = path;
  status_.unsaved = false;
  tell_project();
}

void FakeSession::overwrite() {
  calls << "overwrite";
  set_file(status_.held_by, {}, status_.missing);
}

void FakeSession::reload() {
  calls << "reload";
  set_file(status_.held_by, {}, status_.missing);
}

void FakeSession::take_over() {
  calls << "take_over";
  set_file({}, status_.changed_outside, status_.missing);
}

void FakeSession::set_file(std::optional<ProcessOwner> held_by, const std::string& changed,
                           const std::string& missing) {
  status_.held_by = std::move(held_by);
  status_.changed_outside = changed;
  status_.missing = missing;
  tell_status();
}

void FakeSession::autosave() {
  calls << "autosave";
}

void FakeSession::recover() {
  calls << "recover";
  status_.recoverable_s = 0;
  tell_status();
}

void FakeSession::show(int64_t frame) {
  status_.frame = std::clamp<int64_t>(frame, 0, scene_.frames - 1);
  listener_->on_frame(scene_.result(status_.frame, true));
  tell_status();
}

void FakeSession::seek(int64_t frame) {
  calls << QString("seek %1").arg(frame);
  show(frame);
}

void FakeSession::step(int64_t delta) {
  calls << QString("step %1").arg(delta);
  show(status_.frame + delta);
}

void FakeSession::play() {
  calls << "play";
  status_.playing = true;
  timer_.start(40);
  tell_status();
}

void FakeSession::pause() {
  calls << "pause";
  status_.playing = false;
  timer_.stop();
  tell_status();
}

void FakeSession::set_playback_rate(double rate) {
  calls << QString("set_playback_rate %1").arg(rate);
  rate_ = rate;
}

void FakeSession::set_analyse_while_playing(bool on) {
  calls << QString("set_analyse_while_playing %1").arg(on);
}

void FakeSession::change(Project changed) {
  const bool same_results = !difference(changed, project_).parameters;
  undo_.push_back(project_);
  redo_.clear();
  project_ = std::move(changed);
  status_.unsaved = true;
  for (FrameSummary& frame : states_)
    if (!same_results && frame.state == FrameState::current) frame.state = FrameState::out_of_date;
  listener_->on_results(states_);
  tell_project();
}

void FakeSession::set_parameter(const std::string& stage, const std::string& name, double value) {
  calls << QString("set_parameter %1 %2").arg(text(stage, name)).arg(value);
  Project changed = project_;
  if (const Status set = changed.parameters.set(stage, name, value); !set)
    return listener_->on_error(set.error());
  change(std::move(changed));
}

void FakeSession::reset_parameter(const std::string& stage, const std::string& name) {
  calls << "reset_parameter " + text(stage, name);
  Project changed = project_;
  changed.parameters.reset(stage, name);
  change(std::move(changed));
}

void FakeSession::edit(const std::string& what, std::function<void(Project&)> edit) {
  calls << "edit " + QString::fromStdString(what);
  Project changed = project_;
  edit(changed);
  change(std::move(changed));
}

void FakeSession::repair(const MeantRepair& meant) {
  edit("repair", [&](Project& project) { project.repairs.push_back(meant.repair); });
}

void FakeSession::apply_offset(const OffsetProposal& proposal) {
  calls << QString("apply_offset %1 %2").arg(proposal.camera).arg(proposal.frames);
  Project changed = project_;
  changed.cameras.at(static_cast<size_t>(proposal.camera)).offset_frames += proposal.frames;
  change(std::move(changed));
  listener_->on_offset_proposal(proposal, true);
}

void FakeSession::undo() {
  calls << "undo";
  if (undo_.empty()) return;
  redo_.push_back(project_);
  project_ = undo_.back();
  undo_.pop_back();
  tell_project();
}

void FakeSession::redo() {
  calls << "redo";
  if (redo_.empty()) return;
  undo_.push_back(project_);
  project_ = redo_.back();
  redo_.pop_back();
  tell_project();
}

void FakeSession::analyse(FrameRange range) {
  calls << QString("analyse %1:%2").arg(range.begin).arg(range.end);
  status_.analysing = true;
  status_.activity = "Analysing 18 fps, 0:38";
  for (int64_t frame = range.begin; frame < range.end; ++frame)
    states_.at(static_cast<size_t>(frame)) = {FrameState::current, 3};
  listener_->on_results(states_);
  tell_status();
}

void FakeSession::start_recording(const std::filesystem::path& project) {
  calls << "start_recording " + QString::fromStdString(project.string());
}
void FakeSession::stop_recording() {
  calls << "stop_recording";
}

void FakeSession::accept_view(size_t camera) {
  calls << QString("accept_view %1").arg(camera);
}

void FakeSession::stop() {
  calls << "stop";
  status_.analysing = false;
  status_.activity.clear();
  tell_status();
}

void FakeSession::continue_on_cpu() {
  calls << "continue_on_cpu";
  set_on_cpu(true);
}

void FakeSession::set_on_cpu(bool on_cpu) {
  status_.on_cpu = on_cpu;
  tell_status();
}

void FakeSession::set_cut(std::optional<CutPlane> plane) {
  calls << (plane ? QString("set_cut %1").arg(plane->at_m) : QString("set_cut none"));
}

void FakeSession::set_offset_watch(OffsetWatch watch) {
  calls << QString("set_offset_watch %1").arg(static_cast<int>(watch));
}

void FakeSession::set_limits(const SessionLimits& limits) {
  calls << QString("set_limits %1 %2 %3")
               .arg(limits.cache_bytes >> 20)
               .arg(limits.checkpoint_bytes >> 20)
               .arg(limits.trail_s);
}

void FakeSession::set_host_display(bool on) {
  calls << QString("set_host_display %1").arg(on);
}

void FakeSession::tell_project() {
  listener_->on_opened(project_);
  tell_status();
}

void FakeSession::tell_status() {
  status_.can_undo = !undo_.empty();
  status_.can_redo = !redo_.empty();
  listener_->on_status(status_);
}

}  // namespace vantage::ui
