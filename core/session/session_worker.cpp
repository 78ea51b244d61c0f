#include "core/session/session_worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/project/results_paths.h"
#include "core/project/results_reader.h"
#include "core/video/live_address.h"

namespace vantage {
namespace {

constexpr int64_t kQuickReplayFrames = 10;    // before a preview is shown instead
constexpr int64_t kRefineFrames = 2000;       // farther, the exact frame waits for an analysis
constexpr double kRateWithoutContainer = 25;  // frames/s of image sequences that state none
constexpr int64_t kStatusInterval_ns = 200'000'000;
constexpr int64_t kShowInterval_ns = 40'000'000;  // frames of an analysis that are shown
constexpr int64_t kLongestLag_ns = 500'000'000;   // behind which playing starts its clock anew

}  // namespace

SessionWorker::SessionWorker(SessionOptions options, std::shared_ptr<SessionListener> listener,
                             CommandQueue& commands)
    : options_(std::move(options)), listener_(std::move(listener)), commands_(commands) {}

void SessionWorker::run() {
  while (!quit_) {
    if (auto command = commands_.take())
      command->run(*this);
    else if (analysis_ && status_.playing && analyse_while_playing_ && rate_ > 0)
      play_analysing();
    else if (analysis_ && status_.playing)
      play_pictures();
    else if (analysis_ && show_wanted_)
      show();
    else if (analysis_ && stored_results_wanted_)
      read_stored_results();
    else if (analysis_ && refine_wanted_)
      refine();
    else
      idle();
  }
}

// The count of frames becomes exact some time after opening.
void SessionWorker::idle() {
  const bool counting = analysis_ && !status_.frame_count_exact;
  const auto time = counting ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (commands_.wait_for_one(time) || !counting) return;
  report_status();
  if (status_.frame_count_exact) report_results();
}

// ---- opening and closing

void SessionWorker::open_file(const std::filesystem::path& path) {
  close();
  Result<Project> project = load_project(path);
  if (!project) return report_error(project.error());
  open_project(*project);
  if (!analysis_) return;
  file_.opened(*project);
  report_status();
}

void SessionWorker::open_project(const Project& project) {
  close();
  Result<std::unique_ptr<Analysis>> opened = make_analysis(project);
  if (!opened) {
    report_error(opened.error());
    return report_status();
  }
  project_ = project;
  file_.compare(project_);
  take_analysis(std::move(*opened));
}

Result<std::unique_ptr<Analysis>> SessionWorker::make_analysis(const Project& project) const {
  for (const ProjectCamera& camera : project.cameras)
    if (is_live_address(camera.video))
      return fail(ErrorKind::unsupported, "is a live camera, and the window shows recordings", camera.name,
                  "Analyse it with `vantage-cli run`, which writes the results beside the project.");
  AnalysisOptions options;
  options.backends = options_.backends;
  options.device = options_.device;
  options.device_index = options_.device_index;
  options.hardware = options_.hardware;
  options.trace = options_.trace;
  options.host_display = host_display_;
  return Analysis::open(project, options);
}

void SessionWorker::take_analysis(std::unique_ptr<Analysis> analysis) {
  analysis_ = std::move(analysis);
  listener_->on_opened(project_);
  for (const std::string& note : analysis_->notes()) listener_->on_note(note);
  shown_once_ = false;
  stored_results_wanted_ = !project_.path.empty();
  seek(frame_);
  report_results();
}

void SessionWorker::close() {
  const bool was_open = analysis_ != nullptr;
  file_.leave(project_);
  analysis_.reset();
  project_ = {};
  history_.clear();
  analysed_.clear();
  tracks_ = {};
  frame_ = 0;
  show_wanted_ = refine_wanted_ = stored_results_wanted_ = false;
  status_ = {};
  if (!was_open) return;
  report_status();
  listener_->on_results({});
  listener_->on_tracks(nullptr);
}

void SessionWorker::quit() {
  file_.leave(project_);
  quit_ = true;
}

void SessionWorker::save(const std::filesystem::path& path) {
  if (!analysis_) return;
  if (const Status saved = file_.save(project_, path); !saved) return report_error(saved.error());
  const auto repaired = write_repaired(project_.results_folder(), project_.repairs);
  if (!repaired && repaired.error().kind != ErrorKind::not_found)
    listener_->on_note(repaired.error().message());
  listener_->on_opened(project_);
  report_status();
}

void SessionWorker::autosave() {
  if (analysis_) file_.autosave(project_);
}

void SessionWorker::recover() {
  if (!analysis_) return;
  if (const std::optional<Project> kept = file_.take_recoverable())
    edit("recovery", [&](Project& project) { project = *kept; });
}

void SessionWorker::set_cut(const std::optional<CutPlane>& plane) {
  cut_ = plane;
  show_wanted_ = analysis_ != nullptr;
}

void SessionWorker::set_host_display(bool on) {
  if (host_display_ == on) return;
  host_display_ = on;
  if (!analysis_ || options_.device == Device::cpu) return;
  analysis_.reset();  // a device may not hold both
  analysed_.clear();
  Result<std::unique_ptr<Analysis>> opened = make_analysis(project_);
  if (!opened) {
    report_error(opened.error());
    return report_status();
  }
  take_analysis(std::move(*opened));
}

// ---- one frame

void SessionWorker::seek(int64_t frame) {
  if (!analysis_) return;
  frame_ = std::clamp<int64_t>(frame, 0, last_frame());
  show_wanted_ = true;
  refine_wanted_ = false;
  report_status();
}

void SessionWorker::step(int64_t delta) {
  seek(frame_ + delta);
}

// The exact frame where that is quick, else a preview with the exact one to follow.
void SessionWorker::show() {
  show_wanted_ = false;
  const StopSource stop = commands_.begin(Work::showing);
  Result<FrameResultRef> result;
  if (!shown_once_) {
    // Learning an empty-scene clip takes seconds; the first pictures do not wait for it.
    result = analysis_->pictures(frame_, stop);
    show_wanted_ = result.has_value();
  } else {
    FrameEffort effort;
    effort.allow_preview = true;
    effort.max_replay_frames = kQuickReplayFrames;
    result = analysis_->pipeline().frame(frame_, effort, stop);
  }
  commands_.end();
  if (result) {
    shown_once_ = true;
    refine_wanted_ = (*result)->preview && analysis_->pipeline().replay_frames(frame_) <= kRefineFrames;
    deliver(std::move(*result));
    return report_status();
  }
  if (result.error().kind == ErrorKind::cancelled) return;
  // The count was an estimate: the last frame there is comes instead.
  if (result.error().kind == ErrorKind::end_of_stream) {
    const StopSource wait = commands_.begin(Work::showing);
    const Result<int64_t> count = analysis_->recording().wait_for_frame_count(wait);
    commands_.end();
    if (count && *count > 0 && frame_ >= *count) return seek(*count - 1);
  }
  report_error(result.error());
}

void SessionWorker::refine() {
  refine_wanted_ = false;
  const StopSource stop = commands_.begin(Work::refining);
  Result<FrameResultRef> result = analysis_->pipeline().frame(frame_, {}, stop);
  commands_.end();
  if (result) return deliver(std::move(*result));
  if (result.error().kind == ErrorKind::cancelled)
    refine_wanted_ = true;  // what was replayed so far is kept in checkpoints
  else
    report_error(result.error());
}

// ---- playing

void SessionWorker::play() {
  if (!analysis_ || status_.playing) return;
  if (rate_ > 0 && frame_ >= last_frame()) frame_ = 0;
  status_.playing = true;
  report_status();
}

void SessionWorker::pause() {
  if (status_.playing) stop_playing();
}

void SessionWorker::stop_playing() {
  status_.playing = false;
  status_.analysed_fps = 0;
  show_wanted_ = true;  // what was played as pictures is shown in full
  report_status();
}

void SessionWorker::set_playback_rate(double rate) {
  if (rate != 0 && std::isfinite(rate)) rate_ = rate;
}

void SessionWorker::set_analyse_while_playing(bool on) {
  analyse_while_playing_ = on;
}

// False when a command is waiting by then.
bool SessionWorker::wait_until(int64_t time_ns) {
  return !commands_.wait_for_one(std::chrono::nanoseconds(std::max<int64_t>(time_ns - trace_now_ns(), 0)));
}

// Pictures by the clock; the ones that are late are left out. Returns for every command; the clock then
// starts anew.
void SessionWorker::play_pictures() {
  const double per_second = frame_rate() * rate_;
  const int64_t start_ns = trace_now_ns(), start_frame = frame_;
  while (true) {
    const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
    int64_t target = start_frame + static_cast<int64_t>(seconds * per_second);
    if (target == frame_) target += per_second > 0 ? 1 : -1;
    const double due_s = static_cast<double>(target - start_frame) / per_second;
    if (!wait_until(start_ns + static_cast<int64_t>(due_s * 1e9))) return;
    const int64_t frame = std::clamp<int64_t>(target, 0, last_frame());
    const StopSource stop = commands_.begin(Work::showing);
    Result<FrameResultRef> result = analysis_->pictures(frame, stop);
    commands_.end();
    const bool at_end = frame != target || (!result && result.error().kind == ErrorKind::end_of_stream);
    if (result) {
      frame_ = frame;
      shown_once_ = true;
      deliver(std::move(*result));
    } else if (!at_end) {
      if (result.error().kind != ErrorKind::cancelled) report_error(result.error());
    }
    if (at_end || !result) return stop_playing();
    if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
  }
}

// Every frame goes through the chain; where the chain is slower than the clock, playing is slower too.
void SessionWorker::play_analysing() {
  const double frame_ns = 1e9 / (frame_rate() * rate_);
  const int64_t first = frame_;
  int64_t clock_ns = trace_now_ns(), clock_frame = first;
  const int64_t start_ns = clock_ns;
  const StopSource stop = commands_.begin(Work::playing);
  const Status played = analysis_->pipeline().analyse(
      {first, last_frame() + 1}, ExecutionMode::threaded,
      [&](FrameResultRef result) {
        const int64_t due_ns =
            clock_ns + static_cast<int64_t>(static_cast<double>(result->frame - clock_frame) * frame_ns);
        if (trace_now_ns() - due_ns > kLongestLag_ns) clock_ns = trace_now_ns(), clock_frame = result->frame;
        frame_ = result->frame;
        const int64_t done = frame_ - first + 1;
        status_.analysed_fps =
            static_cast<double>(done) * 1e9 / static_cast<double>(trace_now_ns() - start_ns + 1);
        shown_once_ = true;
        deliver(std::move(result));
        if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
        if (due(&last_results_ns_, kStatusInterval_ns)) report_results();
        return wait_until(due_ns + static_cast<int64_t>(frame_ns)) && !stop.stop_requested();
      },
      stop);
  commands_.end();
  report_results();
  if (stop.stop_requested()) return;  // a command came; playing goes on after it
  if (!played) report_error(played.error());
  stop_playing();
}

// ---- changes of the project

void SessionWorker::set_parameter(const std::string& stage, const std::string& name,
                                  std::optional<double> value) {
  Status set;
  edit(stage + "." + name, [&](Project& project) {
    if (value)
      set = project.parameters.set(stage, name, *value);
    else
      project.parameters.reset(stage, name);
  });
  if (!set) report_error(set.error());
}

void SessionWorker::edit(const std::string& what, const std::function<void(Project&)>& change) {
  if (!analysis_) return;
  Project changed = project_;
  change(changed);
  if (!difference(changed, project_).any()) return;
  Project before = project_;
  if (change_project(std::move(changed))) history_.note(std::move(before), what, trace_now_ns());
  report_status();
}

void SessionWorker::undo() {
  if (!analysis_ || !history_.can_undo()) return;
  const Project target = history_.undo(project_);
  if (!change_project(target)) history_.redo(target);
  report_status();
}

void SessionWorker::redo() {
  if (!analysis_ || !history_.can_redo()) return;
  const Project target = history_.redo(project_);
  if (!change_project(target)) history_.undo(target);
  report_status();
}

// Where the change needs another analysis and that one cannot be had, the project stays as it was.
Status SessionWorker::change_project(Project changed) {
  const ProjectChange change = difference(changed, project_);
  std::unique_ptr<Analysis> another;
  if (change.recording) {
    Result<std::unique_ptr<Analysis>> opened = make_analysis(changed);
    if (!opened) {
      report_error(opened.error());
      return fail(opened.error());
    }
    another = std::move(*opened);
  }
  project_ = std::move(changed);
  file_.compare(project_);
  if (another) {
    take_analysis(std::move(another));
    if (change.repairs) repair_tracks();
    return {};
  }
  if (change.parameters) {
    if (const Status configured = analysis_->pipeline().configure(project_.parameters); !configured)
      report_error(configured.error());
    show_wanted_ = true;
    refine_wanted_ = false;
  }
  listener_->on_opened(project_);
  if (change.repairs) repair_tracks();
  report_results();
  return {};
}

// ---- analysing

void SessionWorker::analyse(FrameRange range) {
  if (!analysis_) return;
  const StopSource stop = commands_.begin(Work::analysing);
  if (const Result<int64_t> count = analysis_->recording().wait_for_frame_count(stop)) {
    range.begin = std::clamp<int64_t>(range.begin, 0, *count);
    range.end = std::clamp<int64_t>(range.end, range.begin, *count);
  }
  status_.playing = false;
  status_.analysing = true;
  status_.activity = "Analysing";
  report_status();
  Status status;
  std::unique_ptr<ResultsWriter> writer;
  if (!project_.path.empty()) {
    auto opened = ResultsWriter::open(project_.results_folder(), project_, describe(), OlderFrames::keep);
    if (opened)
      writer = std::move(*opened);
    else
      status = fail(opened.error());
  }
  if (status) status = analyse_into(writer.get(), range, stop);
  commands_.end();
  // However it ended, what was computed is kept and complete.
  if (writer)
    if (const Status finished = writer->finish(options_.trace); !finished && status) status = finished;
  stored_results_wanted_ = writer != nullptr;  // the numbers of everybody are known only now
  status_.analysing = false;
  status_.activity.clear();
  status_.analysed_fps = 0;
  status_.seconds_left = -1;
  show_wanted_ = true;
  if (!status && status.error().kind == ErrorKind::cancelled)
    listener_->on_note("Stopped. What was analysed so far is kept.");
  else if (!status)
    report_error(status.error());
  report_results();
  report_status();
}

Status SessionWorker::analyse_into(ResultsWriter* writer, FrameRange range, const StopSource& stop) {
  const int64_t start_ns = trace_now_ns();
  Status written;
  bool sought = false;  // somebody looks elsewhere: the frame asked for then stays
  const Status analysed = analysis_->pipeline().analyse(
      range, ExecutionMode::threaded,
      [&](FrameResultRef result) {
        if (writer) written = writer->write(*result);
        if (!written) return false;
        while (auto command = commands_.take_beside(Work::analysing)) {
          const int64_t before = frame_;
          command->run(*this);
          sought = sought || frame_ != before;
        }
        status_.playing = false;
        if (!sought) frame_ = result->frame;
        note_analysed(*result);
        report_progress(result->frame - range.begin + 1, range.end - range.begin, start_ns);
        if (due(&last_frame_ns_, kShowInterval_ns)) hand_over(std::move(result));
        return true;
      },
      stop);
  return analysed ? written : analysed;
}

void SessionWorker::report_progress(int64_t done, int64_t total, int64_t start_ns) {
  const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
  status_.analysed_fps = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  status_.seconds_left = static_cast<double>(total - done) * seconds / static_cast<double>(done);
  const auto left = static_cast<long long>(status_.seconds_left + 0.5);
  char text[64];
  std::snprintf(text, sizeof text, "Analysing %.3g fps, %lld:%02lld", status_.analysed_fps, left / 60,
                left % 60);
  status_.activity = text;
  if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
  if (due(&last_results_ns_, kStatusInterval_ns)) report_results();
}

// ---- to the listener

void SessionWorker::deliver(FrameResultRef result) {
  note_analysed(*result);
  hand_over(std::move(result));
}

// The cut goes with what is shown and is kept nowhere.
void SessionWorker::hand_over(FrameResultRef result) {
  result = tracks_.with_numbers(std::move(result));
  if (cut_) {
    Result<FrameResultRef> with_cut =
        analysis_->with_cut(result, project_.parameters.get<CarvingParameters>(), *cut_);
    if (with_cut) {
      result = std::move(*with_cut);
    } else {
      report_error(with_cut.error());
      cut_.reset();
    }
  }
  listener_->on_frame(std::move(result));
}

void SessionWorker::note_analysed(const FrameResult& result) {
  if (analysed_.note(result, last_stage()) && !status_.playing && !status_.analysing) report_results();
}

void SessionWorker::read_stored_results() {
  stored_results_wanted_ = false;
  const Result<StoredResults> stored = read_results(project_.results_folder());
  if (!stored) {
    if (stored.error().kind != ErrorKind::not_found) listener_->on_note(stored.error().message());
    return;
  }
  analysed_.add_stored(*stored, last_stage());
  if (stored->damaged_lines > 0)
    listener_->on_note(std::to_string(stored->damaged_lines) +
                       " damaged lines of the results were left out.");
  read_tracks(*stored);
  report_results();
}

void SessionWorker::read_tracks(const StoredResults& stored) {
  Result<std::vector<PersonPath>> paths = read_paths(project_.results_folder() / "tracks.csv");
  if (!paths && paths.error().kind != ErrorKind::not_found) listener_->on_note(paths.error().message());
  tracks_ = RecordedTracks(stored, paths ? std::move(*paths) : std::vector<PersonPath>());
  repair_tracks();
}

void SessionWorker::repair_tracks() {
  tracks_.repair(project_.repairs);
  listener_->on_tracks(tracks_.tracks());
  show_wanted_ = show_wanted_ || (analysis_ && tracks_.tracks() && !status_.playing);
}

void SessionWorker::report_results() {
  if (!analysis_) return;
  const uint64_t present = analysis_->pipeline().version(last_stage());
  listener_->on_results(analysed_.summary(last_frame() + 1, present));
}

void SessionWorker::report_error(const Error& error) {
  listener_->on_error(error);
}

void SessionWorker::report_status() {
  status_.open = analysis_ != nullptr;
  status_.frame = frame_;
  if (analysis_) {
    Recording& recording = analysis_->recording();
    status_.frame_count = recording.frame_count();
    status_.frame_count_exact = recording.frame_count_exact();
    status_.frame_rate = frame_rate();
  }
  status_.can_undo = history_.can_undo();
  status_.can_redo = history_.can_redo();
  status_.unsaved = analysis_ && file_.unsaved();
  status_.recoverable_s = file_.recoverable_s();
  listener_->on_status(status_);
}

bool SessionWorker::due(int64_t* last_ns, int64_t interval_ns) {
  const int64_t now = trace_now_ns();
  if (*last_ns != 0 && now - *last_ns < interval_ns) return false;
  *last_ns = now;
  return true;
}

// ---- about the recording

int64_t SessionWorker::last_frame() const {
  return std::max<int64_t>(analysis_->recording().frame_count() - 1, 0);
}

double SessionWorker::frame_rate() const {
  const double rate = analysis_->recording().frame_rate();
  return rate > 0 ? rate : kRateWithoutContainer;
}

std::string_view SessionWorker::last_stage() const {
  return analysis_->grid() ? kTrackingStage : kForegroundStage;
}

RunDescription SessionWorker::describe() {
  RunDescription run;
  run.device = options_.device;
  run.device_description = options_.device_description;
  if (options_.device != Device::cpu) {
    auto transfer = options_.backends->create<MemoryTransfer>(options_.device,
                                                              {options_.trace, options_.device_index}, {});
    if (transfer) run.transfer = std::move(*transfer);
  }
  Recording& recording = analysis_->recording();
  run.frame_rate = recording.frame_rate();
  for (int i = 0; i < recording.camera_count(); ++i) run.videos.push_back(recording.info(i));
  if (analysis_->grid()) run.grid = *analysis_->grid();
  if (analysis_->coverage()) run.coverage = *analysis_->coverage();
  return run;
}

}  // namespace vantage
