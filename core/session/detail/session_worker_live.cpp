// The session's thread: live cameras, set after set.
#include <chrono>

#include "core/base/formatted.h"
#include "core/results/results_paths.h"
#include "core/session/detail/session_worker.h"

namespace vantage {
namespace {

constexpr double kLongestWait_s = 0.2;  // for a set, before the cameras' state is told again

double utc_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string activity_of(const LiveStatus& live, bool writing, double sets_per_s) {
  std::string activity = writing ? formatted("Writing results, %lld sets, %.3g a second",
                                             static_cast<long long>(live.written), sets_per_s)
                                 : formatted("%.3g sets a second", sets_per_s);
  if (live.health.thinning > 1) activity += ", 1 of " + std::to_string(live.health.thinning);
  return activity;
}

}  // namespace

void SessionWorker::begin_live() {
  live_.emplace();
  frame_ = 0;
  stored_results_wanted_ = show_wanted_ = refine_wanted_ = false;
  listener().on_results({});
  number_people();
  watch_rules();
  publish_watched();
  report_status();
}

// Publishes the cameras while nothing is written.
void SessionWorker::publish_watched() {
  if (const Result<RunDescription> run = describe())
    run_.output().watch(project_, *run);
  else
    report_error(run.error());
}

void SessionWorker::leave_live() {
  finish_live_results();
  run_.detach();
  live_.reset();
}

// One set, or a look at the cameras' state where none comes. Any command ends the waiting; work on a set only
// those that leave.
void SessionWorker::follow_live() {
  const StopSource waiting = commands_.begin(Work::playing);
  const Result<std::optional<int64_t>> number = run_.next_set(kLongestWait_s, waiting);
  commands_.end();
  Status taken;
  if (!number)
    taken = fail(number.error());
  else if (*number)
    taken = take_live_set(**number);
  if (!taken && taken.error().kind != ErrorKind::cancelled) {
    live_->failed = true;
    finish_live_results();
    report_error(taken.error());
    return report_status();
  }
  if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
}

Status SessionWorker::take_live_set(int64_t number) {
  const StopSource stop = commands_.begin(Work::showing);
  // Learning an empty-scene clip takes seconds; the first pictures do not wait for it.
  if (!shown_once_)
    if (Result<FrameResultRef> pictures = analysis_->pictures(number, stop); pictures) {
      shown_once_ = true;
      hand_over(std::move(*pictures));
    }
  Result<FrameResultRef> result = run_.compute_set(number, stop);
  commands_.end();
  if (!result) return fail(result.error());
  ++live_->rate_sets;
  if (run_.recorder()) live_->playback.keep(**result);
  constexpr int64_t kTracksInterval_ns = 1'000'000'000;
  if (const Status added = live_->tracks.add(**result, frame_rate()); !added) {
    report_error(added.error());
    live_->tracks = LiveTracks();  // frame by frame from here on
  }
  if (due(&live_->tracks_told_ns, kTracksInterval_ns)) listener().on_tracks(live_->tracks.tracks());
  run_.take_set(*result);
  note_set(*result);
  if (!live_->following && live_->shown) return {};
  frame_ = number;
  live_->shown = true;
  live_->shown_time_s = static_cast<double>((*result)->frames()->time_ns) * 1e-9;
  hand_over(std::move(*result));
  return {};
}

void SessionWorker::on_events(const std::vector<FloorEvent>& events) {
  live_->events.add(events);
}

// A failure to write ends the writing, not the analysis.
void SessionWorker::on_writing_failed(const Error& error) {
  report_error(error);
  finish_live_results();
}

void SessionWorker::note_set(const FrameResultRef& result) {
  constexpr int64_t kSummariesInterval_ns = 1'000'000'000;
  if (!run_.writing()) return run_.output().show(result, live_->tracks.ids_of(*result));
  live_->summary.note(*result, analysis_->live()->thinning());
  if (due(&live_->summaries_told_ns, kSummariesInterval_ns)) live_->summaries = live_->summary.sets();
}

void SessionWorker::follow(bool on) {
  live_->following = on;
  live_->failed = live_->back_wanted = false;
  report_status();
}

// From the next set on, and from 1: with paths, as in results that begin there.
void SessionWorker::number_people() {
  const auto numbering = path_numbering(project_, true);
  if (!numbering) {
    live_->tracks = LiveTracks();
    return;
  }
  auto follower = PathFollower::make(frame_rate(), numbering->parameters, numbering->entrances);
  if (!follower) return report_error(follower.error());
  live_->tracks = LiveTracks(std::move(*follower));
}

// The project's rules as they are now, from the next set on.
void SessionWorker::watch_rules() {
  if (const Status watched = run_.watch_rules(); !watched) report_error(watched.error());
}

void SessionWorker::write_live_results() {
  if (run_.writing()) return;
  if (!keeps_results())
    return report_error({ErrorKind::invalid_argument,
                         "the results of live cameras need a folder",
                         {},
                         "Save the project first; the results are written beside it."});
  if (const Status begun = begin_live_results(); !begun) report_error(begun.error());
  report_status();
}

// Paths in windows are found once, for what is written and for what is shown.
Status SessionWorker::begin_live_results() {
  VANTAGE_ASSIGN(RunDescription run, describe());
  const auto numbering = path_numbering(project_, true);
  const auto settled = numbering ? std::make_shared<FinalizedQueue>() : nullptr;
  run.settled = settled;
  ResultsOptions results;
  results.folder = run_.results_project().results_folder();
  VANTAGE_TRY(run_.begin_results(std::move(run), results));
  if (numbering) live_->tracks = LiveTracks(settled, numbering->parameters.window_s);
  return {};
}

// Completes what was written so far: it becomes the results.
void SessionWorker::finish_live_results() {
  if (!live_ || !run_.writing()) return;
  EndedResults ended = run_.end_results();
  if (!ended.status)
    report_error(ended.status.error());
  else
    listener().on_note("The results hold " + std::to_string(ended.frames) +
                       " frame sets of the live cameras.");
  if (!path_numbering(project_, true)) return;
  if (ended.follower)
    live_->tracks.go_on_with(std::move(*ended.follower));
  else
    number_people();
}

void SessionWorker::on(const command::Stop&) {
  if (!live_) return;
  finish_live_results();
  report_status();
}

// The results go to the recording's project from here on.
void SessionWorker::on(const command::StartRecording& start) {
  if (!live_ || (run_.recorder() && run_.recorder()->state().recording)) return;
  stop_recording();
  if (const Status recorded = run_.record(start.project); !recorded) return report_error(recorded.error());
  if (const Status begun = begin_live_results(); !begun) {
    run_.finish_recording();
    return report_error(begun.error());
  }
  live_->summary = {};
  live_->summaries.reset();
  report_status();
}

void SessionWorker::stop_recording() {
  if (!live_) return;
  finish_live_results();
  const std::optional<EndedRecording> ended = run_.finish_recording();
  if (!ended) return;
  if (!ended->status)
    report_error(ended->status.error());
  else
    listener().on_note("Recorded: " + ended->project.string());
  live_->playback = {};
  follow(true);
}

void SessionWorker::on(const command::AcceptView& accept) {
  if (!live_ || accept.camera >= project_.cameras.size()) return;
  analysis_->live()->accept_view(accept.camera);
  listener().on_note(project_.cameras[accept.camera].name +
                     ": what it shows now is its right view from now on.");
  report_status();
}

void SessionWorker::look_back(int64_t frame) {
  if (!run_.recorder()) return;
  const RecordingState state = run_.recorder()->state();
  if (state.last_frame < 0) return;
  frame_ = std::clamp(frame, std::max<int64_t>(state.first_frame, 0), state.last_frame);
  live_->following = false;
  live_->back_wanted = true;
  report_status();
}

void SessionWorker::show_recorded() {
  live_->back_wanted = false;
  Result<FrameResultRef> result = live_->playback.frame(frame_, run_.recorder()->project());
  if (!result) return report_error(result.error());
  live_->shown = true;
  live_->shown_time_s = static_cast<double>((*result)->frames()->time_ns) * 1e-9;
  hand_over(std::move(*result));
  report_status();
}

void SessionWorker::describe_live() {
  auto live = std::make_shared<LiveStatus>();
  live->health = analysis_->live()->health();
  live->following = live_->following && !live_->failed;
  if (live_->shown) {
    live->shown_utc_s = live->health.start_utc_s + live_->shown_time_s;
    live->behind_s = utc_now_s() - live->shown_utc_s;
  }
  live->events = live_->events.events();
  live->written = run_.written();
  const int64_t now = trace_now_ns(), span = now - live_->rate_since_ns;
  constexpr int64_t kRateSpan_ns = 1'000'000'000;
  if (live_->rate_since_ns == 0 || span > kRateSpan_ns) {
    if (live_->rate_since_ns > 0)
      status_.analysed_fps = static_cast<double>(live_->rate_sets) * 1e9 / static_cast<double>(span);
    live_->rate_since_ns = now, live_->rate_sets = 0;
  }
  status_.playing = live->following;
  status_.analysing = run_.writing();
  status_.frame_count = 0;
  if (const Recorder* recorder = run_.recorder()) {
    live->recording = recorder->state();
    live->recorded_project = recorder->project().path;
    live->summaries = live_->summaries;
    status_.frame_count = live->recording->last_frame + 1;
  }
  status_.frame_count_exact = false;
  status_.frame_rate = live->health.rate;
  status_.activity = activity_of(*live, status_.analysing, status_.analysed_fps);
  status_.live = std::move(live);
}

}  // namespace vantage
