#include "core/run/run.h"

#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

#include "core/live/recording_writer.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

Run::Run(const Project& project, RunOptions options, RunListener& listener)
    : project_(project),
      options_(std::move(options)),
      listener_(listener),
      results_(options_.watcher, options_.backends.context.trace),
      offsets_(project) {
  results_.set_kept([kept = kept_](FrameRange span) { return kept->recording(span); });
}

Run::~Run() {
  detach();
}

DeviceBackends Run::backends() const {
  DeviceBackends backends = options_.backends;
  backends.device = analysis_->device();
  return backends;
}

void Run::attach(Analysis& analysis) {
  detach();
  analysis_ = &analysis;
  offsets_.attach(analysis_, backends());
}

void Run::detach() {
  if (writing()) end_results();
  results_.leave();
  rules_.reset();
  push_.reset();
  detectors_.reset();
  faults_.clear(), faults_judged_ns_ = 0;
  kept_->set(nullptr, nullptr);
  recorder_.reset();
  past_.reset();
  trigger_.reset(), event_told_ = false;
  offsets_.attach(nullptr, {});
  analysis_ = nullptr;
}

Result<RunDescription> Run::describe() const {
  const bool as_chosen = analysis_->device() == options_.backends.device;
  return describe_run(*analysis_, backends(), as_chosen ? options_.device_description : "CPU");
}

Status Run::begin_results(RunDescription description, const ResultsOptions& options) {
  writing_failed_ = false;
  const ResultsPictureOptions& pictures = description.pictures;
  const bool figures = options.figures_suffice && !pictures.masks && !pictures.flows && !pictures.volumes;
  results_need_ = {figures, pictures.shells, pictures.floor_maps};
  VANTAGE_TRY(results_.begin(results_project(), std::move(description), options));
  const Status opened = open_events();
  if (!opened) end_results();
  return opened;
}

EndedResults Run::end_results() {
  event_file_.reset();
  results_need_ = {};
  return results_.end(analysis_->live() ? std::optional(live_health()) : std::nullopt);
}

Status Run::write(const FrameResultRef& result) {
  if (!writing()) return {};
  results_.publish(result);
  return results_.write(*result);
}

// Offsets are found in the pictures. Those that are only proposed were proposed in the first analysis of the
// frames.
Delivered Run::delivered() const {
  Delivered delivered = results_need_;
  if (offsets_.mode() == OffsetWatch::apply) delivered.figures_only = false;
  return delivered;
}

Status Run::analyse(FrameRange range, ExecutionMode mode, const StopSource& stop,
                    const std::function<bool(const FrameResultRef&)>& sink) {
  assert(thread_.here());
  detectors_.reset();
  bool more = true;
  while (more && range.begin < range.end) {
    Status written;
    const Status analysed = analysis_->pipeline().analyse(
        range, mode,
        [&](const FrameResultRef& result) {
          written = write(result);
          more = written.has_value();
          if (!more) return false;
          range.begin = result->frame + 1;
          raise_events(result);
          watch_offsets(*result);
          watch_detectors(*result);
          more = sink(result);
          return more && accepted_.empty();
        },
        stop, delivered());
    const bool between_frames = !accepted_.empty();
    apply_accepted(range.begin);
    VANTAGE_TRY(analysed);
    VANTAGE_TRY(written);
    if (!between_frames) return {};
  }
  return {};
}

void Run::watch_offsets(const FrameResult& result) {
  if (!is_whole(result)) return;
  const Result<OffsetWatcher::Findings> found = offsets_.add(result);
  if (!found) return listener_.on_watching_failed(found.error());
  if (found->proposals.empty()) return;
  if (!found->apply)
    for (const OffsetProposal& proposal : found->proposals) listener_.on_offset_proposal(proposal);
  else if (analysis_->live())
    listener_.on_delays(found->proposals);
  else
    accepted_.insert(accepted_.end(), found->proposals.begin(), found->proposals.end());
}

void Run::watch_detectors(const FrameResult& result) {
  const PeopleArtifact* people = result.people();
  const DetectionsArtifact* detections = result.detections();
  if (!people || !people->looked || people->fused.empty() || !detections) return;
  if (!detectors_)
    detectors_.emplace(analysis_->cameras(result.frame), analysis_->source().frame_rate());
  else if (!project_.calibration_changes().empty())
    detectors_->set_cameras(analysis_->cameras(result.frame));
  std::vector<int64_t> ids;
  for (const FramePerson& person : people_of(result)) ids.push_back(person.id());
  detectors_->add(result.frame, detections->cameras, people->fused, ids);
}

std::vector<DetectorState> Run::detectors() const {
  return detectors_ ? detectors_->states() : std::vector<DetectorState>();
}

std::vector<std::string> Run::detector_faults() const {
  std::vector<std::string> faults;
  const std::vector<DetectorState> states = detectors();
  for (size_t i = 0; i < states.size(); ++i)
    if (states[i].fault != DetectorFault::none)
      faults.push_back(vantage::describe(states[i], project_.cameras[i].name));
  return faults;
}

Status Run::watch_rules() {
  rules_.reset();
  shown_ids_.clear();
  if (trigger_) trigger_.reset(), prepare_recordings();  // events of the former rules are over
  if (project_.rules.empty()) return {};
  VANTAGE_ASSIGN(rules_, RuleWatch::make(project_.rules, project_.zones, project_.lines,
                                         analysis_->source().frame_rate()));
  return open_events();
}

// Events of recordings are found in the results at any time.
Status Run::open_events() {
  if (!rules_ || !analysis_->live() || !writing() || event_file_) return {};
  VANTAGE_ASSIGN(event_file_,
                 EventWriter::open(results_.writer()->folder(), analysis_->source().frame_rate()));
  return {};
}

std::vector<FloorEvent> Run::raise_events(const FrameResultRef& result) {
  if (!rules_) return {};
  std::vector<FloorEvent> events = new_events(*rules_, *result);
  if (events.empty()) return events;
  name_people(*result, &events);
  listener_.on_events(events);
  if (push_)
    push_->add_events(events, result,
                      analysis_->live() ? analysis_->live()->start_utc_s() : recording_start_utc_s_);
  return events;
}

// An event belongs to one person throughout, under the ID shown when it began.
void Run::name_people(const FrameResult& result, std::vector<FloorEvent>* events) {
  for (FloorEvent& event : *events) {
    if (event.id <= 0) continue;
    const std::tuple key(event.rule, event.id, event.first_frame);
    const auto begun = shown_ids_.find(key);
    event.id = begun == shown_ids_.end() ? listener_.shown_id(result, event.id) : begun->second;
    if (event.last_frame)
      shown_ids_.erase(key);
    else
      shown_ids_.emplace(key, event.id);
  }
}

Status Run::open_push(std::shared_ptr<const CredentialStore> credentials) {
  push_.reset();
  PushOptions options;
  options.credentials = std::move(credentials);
  options.live = analysis_->live() != nullptr;
  options.frame_rate = analysis_->source().frame_rate();
  VANTAGE_ASSIGN(options.transfer, backends().create<MemoryTransfer>({}));
  VANTAGE_ASSIGN(push_, Push::open(project_, std::move(options)));
  recording_start_utc_s_ = 0;
  if (!push_ || analysis_->live()) return {};
  if (const auto clock = find_clock(project_)) recording_start_utc_s_ = clock->start_utc_s;
  return {};
}

void Run::apply_accepted(int64_t first_frame) {
  for (const OffsetProposal& proposal : std::exchange(accepted_, {})) apply_at(proposal, first_frame);
}

// Frames before `first_frame` are not affected by the change, so their kept data stay valid.
void Run::apply_at(const OffsetProposal& proposal, int64_t first_frame) {
  assert(thread_.here());
  Pipeline& pipeline = analysis_->pipeline();
  AppliedOffset applied{proposal, {first_frame, static_cast<double>(proposal.frames)}, {}};
  applied.versions = {first_frame, pipeline.versions(), {}};
  analysis_->source().change_offset(proposal.camera, applied.change);
  pipeline.keep_before(first_frame);
  applied.versions.now = pipeline.versions();
  results_.note_version_change(applied.versions);
  listener_.on_offset_applied(applied);
}

// A run of live cameras.

namespace {

constexpr int64_t kHealthInterval_ns = 200'000'000;
constexpr double kToldLate_s = 3;                      // maximum delay of reporting an event
constexpr int64_t kFaultsInterval_ns = 5'000'000'000;  // judging detectors takes a while

}  // namespace

Result<std::optional<int64_t>> Run::next_set(double limit_s, const StopSource& stop) {
  Result<std::optional<int64_t>> set = analysis_->live()->next(stop, limit_s);
  report_health();
  return set;
}

Result<FrameResultRef> Run::compute_set(int64_t set, const StopSource& stop) {
  VANTAGE_ASSIGN(FrameResultRef result, analysis_->pipeline().frame(set, {}, stop));
  analysis_->live()->note_result(set);
  return result;
}

void Run::take_set(const FrameResultRef& result) {
  assert(thread_.here());
  const std::vector<FloorEvent> events = raise_events(result);
  record_events(result->frame, events);
  if (writing()) {
    results_.publish(result);
    const Status written = writing_failed_ ? Status() : write_set(*result, events);
    writing_failed_ = writing_failed_ || !written;
    if (!written) listener_.on_writing_failed(written.error());
  }
  watch_offsets(*result);
  watch_detectors(*result);
}

Status Run::write_set(const FrameResult& result, const std::vector<FloorEvent>& events) {
  VANTAGE_TRY(results_.write(result));
  return event_file_ ? event_file_->write(events, analysis_->live()->start_utc_s()) : Status();
}

Status Run::follow(double seconds, const StopSource& stop,
                   const std::function<bool(const FrameResultRef&)>& sink) {
  constexpr double kWait_s = 0.5;  // for a set, before the clock is read again
  const auto as_stopped = [](const Error& error) {
    return error.kind == ErrorKind::cancelled ? Status() : Status(fail(error));
  };
  const int64_t start = trace_now_ns();
  while (seconds <= 0 || static_cast<double>(trace_now_ns() - start) * 1e-9 < seconds) {
    const Result<std::optional<int64_t>> set = next_set(kWait_s, stop);
    if (!set) return as_stopped(set.error());
    if (!*set) continue;
    const Result<FrameResultRef> result = compute_set(**set, stop);
    if (!result) return as_stopped(result.error());
    take_set(*result);
    if (!sink(*result)) return {};
  }
  return {};
}

void Run::report_health() {
  if ((!options_.watcher && !push_) || trace_now_ns() - health_reported_ns_ < kHealthInterval_ns) return;
  health_reported_ns_ = trace_now_ns();
  const LiveHealth health = live_health();
  if (options_.watcher) options_.watcher->on_health(health);
  if (push_) push_->add_health(health, health_reported_ns_);
}

LiveHealth Run::live_health() {
  LiveHealth health = analysis_->live()->health();
  if (faults_judged_ns_ == 0 || trace_now_ns() - faults_judged_ns_ >= kFaultsInterval_ns) {
    faults_judged_ns_ = trace_now_ns();
    faults_.clear();
    const std::vector<DetectorState> states = detectors();
    for (size_t i = 0; i < states.size(); ++i)
      faults_.push_back(vantage::describe(states[i], project_.cameras[i].name));
  }
  for (size_t i = 0; i < faults_.size() && i < health.cameras.size(); ++i)
    health.cameras[i].detector = faults_[i];
  return health;
}

// Sets the delays of all cameras at once.
void Run::correct_delays() {
  offsets_.restart_delays(analysis_->live()->set_delays(project_.live_delays_s()));
}

void Run::prepare_recordings() {
  const auto parameters = project_.parameters.get<RecordingParameters>();
  analysis_->live()->keep_packets(parameters.before_s + kToldLate_s);
  if (past_) past_->set_limits(parameters);
  const int64_t after = std::llround(parameters.after_s * analysis_->source().frame_rate());
  if (!parameters.events) return trigger_.reset();
  if (!trigger_) trigger_.emplace(after);
  trigger_->set_after(after);
}

Status Run::keep_past() {
  kept_->set(nullptr, recorder_.get());
  past_.reset();
  VANTAGE_ASSIGN(past_, Past::start(project_, *analysis_->live()));
  kept_->set(past_.get(), recorder_.get());
  return {};
}

Status Run::record(const std::filesystem::path& project, int64_t set) {
  const double before_s = project_.parameters.get<RecordingParameters>().before_s;
  const int64_t first = set - std::llround(before_s * analysis_->source().frame_rate());
  kept_->set(past_.get(), nullptr);
  VANTAGE_ASSIGN(recorder_, Recorder::start(project_, project, *analysis_->live(), {.first_set = first}));
  kept_->set(past_.get(), recorder_.get());
  return {};
}

void Run::record_events(int64_t frame, const std::vector<FloorEvent>& events) {
  if (trigger_) trigger_->add(events);
  const bool wanted = trigger_ && trigger_->wanted(frame);
  if (std::exchange(event_told_, wanted) == wanted) return;
  if (wanted)
    listener_.on_event_to_record(trigger_->raised_frame());
  else
    listener_.on_events_over();
}

std::optional<EndedRecording> Run::finish_recording() {
  if (!recorder_) return std::nullopt;
  EndedRecording ended{recorder_->finish(), recorder_->state(), recorder_->project().path};
  kept_->set(past_.get(), nullptr);
  recorder_.reset();
  return ended;
}

Result<RunDescription> describe_run(Analysis& analysis, const DeviceBackends& backends,
                                    std::string device_description) {
  RunDescription run;
  run.device = analysis.device();
  run.device_description = std::move(device_description);
  VANTAGE_ASSIGN(run.transfer, backends.create<MemoryTransfer>({}));
  FrameSource& source = analysis.source();
  run.frame_rate = source.frame_rate();
  for (int i = 0; i < source.camera_count(); ++i) run.videos.push_back(source.info(i));
  if (const VoxelGrid* grid = analysis.grid()) run.grid = *grid;
  if (const FloorCoverage* coverage = analysis.coverage()) run.coverage = *coverage;
  run.detector = analysis.detector();
  run.live = analysis.live() != nullptr;
  run.versions = std::make_shared<const StageVersions>(analysis.pipeline().versions());
  run.pictures_of = picture_versions(source);
  return run;
}

}  // namespace vantage
