#include "core/run/results_output.h"

#include <utility>

#include "core/base/crash_report.h"
#include "core/base/log.h"
#include "core/pipeline/stages.h"

namespace vantage {

Status ResultsOutput::begin(const Project& project, RunDescription run, const ResultsOptions& options) {
  if (watcher_) run.line_written = [watcher = watcher_](const std::string& line) { watcher->on_line(line); };
  VANTAGE_ASSIGN(writer_, ResultsWriter::open(options.folder, project, run, options.older));
  set_crash_report_copy(options.folder);
  report({options.folder, {}, options.frames, run.transfer});
  return {};
}

void ResultsOutput::publish(const FrameResultRef& result) {
  if (watcher_) watcher_->on_result(result);
}

void ResultsOutput::note_version_change(const VersionChange& change) {
  if (writer_) writer_->note_version_change(change);
}

EndedResults ResultsOutput::end(std::optional<LiveHealth> live) {
  const std::unique_ptr<ResultsWriter> writer = std::move(writer_);
  set_crash_report_copy({});
  if (live) writer->set_live_health(std::move(*live));
  EndedResults ended{writer->finish(trace_), writer->frames(), writer->take_follower()};
  if (watched_)
    report(*watched_);
  else if (watcher_)
    watcher_->on_ended();
  return ended;
}

void ResultsOutput::watch(const Project& project, const RunDescription& run) {
  cameras_.clear();
  for (const ProjectCamera& camera : project.cameras) cameras_.push_back(camera.name);
  const auto stages = stages_with_results(run.grid.has_value(), project.parameters);
  const bool as_before = watched_ && stages == stages_;
  watched_ = BegunResults{{}, header_line(project, run), {}, run.transfer};
  stages_ = stages;
  versions_ = run.versions;
  if (!as_before && !writer_) report(*watched_);
}

void ResultsOutput::show(const FrameResultRef& result, std::optional<std::vector<int64_t>> ids) {
  if (!watcher_ || !watcher_->wants_lines()) return;
  const Result<std::string> line =
      frame_line(*result, cameras_, {.ids = std::move(ids), .header_versions = versions_});
  if (!line) return log_error("frame " + std::to_string(result->frame) + ": " + line.error().message());
  watcher_->on_line(*line);
  watcher_->on_result(result);
}

void ResultsOutput::leave() {
  if (watched_ && watcher_) watcher_->on_ended();
  watched_.reset();
}

void ResultsOutput::report(const BegunResults& begun) {
  if (!watcher_) return;
  BegunResults told = begun;
  if (!told.frames) told.kept = kept_;
  watcher_->on_begun(told);
}

}  // namespace vantage
