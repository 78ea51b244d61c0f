// A run of live cameras.
#include <cassert>
#include <cmath>
#include <utility>

#include "core/live/recording_parameters.h"
#include "core/run/run.h"

namespace vantage {
namespace {

constexpr int64_t kHealthInterval_ns = 200'000'000;
constexpr double kToldLate_s = 3;  // an event is told so long after it was raised, or less
constexpr int64_t kFaultsInterval_ns = 5'000'000'000;  // to judge detectors takes a while

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

// All cameras' at once.
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

}  // namespace vantage
