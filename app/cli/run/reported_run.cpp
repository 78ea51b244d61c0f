#include "app/cli/run/reported_run.h"

#include <cstdio>
#include <utility>

#include "app/cli/common/value_or_fail.h"
#include "core/base/log.h"
#include "core/live/live_relay.h"
#include "core/live/recording_parameters.h"

namespace vantage::cli {
namespace {

OffsetWatch offset_watch(const std::string& name) {
  if (name == "apply") return OffsetWatch::apply;
  return name == "propose" ? OffsetWatch::propose : OffsetWatch::off;
}

double seconds_between(int64_t start_ns, int64_t end_ns) {
  return static_cast<double>(end_ns - start_ns) * 1e-9;
}

RunOptions run_options(const OpenedChain& chain, std::shared_ptr<ResultsWatcher> watcher) {
  return {chain.backends.on_device(chain.trace.get()), chain.backends.description, std::move(watcher)};
}

}  // namespace

ReportedRun::ReportedRun(const RunArguments& options, OpenedChain& chain, const FrameRange& range,
                         std::unique_ptr<server::ResultServer> server)
    : options_(options),
      chain_(chain),
      range_(range),
      offsets_(chain.project, chain.analysis->live() != nullptr),
      served_(server ? std::make_shared<ServedRun>(std::move(server), options.serve, chain.trace.get())
                     : nullptr),
      run_(chain.project, run_options(chain, served_), *this) {
  run_.attach(*chain.analysis);
  run_.offsets().set_mode(offset_watch(options.offsets));
  if (run_.offsets().mode() != OffsetWatch::off) check_or_fail(run_.offsets().prepare());
  if (chain.analysis->live()) {
    check_or_fail(run_.watch_rules());
    if (chain.project.parameters.get<RecordingParameters>().events) run_.prepare_recordings();
  }
  open_push_or_fail();
  if (!options.live.record.empty()) check_or_fail(run_.record(options.live.record, LiveRelay::kNewest));
  begin_results_or_fail();
}

// Events of a recording are news only where the user says so.
void ReportedRun::open_push_or_fail() {
  const bool live = chain_.analysis->live() != nullptr;
  if (options_.push == "never" || (options_.push == "live" && !live)) return;
  check_or_fail(run_.open_push(nullptr));
  if (run_.push() && !live) check_or_fail(run_.watch_rules());
}

void ReportedRun::begin_results_or_fail() {
  summary_.results = options_.out.empty() ? run_.results_project().results_folder().string() : options_.out;
  RunDescription description = value_or_fail(run_.describe());
  description.pictures = options_.pictures;
  ResultsOptions results;
  results.folder = summary_.results;
  if (!chain_.analysis->live()) results.frames = range_.end - range_.begin;
  results.figures_suffice = !served_ && !run_.push() && run_.offsets().mode() == OffsetWatch::off;
  check_or_fail(run_.begin_results(std::move(description), results));
  if (served_) check_or_fail(served_->status());
}

Status ReportedRun::analyse() {
  const StopSource& stop = interrupted();
  if (const LiveFrameSource* cameras = chain_.analysis->live()) {
    LiveProgress progress;
    return run_.follow(options_.live.seconds, stop, [&](const FrameResultRef& result) {
      if (!writing_failed_) summary_.add(*result);
      progress.update(*cameras);
      return true;
    });
  }
  Progress progress("run");
  const int64_t start_ns = trace_now_ns();
  int64_t first_ns = 0;
  const auto mode = options_.sequential ? ExecutionMode::sequential : ExecutionMode::threaded;
  return run_.analyse(range_, mode, stop, [&](const FrameResultRef& result) {
    summary_.add(*result);
    const int64_t now_ns = trace_now_ns();
    if (!summary_.opening_s) first_ns = now_ns, summary_.opening_s = seconds_between(start_ns, now_ns);
    summary_.steady_s = seconds_between(first_ns, now_ns);
    progress.update(result->frame + 1 - range_.begin, range_.end - range_.begin);
    return true;
  });
}

void ReportedRun::on_offset_proposal(const OffsetProposal& proposal) {
  offsets_.add(proposal, false);
}

void ReportedRun::on_offset_applied(const AppliedOffset& applied) {
  const auto camera = static_cast<size_t>(applied.proposal.camera);
  chain_.project.cameras[camera].offset_changes.push_back(applied.change);
  offsets_.add_applied(applied);
}

void ReportedRun::on_delays(const std::vector<OffsetProposal>& proposals) {
  for (const OffsetProposal& proposal : proposals) {
    chain_.project.cameras[static_cast<size_t>(proposal.camera)].live_delay_s += *proposal.delay_s;
    offsets_.add(proposal, true);
  }
  run_.correct_delays();
}

void ReportedRun::on_events(const std::vector<FloorEvent>& events) {
  for (const FloorEvent& event : events)
    std::fprintf(stderr, "event  %s%s %s, x %.2f m, y %.2f m\n", event.rule.c_str(),
                 event.id > 0 ? (": person " + std::to_string(event.id)).c_str() : "",
                 event.last_frame.value_or(event.raised_frame) > event.raised_frame ? "is over" : "raised",
                 event.x_m, event.y_m);
}

// The streams alone: the results of all sets are written anyway.
void ReportedRun::on_event_to_record(int64_t raised_frame) {
  if (run_.recorder()) return;
  const Status begun = run_.record(recording_path(chain_.project.path), raised_frame);
  recording_events_ = begun.has_value();
  if (begun) return;
  log_error("the event is not recorded: " + begun.error().message());
  failed_.push_back(begun.error());
}

void ReportedRun::on_events_over() {
  if (!std::exchange(recording_events_, false)) return;
  if (auto ended = run_.finish_recording()) summary_.event_recordings.push_back(std::move(*ended));
}

void ReportedRun::on_writing_failed(const Error& error) {
  log_error("results can no longer be written; the cameras are still analysed: " + error.message());
  writing_failed_ = true;
  failed_.push_back(error);
}

void ReportedRun::on_watching_failed(const Error& error) {
  log_error("the cameras' offsets can no longer be watched: " + error.message());
  failed_.push_back(error);
}

void ReportedRun::finish_push() {
  constexpr double kPatience_s = 5;
  if (!run_.push()) return;
  const bool sent = run_.push()->finish(kPatience_s, StopSource());
  for (const PushState& state : run_.push()->states())
    std::fprintf(stderr, "push  %s: %lld delivered, %lld wait%s%s\n", state.target.c_str(),
                 static_cast<long long>(state.delivered), static_cast<long long>(state.waiting),
                 state.problem.empty() ? "" : "; ", state.problem.c_str());
  if (!sent) std::fprintf(stderr, "push  what waits is sent next time, or by `vantage-cli push send`\n");
}

std::vector<Error> ReportedRun::finish() {
  if (chain_.analysis->live()) summary_.live = run_.live_health();
  const std::vector<DetectorState> detectors = run_.detectors();
  for (size_t i = 0; i < detectors.size(); ++i)
    summary_.detectors.push_back({chain_.project.cameras[i].name, detectors[i]});
  on_events_over();
  summary_.recording = run_.finish_recording();
  const Status written = run_.end_results().status;
  finish_push();
  Status reported;
  if (written && run_.offsets().mode() != OffsetWatch::off) {
    reported = offsets_.write(summary_.results);
    if (reported && options_.write_offsets) reported = offsets_.write_project(summary_.results);
  }
  std::vector<Error> errors = std::move(failed_);
  for (const Status& part : {written, reported, summary_.recording ? summary_.recording->status : Status()})
    if (!part) errors.push_back(part.error());
  for (const EndedRecording& recording : summary_.event_recordings)
    if (!recording.status) errors.push_back(recording.status.error());
  return errors;
}

void ReportedRun::print(double seconds) {
  summary_.seconds = seconds;
  if (run_.has_rules()) summary_.events = run_.events_raised();
  if (served_) summary_.served = served_->url();
  (options_.json ? print_summary_json : print_summary)(summary_, chain_.backends);
}

}  // namespace vantage::cli
