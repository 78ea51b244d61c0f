#include "tests/ui/support/fake_session.h"

#include <algorithm>
#include <utility>

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

void FakeSession::on(const command::OpenFile& open) {
  const std::filesystem::path& path = open.path;
  calls << "open " + QString::fromStdString(path.string());
  if (held_back_) {
    waiting_ = open;
    return;
  }
  if (path.string().find("missing") != std::string::npos)
    return listener_->on_error(
        {ErrorKind::not_found, "the project file is not there", path.string(), "Choose another file."});
  Project project = scene_.project();
  project.path = path;
  on(command::OpenProject{project});
}

void FakeSession::let_go() {
  held_back_ = false;
  const QStringList before = calls;
  if (waiting_) post(*std::exchange(waiting_, std::nullopt));
  calls = before;
}

void FakeSession::on(const command::OpenProject& open) {
  project_ = open.project;
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

void FakeSession::on(const command::Close&) {
  calls << "close";
  timer_.stop();
  status_ = {};
  tell_status();
}

void FakeSession::on(const command::Save& save) {
  const std::filesystem::path& path = save.path;
  calls << "save " + QString::fromStdString(path.string());
  project_.path = path;
  status_.unsaved = false;
  tell_project();
}

void FakeSession::on(const command::Overwrite&) {
  calls << "overwrite";
  set_file(status_.held_by, {}, status_.missing);
}

void FakeSession::on(const command::Reload&) {
  calls << "reload";
  set_file(status_.held_by, {}, status_.missing);
}

void FakeSession::on(const command::TakeOver&) {
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

void FakeSession::set_missing(std::vector<size_t> cameras, const std::string& keeps_from_analysing) {
  status_.without_video = std::move(cameras);
  status_.keeps_from_analysing = keeps_from_analysing;
  status_.missing = status_.without_video.empty() ? "" : "cam2's video /somewhere/cam2.mp4";
  tell_status();
}

void FakeSession::on(const command::Autosave&) {
  calls << "autosave";
}

void FakeSession::on(const command::Recover&) {
  calls << "recover";
  status_.recoverable_s = 0;
  tell_status();
}

void FakeSession::show(int64_t frame) {
  status_.frame = std::clamp<int64_t>(frame, 0, scene_.frames - 1);
  listener_->on_frame(scene_.shown(scene_.result(status_.frame, true)));
  tell_status();
}

void FakeSession::on(const command::Seek& seek) {
  calls << QString("seek %1").arg(seek.frame);
  show(seek.frame);
}

void FakeSession::on(const command::Step& step) {
  calls << QString("step %1").arg(step.frames);
  show(status_.frame + step.frames);
}

void FakeSession::on(const command::Play&) {
  calls << "play";
  status_.playing = true;
  timer_.start(40);
  tell_status();
}

void FakeSession::on(const command::FollowLive&) {
  calls << "follow_live";
}

void FakeSession::on(const command::Pause&) {
  calls << "pause";
  status_.playing = false;
  timer_.stop();
  tell_status();
}

void FakeSession::on(const command::SetPlaybackRate& set) {
  calls << QString("set_playback_rate %1").arg(set.rate);
  rate_ = set.rate;
}

void FakeSession::on(const command::SetAnalyseWhilePlaying& set) {
  calls << QString("set_analyse_while_playing %1").arg(set.on);
}

void FakeSession::change(Project changed, const std::string& what) {
  const bool same_results = !difference(changed, project_).parameters;
  history_.note(project_, what, now_ns_ += 2'000'000'000);  // no two are one step
  project_ = std::move(changed);
  status_.unsaved = true;
  for (FrameSummary& frame : states_)
    if (!same_results && frame.state == FrameState::current) frame.state = FrameState::out_of_date;
  listener_->on_results(states_);
  tell_project();
}

void FakeSession::on(const command::SetParameter& set) {
  const QString parameter = text(set.stage, set.name);
  if (set.value)
    calls << QString("set_parameter %1 %2").arg(parameter).arg(*set.value);
  else
    calls << "reset_parameter " + parameter;
  Project changed = project_;
  Status done;
  if (set.value)
    done = changed.parameters.set(set.stage, set.name, *set.value);
  else
    changed.parameters.reset(set.stage, set.name);
  if (!done) return listener_->on_error(done.error());
  change(std::move(changed), parameter.toStdString());
}

void FakeSession::on(const command::Edit& edit) {
  calls << "edit " + QString::fromStdString(edit.what);
  Project changed = project_;
  edit.change(changed);
  change(std::move(changed), edit.what);
}

void FakeSession::on(const command::Repair& repair) {
  on(command::Edit{"repair", [&](Project& project) { project.repairs.push_back(repair.meant.repair); }});
}

void FakeSession::on(const command::ApplyOffset& apply) {
  const OffsetProposal& proposal = apply.proposal;
  calls << QString("apply_offset %1 %2").arg(proposal.camera).arg(proposal.frames);
  Project changed = project_;
  changed.cameras.at(proposal.camera).offset_frames += proposal.frames;
  change(std::move(changed), "offset");
  listener_->on_offset_proposal(proposal, true);
}

void FakeSession::on(const command::Did& did) {
  calls << "did " + QString::fromStdString(did.what);
  history_.note(did);
  tell_status();
}

void FakeSession::repeat_step(bool undone) {
  calls << (undone ? "undo" : "redo");
  if ((undone ? history_.undoes() : history_.redoes()).empty()) return;
  ProjectHistory::Step step = undone ? history_.undo(project_) : history_.redo(project_);
  if (!step.undo) project_ = std::move(step.project);
  tell_project();
  listener_->on_step({step.what, undone, undone ? step.undo : step.redo});
}

void FakeSession::on(const command::Analyse& analyse) {
  const FrameRange range = analyse.range;
  calls << QString("analyse %1:%2").arg(range.begin).arg(range.end);
  status_.analysing = true;
  status_.activity = "Analysing 18 fps, 0:38";
  status_.analysed_fps = speed_, status_.seconds_left = left_s_;
  const int64_t end = done_ < 0 ? range.end : std::min(range.end, range.begin + done_);
  for (int64_t frame = range.begin; frame < end; ++frame) states_.at(frame) = {FrameState::current, 3};
  listener_->on_results(states_);
  tell_status();
}

void FakeSession::on(const command::StartRecording& start) {
  calls << "start_recording " + QString::fromStdString(start.project.string());
}
void FakeSession::on(const command::StopRecording&) {
  calls << "stop_recording";
}

void FakeSession::on(const command::AcceptView& accept) {
  calls << QString("accept_view %1").arg(accept.camera);
}

void FakeSession::on(const command::ReopenPush&) {
  calls << "reopen_push";
}

void FakeSession::on(const command::Stop&) {
  calls << "stop";
  if (held_back_) {
    waiting_ = command::Stop{};
    return;
  }
  status_.analysing = false;
  status_.analysed_fps = 0, status_.seconds_left = -1;
  status_.activity.clear();
  tell_status();
}

void FakeSession::on(const command::ContinueOnCpu&) {
  calls << "continue_on_cpu";
  set_on_cpu(true);
}

void FakeSession::set_on_cpu(bool on_cpu) {
  status_.on_cpu = on_cpu;
  tell_status();
}

void FakeSession::on(const command::SetCut& set) {
  calls << (set.plane ? QString("set_cut %1").arg(set.plane->at_m) : QString("set_cut none"));
}

// A made-up answer that says what was asked.
void FakeSession::on(const command::Explain& asked) {
  const auto* floor = std::get_if<FloorQuestion>(&asked.question.about);
  const auto* pixel = std::get_if<PixelQuestion>(&asked.question.about);
  const QString about = floor
                            ? QString("place %1 %2").arg(floor->x_m, 0, 'f', 2).arg(floor->y_m, 0, 'f', 2)
                            : QString("pixel %1 %2 %3").arg(pixel->camera).arg(pixel->x_px).arg(pixel->y_px);
  calls << QString("explain %1 %2").arg(asked.question.frame).arg(about);
  Report answer, section{"Place"};
  section.decides = true;
  section.add("about", "About", about.toStdString());
  for (const NamedPlace& person : asked.question.people) section.add("person", "Person", person.name);
  Report threshold{"People: Minimum own outline"};
  threshold.add("parameter", "Parameter", "people.min_own");
  answer.add_sentence("verdict", ("About " + about).toStdString());
  answer.add_section("place", section);
  answer.add_row("thresholds", threshold);
  listener_->on_why({asked.question, answer});
}

void FakeSession::on(const command::SetOffsetWatch& set) {
  calls << QString("set_offset_watch %1").arg(static_cast<int>(set.watch));
}

void FakeSession::on(const command::SetLimits& set) {
  calls << QString("set_limits %1 %2 %3")
               .arg(set.limits.cache_bytes >> 20)
               .arg(set.limits.checkpoint_bytes >> 20)
               .arg(set.limits.trail_s);
}

void FakeSession::on(const command::SetHostDisplay& set) {
  calls << QString("set_host_display %1").arg(set.on);
}

void FakeSession::tell_project() {
  listener_->on_opened(project_);
  tell_status();
}

void FakeSession::tell_status() {
  status_.undoes = history_.undoes();
  status_.redoes = history_.redoes();
  listener_->on_status(status_);
}

}  // namespace vantage::ui
