#include "core/session/detail/session_worker.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/memory.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/kept_frames.h"
#include "core/project/missing_files.h"
#include "core/results/drawn_masks.h"
#include "core/results/results_paths.h"

namespace vantage {

void Analysing::analyse(FrameRange range) {
  const StopSource counting = state_.commands.begin(Work::analysing);
  if (const Result<int64_t> count = state_.analysis->source().wait_for_frame_count(counting)) {
    range.begin = std::clamp<int64_t>(range.begin, 0, *count);
    range.end = std::clamp<int64_t>(range.end, range.begin, *count);
  }
  state_.commands.end();
  playing_.leave();
  on_ = true;
  activity_ = "Analysing";
  state_.report_status();
  const Status status = write_range(range);
  on_ = false;
  activity_.clear();
  analysed_fps_ = 0;
  seconds_left_ = -1;
  showing_.want();
  report_end(status);
}

void Analysing::report_end(const Status& status) {
  if (!status && status.error().kind == ErrorKind::cancelled)
    state_.listener().on_note("Stopped. The results so far are kept.");
  else if (!status)
    state_.report_error(status.error());
  const bool device_failed = !status && (status.error().kind == ErrorKind::device_lost ||
                                         status.error().kind == ErrorKind::out_of_memory);
  if (!device_failed) unfinished_.reset();
  for (const std::string& fault : state_.run.detector_faults()) state_.listener().on_note(fault);
  results_.report();
  state_.report_status();
}

Status Analysing::write_range(FrameRange range) {
  unfinished_ = range;
  const StopSource stop = state_.commands.begin(Work::analysing);
  Status status = begin_results(range);
  if (status) status = analyse_frames(range, stop);
  state_.commands.end();
  const bool writing = state_.run.writing();
  results_.want(writing);  // final IDs are known only now
  if (writing)
    if (const EndedResults ended = state_.run.end_results(); !ended.status && status) status = ended.status;
  return status;
}

// A project that was never saved, or that another program has open, keeps its results in memory.
Status Analysing::begin_results(FrameRange range) {
  if (!state_.keeps_results()) return {};
  VANTAGE_ASSIGN(RunDescription run, state_.describe_run());
  const std::shared_ptr<ResultsWatcher>& watcher = state_.options.results;
  VANTAGE_TRY(state_.run.begin_results(
      std::move(run), {state_.project.results_folder(), OlderFrames::keep, range.end - range.begin,
                       !watcher || !watcher->wants_lines()}));
  results_.leave_other_tracks();
  return {};
}

Status Analysing::analyse_frames(FrameRange range, const StopSource& stop) {
  constexpr int64_t kShowInterval_ns = 40'000'000;
  const int64_t start_ns = trace_now_ns();
  bool sought = false;  // the user went elsewhere: the requested frame then stays
  return state_.run.analyse(range, ExecutionMode::threaded, stop, [&](const FrameResultRef& result) {
    while (auto command = state_.commands.take_beside(Work::analysing)) {
      const int64_t before = state_.frame;
      carry_out_(*command);
      sought = sought || state_.frame != before;
    }
    playing_.leave();
    if (!sought) state_.frame = result->frame;
    if (unfinished_) unfinished_->begin = result->frame + 1;
    results_.note(*result);
    report_progress(result->frame - range.begin + 1, range.end - range.begin, start_ns);
    // The picture on screen stays while frames come without one.
    if (is_whole(*result) && SessionState::due(&last_frame_ns_, kShowInterval_ns)) results_.show(result);
    return true;
  });
}

void Analysing::report_progress(int64_t done, int64_t total, int64_t start_ns) {
  const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
  analysed_fps_ = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  seconds_left_ = static_cast<double>(total - done) * seconds / static_cast<double>(done);
  const auto left = static_cast<long long>(seconds_left_ + 0.5);
  activity_ = fmt::format("Analysing {:.3g} fps, {}:{:02}", analysed_fps_, left / 60, left % 60);
  state_.report_status_in_turn();
  results_.report_in_turn();
}

void Analysing::describe(SessionStatus& status) {
  if (!on_) return;
  status.analysing = true;
  status.analysed_fps = analysed_fps_;
  status.seconds_left = seconds_left_;
  status.activity = activity_;
}

namespace {

// An exact frame farther from a checkpoint waits for an analysis, and its preview is explained.
constexpr int64_t kExplainReplayFrames = 2000;

}  // namespace

SessionWorker::SessionWorker(SessionOptions options, std::shared_ptr<SessionListener> listener,
                             CommandQueue& commands)
    : state_(std::move(options), std::move(listener), commands, *this) {
  state_.modes = {&results_, &showing_, &playing_, &analysing_};
}

void SessionWorker::run() {
  while (!quit_) {
    if (auto command = state_.commands.take())
      carry_out(*command);
    else if (!work())
      idle();
  }
}

void SessionWorker::carry_out(const SessionCommand& command) {
  std::visit([this](const auto& posted) { on(posted); }, command);
}

bool SessionWorker::work() {
  if (!is_open()) return false;
  return live_ ? live_->work() : work_on_recording();
}

// Stored results are read before anything is computed, for they may have the frame's people; only pictures do
// not wait for them.
bool SessionWorker::work_on_recording() {
  if (results_.wanted() && (playing_.on() || showing_.shown_once())) {
    showing_.show_pictures_meanwhile();
    return read_results(), true;
  }
  if (playing_.work() || showing_.show_wanted()) return true;
  if (results_.wanted()) return read_results(), true;
  return showing_.refine_wanted() || explain_wanted();
}

// The number of frames becomes exact some time after opening.
void SessionWorker::idle() {
  const bool counting = is_open() && !live_ && !state_.status.frame_count_exact;
  const auto time = counting ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (state_.commands.wait_for_one(time)) return;
  if (!counting) {
    examine_file();
    return take_up_found_again();
  }
  state_.report_status();
  if (state_.status.frame_count_exact) results_.report();
}

// ---- opening and closing

void SessionWorker::on(const command::OpenFile& open) {
  close();
  // The stamp is taken before the file is read, so that later changes are detected.
  const uint64_t stamp = project_stamp(open.path);
  Result<Project> project = load_project(open.path);
  if (!project) return state_.report_error(project.error());
  state_.file.opened(*project, stamp);
  begin(*project);
  if (is_open()) state_.report_status();
}

void SessionWorker::on(const command::OpenProject& open) {
  close();
  begin(open.project);
}

void SessionWorker::begin(const Project& project) {
  state_.opening = project.live() ? fmt::format("Connecting to {} cameras", project.cameras.size())
                                  : fmt::format("Reading {} videos", project.cameras.size());
  state_.report_status();
  Result<std::unique_ptr<Analysis>> opened = make_analysis(project);
  state_.opening.clear();
  if (!opened) {
    state_.file.forget();
    if (opened.error().kind != ErrorKind::cancelled) state_.report_error(opened.error());
    return state_.report_status();
  }
  state_.project = project;
  state_.file.compare(state_.project);
  take_analysis(std::move(*opened));
}

Result<std::unique_ptr<Analysis>> SessionWorker::make_analysis(const Project& project) {
  AnalysisOptions options;
  options.backends = state_.backends();
  options.hardware = state_.options.hardware;
  options.host_display = host_display_;
  options.pipeline.cache_bytes = state_.limits.cache_bytes;
  options.pipeline.checkpoint_bytes = state_.limits.checkpoint_bytes;
  if (!project.path.empty() && !state_.file.held_by())
    options.pipeline.kept = std::make_shared<KeptFrames>(kept_folder(project.path));
  options.credentials = state_.options.credentials;
  if (project.live()) options.live = state_.options.live;
  options.without_missing = true;
  options.stop = state_.commands.begin(Work::showing);  // opening waits for live cameras
  Result<std::unique_ptr<Analysis>> opened = Analysis::open(project, options);
  state_.commands.end();
  return opened;
}

void SessionWorker::take_analysis(std::unique_ptr<Analysis> analysis) {
  leave_live();
  state_.analysis = std::move(analysis);
  state_.run.attach(*state_.analysis);
  state_.missing = missing_files(state_.project);
  listener().on_opened(state_.project);
  for (const std::string& note : state_.analysis->notes()) listener().on_note(note);
  showing_.start();
  if (state_.analysis->live()) {
    results_.want(false);
    showing_.forget();
    state_.modes = {&live_.emplace(state_)};
    return live_->start();
  }
  results_.want(!state_.project.path.empty());
  showing_.seek(state_.frame);
  results_.report();
}

bool SessionWorker::reopen() {
  leave_live();
  state_.analysis.reset();  // a device may not have memory for both
  Result<std::unique_ptr<Analysis>> opened = make_analysis(state_.project);
  if (!opened) {
    state_.report_error(opened.error());
    state_.report_status();
    return false;
  }
  take_analysis(std::move(*opened));
  return true;
}

void SessionWorker::leave_live() {
  if (live_) live_->finish_results();
  state_.run.detach();
  state_.modes = {&results_, &showing_, &playing_, &analysing_};
  live_.reset();
}

void SessionWorker::close() {
  const bool was_open = state_.holds_project();
  state_.file.leave(state_.project);
  leave_live();
  state_.analysis.reset();
  state_.project = {};
  state_.history.clear();
  state_.trails.clear();
  state_.run.offsets().forget();
  state_.frame = 0;
  results_.forget();
  forget_failure();
  showing_.forget();
  asked_.reset();
  playing_.leave();
  if (!was_open) return;
  state_.report_status();
  listener().on_results({});
  listener().on_tracks(nullptr);
  give_back_free_memory();
}

void SessionWorker::on(const command::Quit&) {
  state_.file.leave(state_.project);
  leave_live();
  quit_ = true;
}

// A disk was mounted again, or files were copied back.
void SessionWorker::take_up_found_again() {
  if (!is_open() || live_ || state_.missing.empty()) return;
  if (missing_files(state_.project).size() >= state_.missing.size()) return;
  reopen();
  state_.report_status();
}

// ---- the project's file

void SessionWorker::on(const command::Save& save) {
  write_file(save.path, ProjectFile::Over::what_was_read);
}

void SessionWorker::on(const command::Overwrite&) {
  write_file(state_.project.path, ProjectFile::Over::anything);
}

void SessionWorker::write_file(const std::filesystem::path& path, ProjectFile::Over over) {
  if (!state_.holds_project()) return;
  // Copied before anything is saved, so that a full disk changes nothing.
  Result<MasksOfNewName> masks = MasksOfNewName::copy(state_.project.path, std::filesystem::absolute(path));
  if (!masks) {
    state_.report_error(masks.error());
    return state_.report_status();
  }
  const Result<Saved> saved = state_.file.save(state_.project, path, over);
  if (!saved) state_.report_error(saved.error());
  if (!saved || *saved == Saved::changed_outside) return state_.report_status();
  if (const Result<std::filesystem::path> kept = masks->put(); !kept)
    state_.report_error(kept.error());
  else if (!kept->empty())
    listener().on_note("Masks that were painted for the former project of this name are kept in " +
                       kept->string() + ".");
  write_repaired_tracks();
  listener().on_opened(state_.project);
  state_.report_status();
}

void SessionWorker::write_repaired_tracks() {
  const std::filesystem::path folder = state_.project.results_folder();
  if (state_.project.repairs.empty()) return drop_repaired(folder);
  const auto repaired = write_repaired(folder, state_.project.repairs);
  if (!repaired && repaired.error().kind != ErrorKind::not_found)
    listener().on_note(repaired.error().message());
}

void SessionWorker::on(const command::Reload&) {
  if (!state_.holds_project()) return;
  const Result<Project> there = state_.file.read_again();
  if (!there) return state_.report_error(there.error());
  if (!difference(*there, state_.project).any())
    state_.project = *there;  // including keys of other programs
  else if (!edit("reload", [&](Project& project) { project = *there; }))
    return;
  state_.file.took(*there);
  state_.file.compare(state_.project);
  listener().on_opened(state_.project);
  state_.report_status();
}

void SessionWorker::on(const command::TakeOver&) {
  state_.file.take_over();
  results_.want(state_.keeps_results());
  state_.report_status();
}

void SessionWorker::examine_file() {
  if (!state_.holds_project()) return;
  state_.file.look(state_.project);
  state_.report_status();
}

void SessionWorker::on(const command::Autosave&) {
  if (state_.holds_project()) state_.file.autosave(state_.project);
}

void SessionWorker::on(const command::Recover&) {
  if (!state_.holds_project()) return;
  if (const std::optional<Project> kept = state_.file.take_recoverable())
    edit("recovery", [&](Project& project) { project = *kept; });
}

// ---- to the modes

void SessionWorker::seek(int64_t frame) {
  if (!is_open()) return;
  live_ ? live_->look_back(frame) : showing_.seek(frame);
}

void SessionWorker::on(const command::Play&) {
  if (!is_open()) return;
  live_ ? live_->play() : playing_.play();
}

void SessionWorker::on(const command::FollowLive&) {
  if (live_) live_->follow();
}

void SessionWorker::on(const command::SetPlaybackRate& set) {
  playing_.set_rate(set.rate);
  if (live_) live_->set_rate(set.rate);
}

void SessionWorker::on(const command::Pause&) {
  if (!is_open()) return;
  live_ ? live_->pause() : playing_.pause();
}

void SessionWorker::on(const command::Analyse& asked) {
  if (!is_open()) return;
  if (live_) return live_->write_results();
  if (const std::string why = results_.keeps_from_analysing(); !why.empty())
    return state_.report_error({ErrorKind::not_found, why, {}, {}});
  analysing_.analyse(asked.range);
}

void SessionWorker::on(const command::Stop&) {
  if (!live_) return;
  live_->finish_results();
  state_.report_status();
}

void SessionWorker::on(const command::StartRecording& start) {
  if (live_) live_->record(start.project);
}

void SessionWorker::on(const command::StopRecording&) {
  if (live_) live_->stop_recording();
}

void SessionWorker::on(const command::AcceptView& accept) {
  if (live_) live_->accept_view(accept.camera);
}

void SessionWorker::on(const command::ReopenPush&) {
  if (!live_) return;
  live_->open_push();
  state_.report_status();
}

void SessionWorker::on(const command::ContinueOnCpu&) {
  if (!is_open() || state_.device == Device::cpu) return;
  state_.failure.before = state_.present_versions();
  state_.device = Device::cpu;
  if (!reopen()) return;
  listener().on_note("Continuing on the CPU until the program is restarted.");
  if (const auto range = analysing_.take_unfinished()) on(command::Analyse{*range});
}

void SessionWorker::on(const command::SetCut& set) {
  state_.cut = set.plane;
  if (is_open()) showing_.want();
}

// Live cameras continue, so a question is answered at once from the set on screen, unless results are being
// written, which no question may delay.
void SessionWorker::on(const command::Explain& asked) {
  if (!is_open()) return;
  asked_ = asked.question;
  if (!live_) return;
  state_.report_status();
  if (!state_.status.analysing) {
    explain_wanted();
    return;
  }
  listener().on_why({*std::exchange(asked_, std::nullopt),
                     fail(ErrorKind::unsupported, "results of live cameras are being written", "",
                          "Stop writing them, or ask in the recording.")});
}

bool SessionWorker::explain_wanted() {
  if (!asked_) return false;
  const WhyQuestion question = *std::exchange(asked_, std::nullopt);
  const StopSource stop = state_.commands.begin(Work::refining);
  Result<FrameResultRef> result = FrameResultRef(state_.shown.lock());
  const bool complete = *result && (*result)->frame == question.frame && (*result)->foreground();
  if (!complete || ((*result)->preview && !live_)) {
    FrameEffort effort;
    effort.allow_preview = true;
    effort.max_replay_frames = kExplainReplayFrames;
    if (live_)
      result = fail(ErrorKind::not_found, "live cameras show a later frame by now", "", "Ask again.");
    else
      result = state_.analysis->pipeline().frame(question.frame, effort, stop);
  }
  Result<Report> answer = result.has_value()
                              ? answer_to(question, state_.project, *state_.analysis, **result, stop)
                              : Result<Report>(fail(result.error()));
  state_.commands.end();
  // A command interrupted it; the replayed frames are kept.
  if (!answer && answer.error().kind == ErrorKind::cancelled && !asked_) {
    asked_ = question;
    return true;
  }
  listener().on_why({question, std::move(answer)});
  return true;
}

void SessionWorker::on(const command::SetLimits& set) {
  state_.limits = set.limits;
  if (!is_open()) return;
  state_.analysis->pipeline().set_limits(state_.limits.cache_bytes, state_.limits.checkpoint_bytes);
  showing_.want();  // with trails of that length
}

void SessionWorker::on(const command::SetHostDisplay& set) {
  if (host_display_ == set.on) return;
  host_display_ = set.on;
  if (!is_open() || state_.device == Device::cpu) return;
  results_.forget_analysed();
  reopen();
}

// A failure to write ends the writing, not the analysis.
void SessionWorker::on_writing_failed(const Error& error) {
  state_.report_error(error);
  live_->finish_results();
}

}  // namespace vantage
