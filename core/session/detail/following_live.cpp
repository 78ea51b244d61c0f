#include "core/session/detail/following_live.h"

#include <fmt/core.h>
#include <chrono>
#include <string>
#include <utility>

#include "core/results/results_paths.h"

namespace vantage {
namespace {

std::shared_ptr<const FrameSetArtifact> without_pictures(const FrameSetArtifact& video) {
  auto bare = std::make_shared<FrameSetArtifact>(video);
  for (CameraFrame& camera : bare->frames.cameras) camera.picture = {};
  return bare;
}

// All artifacts but those that take much memory.
FrameArtifacts light_artifacts(const FrameArtifacts& all) {
  FrameArtifacts light;
  if (all.video) light.video = without_pictures(*all.video);
  light.detections = all.detections, light.people = all.people, light.tracking = all.tracking;
  light.motion = all.motion, light.appearance = all.appearance, light.skeletons = all.skeletons;
  light.heads = all.heads;
  return light;
}

size_t bytes_of(const FrameArtifacts& artifacts) {
  constexpr size_t kEntry_bytes = 1024;  // of the map, the result and its versions
  size_t bytes = kEntry_bytes;
  const auto add = [&](const auto& artifact) { bytes += artifact ? artifact->size_bytes() : 0; };
  add(artifacts.video), add(artifacts.detections), add(artifacts.people), add(artifacts.tracking);
  add(artifacts.motion), add(artifacts.appearance), add(artifacts.skeletons), add(artifacts.heads);
  return bytes;
}

}  // namespace

void LivePlayback::keep(const FrameResult& result) {
  auto light = std::make_shared<FrameResult>();
  light->frame = result.frame;
  light->versions = result.versions;
  light->artifacts = light_artifacts(result.artifacts);
  Kept kept{light, bytes_of(light->artifacts)};
  kept_bytes_ += kept.bytes;
  kept_.insert_or_assign(result.frame, std::move(kept));
  for (; kept_bytes_ > kMaxKept_bytes; kept_.erase(kept_.begin())) kept_bytes_ -= kept_.begin()->second.bytes;
}

std::vector<FrameResultRef> LivePlayback::since(int64_t frame) const {
  std::vector<FrameResultRef> results;
  for (auto kept = kept_.lower_bound(frame); kept != kept_.end(); ++kept)
    results.push_back(kept->second.result);
  return results;
}

Result<FrameResultRef> LivePlayback::frame(int64_t frame, const Project& project) {
  std::unique_ptr<FrameSource>& source = sources_[project.path];
  if (!source) {
    FrameSourceOptions options;
    options.queue_frames = 1;
    for (const ProjectCamera& camera : project.cameras)
      options.cameras.push_back({camera.name, camera.video});
    VANTAGE_ASSIGN(source, FrameSource::open(std::move(options)));
  }
  auto pictures = std::make_shared<FrameSetArtifact>();
  VANTAGE_ASSIGN(pictures->frames, source->read(frame));
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  result->preview = true;
  if (const auto kept = kept_.find(frame); kept != kept_.end())
    result->artifacts.people = kept->second.result->artifacts.people,
    result->artifacts.tracking = kept->second.result->artifacts.tracking;
  result->artifacts.video = std::move(pictures);
  return result;
}

namespace {

constexpr int64_t kRetry_ns = 30'000'000'000;  // the disk may have space again

double utc_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string activity_of(const LiveStatus& live, bool writing, double sets_per_s) {
  std::string activity =
      writing ? fmt::format("Writing results, {} sets, {:.3g} a second", live.written, sets_per_s)
              : fmt::format("{:.3g} sets a second", sets_per_s);
  if (live.health.thinning > 1) activity += ", 1 of " + std::to_string(live.health.thinning);
  return activity;
}

}  // namespace

void FollowingLive::start() {
  state_.frame = 0;
  state_.listener().on_results({});
  state_.run.prepare_recordings();
  keep_past();
  number_people();
  watch_rules();
  publish_watched();
  state_.report_status();
}

void FollowingLive::publish_watched() {
  if (const Result<RunDescription> run = state_.describe_run())
    state_.run.output().watch(state_.project, *run);
  else
    state_.report_error(run.error());
}

// Frames of the past and sets of the cameras take turns, so that the cameras never wait long.
bool FollowingLive::work() {
  if (clock_) play_on();
  const bool shown = back_wanted_;
  if (shown) show_recorded();
  if (failed_) return shown || clock_;
  take_next_set();
  if (SessionState::due(&past_tried_ns_, kRetry_ns)) renew_past();
  return true;
}

// Any command ends the waiting; work on a set is ended only by commands that leave.
void FollowingLive::take_next_set() {
  const StopSource waiting = state_.commands.begin(Work::playing);
  const Result<std::optional<int64_t>> number = state_.run.next_set(wait_s(), waiting);
  state_.commands.end();
  Status taken;
  if (!number)
    taken = fail(number.error());
  else if (*number)
    taken = take_set(**number);
  if (!taken && taken.error().kind != ErrorKind::cancelled) {
    failed_ = true;
    finish_results();
    state_.report_error(taken.error());
    return state_.report_status();
  }
  state_.report_status_in_turn();
}

// Shows the first pictures before learning an empty-scene clip, which takes seconds.
void FollowingLive::show_pictures_first(int64_t number, const StopSource& stop) {
  if (pictures_shown_) return;
  Result<FrameResultRef> pictures = state_.analysis->pictures(number, stop);
  if (!pictures) return;
  pictures_shown_ = true;
  hand_over(std::move(*pictures));
}

Status FollowingLive::take_set(int64_t number) {
  const StopSource stop = state_.commands.begin(Work::showing);
  show_pictures_first(number, stop);
  Result<FrameResultRef> result = state_.run.compute_set(number, stop);
  state_.commands.end();
  if (!result) return fail(result.error());
  ++rate_sets_;
  constexpr int64_t kTracksInterval_ns = 1'000'000'000;
  state_.run.take_set(*result);  // may begin results with earlier sets
  newest_ = number;
  playback_.keep(**result);
  if (const Status added = tracks_.add(**result, state_.frame_rate()); !added) {
    state_.report_error(added.error());
    tracks_ = LiveTracks();  // frame by frame from here on
  }
  if (SessionState::due(&tracks_reported_ns_, kTracksInterval_ns))
    state_.listener().on_tracks(tracks_.tracks());
  note_set(*result);
  report_detectors();
  if (!following_ && shown_) return {};
  state_.frame = number;
  note_shown(**result);
  hand_over(std::move(*result));
  return {};
}

// Reports each fault once, when it is found.
void FollowingLive::report_detectors() {
  constexpr int64_t kInterval_ns = 5'000'000'000;
  if (!SessionState::due(&faults_looked_ns_, kInterval_ns)) return;
  const std::vector<DetectorState> states = state_.run.detectors();
  for (size_t i = 0; i < states.size(); ++i) {
    const std::string& name = state_.project.cameras[i].name;
    if (std::exchange(faults_[name], states[i].fault) != states[i].fault &&
        states[i].fault != DetectorFault::none)
      state_.listener().on_note(vantage::describe(states[i], name));
  }
}

void FollowingLive::note_shown(const FrameResult& result) {
  shown_ = true;
  shown_time_s_ = static_cast<double>(result.frames()->time_ns) * 1e-9;
}

void FollowingLive::hand_over(FrameResultRef result) {
  state_.trails.set_stored(tracks_.since(result->frame - state_.trail_frames()),
                           state_.analysis->pipeline().version(kTrackingStage));
  auto shown = std::make_shared<ShownFrame>(ShownFrame{.result = std::move(result)});
  shown->ids = tracks_.ids_of(*shown->result);
  state_.hand_over(std::move(shown),
                   tracks_.numbers_by_paths() ? SessionState::Ids::of_results : SessionState::Ids::of_chain);
}

void FollowingLive::note_set(const FrameResultRef& result) {
  constexpr int64_t kSummariesInterval_ns = 1'000'000'000;
  if (!state_.run.writing()) state_.run.output().show(result, tracks_.ids_of(*result));
  summary_.note(*result, state_.analysis->live()->thinning());
  if (!SessionState::due(&summaries_reported_ns_, kSummariesInterval_ns)) return;
  summary_.forget_before(kept().begin);
  summaries_ = summary_.sets();
}

void FollowingLive::follow() {
  following_ = true;
  failed_ = back_wanted_ = false;
  clock_.reset();
  playback_.close();
  state_.report_status();
}

void FollowingLive::number_people() {
  number_again_ = state_.run.writing();
  if (number_again_) return;  // a person in the results is still shown
  const auto numbering = path_numbering(state_.project, true);
  if (!numbering) {
    tracks_ = LiveTracks();
    return;
  }
  auto follower = PathFollower::make(state_.frame_rate(), numbering->parameters, numbering->entrances);
  if (!follower) return state_.report_error(follower.error());
  tracks_ = LiveTracks(std::move(*follower));
}

void FollowingLive::watch_rules() {
  if (const Status watched = state_.run.watch_rules(); !watched) state_.report_error(watched.error());
  open_push();
}

void FollowingLive::open_push() {
  push_states_.clear();
  // Another window that has the project open sends the messages.
  if (!state_.keeps_results()) return;
  if (const Status opened = state_.run.open_push(state_.options.credentials); !opened)
    state_.report_error(opened.error());
}

void FollowingLive::write_results() {
  if (state_.run.writing()) return;
  if (!state_.keeps_results())
    return state_.report_error({ErrorKind::invalid_argument,
                                "the results of live cameras need a folder",
                                {},
                                "Save the project first; the results are written next to it."});
  if (const Status begun = begin_results(newest_ + 1); !begun) state_.report_error(begun.error());
  state_.report_status();
}

// Begins results from set `first` on. Paths in windows are found once, for writing and for display: the
// results continue those that are running, so that everyone keeps the ID.
Status FollowingLive::begin_results(int64_t first) {
  VANTAGE_ASSIGN(RunDescription run, state_.describe_run());
  std::optional<RunningPaths> running = tracks_.hand_over(first);
  if (!running && path_numbering(state_.project, true)) {  // they had failed
    number_people();
    running = tracks_.hand_over(first);
  }
  run.settled = tracks_.final_ids();
  run.running = running;
  ResultsOptions results;
  results.folder = state_.run.results_project().results_folder();
  const Status begun = state_.run.begin_results(std::move(run), results);
  if (!begun && running) tracks_.go_on_with(std::move(running->follower));
  return begun;
}

void FollowingLive::finish_results() {
  if (!state_.run.writing()) return;
  EndedResults ended = state_.run.end_results();
  if (!ended.status)
    state_.report_error(ended.status.error());
  else
    state_.listener().on_note("The results hold " + std::to_string(ended.frames) +
                              " frame sets of the live cameras.");
  if (!path_numbering(state_.project, true)) return;
  if (ended.follower && !number_again_)
    tracks_.go_on_with(std::move(*ended.follower));
  else
    number_people();
}

// Begins a recording before the present, with people and tracks of the earlier sets in its results: their
// volumes and masks are gone by then.
void FollowingLive::record_from(const std::filesystem::path& project, int64_t set) {
  if (const Status recorded = state_.run.record(project, set); !recorded)
    return state_.report_error(recorded.error());
  if (state_.run.writing()) return;  // the results of all sets are written elsewhere
  records_results_ = true;
  const int64_t kept_from = state_.run.recorder()->begun_with();
  const int64_t first = kept_from < 0 ? newest_ + 1 : kept_from;
  if (const Status begun = begin_results(first); !begun) {
    state_.run.finish_recording();
    return state_.report_error(begun.error());
  }
  for (const FrameResultRef& earlier : playback_.since(first))
    if (const Status written = state_.run.output().write(*earlier); !written) {
      state_.report_error(written.error());
      break;
    }
  state_.report_status();
}

// Writes the results to the recording's project from here on.
void FollowingLive::record(const std::filesystem::path& project) {
  records_event_ = false;  // a user wants a recording that an event began to continue
  if (state_.run.recorder() && state_.run.recorder()->state().recording) return;
  stop_recording();
  finish_results();
  record_from(project, newest_);
}

void FollowingLive::record_event(int64_t raised_frame) {
  if (state_.run.recorder() || !state_.keeps_results() || state_.project.path.empty()) return;
  record_from(recording_path(state_.project.path), raised_frame);
  records_event_ = state_.run.recorder() != nullptr;
}

void FollowingLive::events_over() {
  if (records_event_) stop_recording();
}

void FollowingLive::stop_recording() {
  records_event_ = false;
  if (std::exchange(records_results_, false)) finish_results();
  const std::optional<EndedRecording> ended = state_.run.finish_recording();
  if (!ended) return;
  if (!ended->status)
    state_.report_error(ended->status.error());
  else
    state_.listener().on_note("Recorded: " + ended->project.string());
  playback_.close();
  const FrameRange range = kept();
  if (!following_ && (state_.frame < range.begin || state_.frame >= range.end)) return follow();
  state_.report_status();
}

void FollowingLive::accept_view(size_t camera) {
  if (camera >= state_.project.cameras.size()) return;
  state_.analysis->live()->accept_view(camera);
  state_.listener().on_note(state_.project.cameras[camera].name +
                            ": its present view is its reference view from now on.");
  state_.report_status();
}

// Not at every status: the number of waiting messages is read from the disk.
const std::vector<PushState>& FollowingLive::push_states() {
  constexpr int64_t kInterval_ns = 500'000'000;
  const Push* push = state_.run.push();
  if (!push) return push_states_ = {};
  const int64_t now = trace_now_ns();
  if (push_states_.empty() || now - push_read_ns_ >= kInterval_ns) {
    push_states_ = push->states();
    push_read_ns_ = now;
  }
  return push_states_;
}

void FollowingLive::measure_rate() {
  constexpr int64_t kRateSpan_ns = 1'000'000'000;
  const int64_t now = trace_now_ns(), span = now - rate_since_ns_;
  if (rate_since_ns_ != 0 && span <= kRateSpan_ns) return;
  if (rate_since_ns_ > 0) sets_per_s_ = static_cast<double>(rate_sets_) * 1e9 / static_cast<double>(span);
  rate_since_ns_ = now, rate_sets_ = 0;
}

void FollowingLive::describe(SessionStatus& status) {
  auto live = std::make_shared<LiveStatus>();
  live->health = state_.run.live_health();
  live->following = following_ && !failed_;
  if (shown_) {
    live->shown_utc_s = live->health.start_utc_s + shown_time_s_;
    live->behind_s = utc_now_s() - live->shown_utc_s;
  }
  live->events = events_.events();
  live->push = push_states();
  live->written = state_.run.written();
  measure_rate();
  status.analysed_fps = sets_per_s_;
  status.playing = live->following || clock_;
  status.analysing = state_.run.writing();
  if (const Recorder* recorder = state_.run.recorder()) {
    live->recording = recorder->state();
    live->recorded_project = recorder->project().path;
    live->records_event = records_event_;
  }
  live->past = past_status();
  live->summaries = summaries_;
  live->first_frame = kept().begin;
  status.frame_count = kept().end;
  status.frame_rate = live->health.rate;
  status.activity = activity_of(*live, status.analysing, sets_per_s_);
  status.live = std::move(live);
}

}  // namespace vantage
