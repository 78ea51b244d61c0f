#include "core/run/run.h"

#include <cassert>
#include <utility>

#include "core/pipeline/frame_people.h"
#include "core/pipeline/whole_frame.h"
#include "core/run/describe_run.h"

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

// Offsets are found in the pictures. What is only proposed was proposed when the frames were analysed first.
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
  if (trigger_) trigger_.reset(), prepare_recordings();  // the former rules' events are over
  if (project_.rules.empty()) return {};
  VANTAGE_ASSIGN(rules_, RuleWatch::make(project_.rules, project_.zones, project_.lines,
                                         analysis_->source().frame_rate()));
  return open_events();
}

// Events of recordings are found in the results, as often as one likes.
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

// One event is one person's from beginning to end, under the ID that was shown when it began.
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

// Frames before `first_frame` are the same with the change as without, and whatever is kept of them holds.
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

}  // namespace vantage
