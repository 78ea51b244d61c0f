#include "core/session/detail/session_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/pipeline/stages.h"

namespace vantage {

SessionState::SessionState(SessionOptions session_options,
                           std::shared_ptr<SessionListener> listener_of_session,
                           CommandQueue& session_commands, RunListener& run_listener)
    : options(std::move(session_options)),
      session_listener(std::move(listener_of_session)),
      commands(session_commands),
      device(options.backends.device),
      run(project, {options.backends, options.device_description, options.results}, run_listener) {}

DeviceBackends SessionState::backends() const {
  DeviceBackends chosen = options.backends;
  chosen.device = device;
  return chosen;
}

bool SessionState::keeps_results() const {
  return !project.path.empty() && !file.held_by();
}

int64_t SessionState::last_frame() const {
  return std::max<int64_t>(analysis->source().frame_count() - 1, 0);
}

double SessionState::frame_rate() const {
  return analysis->source().frame_rate();
}

std::string_view SessionState::last_stage() const {
  return analysis->grid() ? kTrackingStage : kForegroundStage;
}

StageVersions SessionState::present_versions() const {
  return with_results(analysis->pipeline().versions());
}

StageVersions SessionState::with_results(const StageVersions& versions) const {
  StageVersions chosen;
  for (const std::string_view stage : stages_with_results(analysis->grid() != nullptr, project.parameters)) {
    const auto version = versions.find(stage);
    chosen.emplace(stage, version == versions.end() ? 0 : version->second);
  }
  return chosen;
}

std::vector<size_t> SessionState::without_video() const {
  std::vector<size_t> cameras;
  for (const MissingFile& one : missing)
    if (one.role == FileRole::video) cameras.push_back(one.camera);
  return cameras;
}

Result<RunDescription> SessionState::describe_run() const {
  VANTAGE_ASSIGN(RunDescription description, run.describe());
  description.continued = failure.before.has_value();
  return description;
}

void SessionState::report_status() {
  status = {};
  status.open = analysis != nullptr;
  status.on_cpu = device == Device::cpu;
  status.frame = frame;
  if (analysis && !analysis->live()) {
    FrameSource& source = analysis->source();
    status.frame_count = source.frame_count();
    status.frame_count_exact = source.frame_count_exact();
    status.frame_rate = frame_rate();
  }
  status.undoes = history.undoes();
  status.redoes = history.redoes();
  status.unsaved = holds_project() && file.unsaved();
  status.recoverable_s = file.recoverable_s();
  if (analysis) {
    status.missing = missing_text(project, missing);
    status.without_video = without_video();
  }
  status.held_by = file.held_by();
  status.changed_outside = file.changed_outside();
  for (SessionMode* mode : modes) mode->describe(status);
  if (!opening.empty()) status.activity = opening;
  listener().on_status(status);
}

void SessionState::report_status_in_turn() {
  constexpr int64_t kInterval_ns = 200'000'000;
  if (due(&last_status_ns, kInterval_ns)) report_status();
}

int64_t SessionState::trail_frames() const {
  return std::llround(limits.trail_s * frame_rate());
}

void SessionState::hand_over(std::shared_ptr<ShownFrame> frame_to_show, Ids ids) {
  if (cut) {
    auto plane = analysis->cut(*frame_to_show->result, project.parameters.get<CarvingParameters>(), *cut);
    if (plane) {
      frame_to_show->cut = std::move(*plane);
    } else {
      report_error(plane.error());
      cut.reset();
    }
  }
  if (analysis->grid()) {
    frame_to_show->trails = trails.until(
        frame_to_show->result->frame, trail_frames(), analysis->pipeline().version(kTrackingStage),
        ids == Ids::of_results ? TrailStore::From::results : TrailStore::From::any);
    if (ids == Ids::none)
      for (Trail& trail : frame_to_show->trails) trail.id = 0;
  }
  frame_on_screen = frame_to_show->result->frame;
  shown = frame_to_show->result;
  listener().on_frame(std::move(frame_to_show));
}

bool SessionState::due(int64_t* last_ns, int64_t interval_ns) {
  const int64_t now = trace_now_ns();
  if (*last_ns != 0 && now - *last_ns < interval_ns) return false;
  *last_ns = now;
  return true;
}

}  // namespace vantage
