#include "app/cli/run_outputs.h"

#include <cstdio>

#include "app/cli/value_or_fail.h"
#include "core/base/log.h"
#include "core/run/describe_run.h"

namespace vantage::cli {
RunOutputs::RunOutputs(const RunOptions& options, OpenedChain& chain, const FrameRange& range,
                       std::unique_ptr<server::ResultServer> server)
    : options_(options),
      chain_(chain),
      offsets_(options.offsets, chain),
      recorder_(start_recording_or_fail(options.live, chain.project, *chain.analysis)),
      served_(std::move(server), options.serve) {
  if (recorder_) chain.project = recorder_->project();  // what the results are of
  summary_.results = options.out.empty() ? chain.project.results_folder().string() : options.out;
  RunDescription description = value_or_fail(
      describe_run(*chain.analysis, chain.backends.on_device(chain.trace.get()), chain.backends.description));
  description.pictures = options.pictures;
  description.line_written = served_.line_listener();
  writer_ = value_or_fail(ResultsWriter::open(summary_.results, chain.project, description));
  served_.start_or_fail(summary_.results, chain, description.transfer, range);
  rules_ = watch_rules_or_fail();
}

// Of recordings `count` finds the events, as often as one likes.
std::optional<RunOutputs::Rules> RunOutputs::watch_rules_or_fail() const {
  const Project& project = chain_.project;
  if (!chain_.analysis->live() || project.rules.empty()) return std::nullopt;
  const double rate = chain_.analysis->recording().frame_rate();
  RuleWatch watch = value_or_fail(RuleWatch::make(project.rules, project.zones, project.lines, rate));
  return Rules{std::move(watch), value_or_fail(EventWriter::open(summary_.results, rate))};
}

bool RunOutputs::take(const FrameResultRef& result) {
  served_.publish(result);
  const bool writing = written_.has_value();
  if (writing) written_ = write(*result);
  if (rules_) {
    const Status told = tell_events(*result);
    if (written_) written_ = told;
  }
  if (written_) summary_.add(*result);
  const bool live = chain_.analysis->live() != nullptr;
  if (live && writing && !written_)
    log_error("results can no longer be written; the cameras are still analysed: " +
              written_.error().message());
  return live || written_.has_value();
}

Status RunOutputs::write(const FrameResult& result) {
  VANTAGE_TRY(writer_->write(result));
  return offsets_.add(result);
}

// Into the file only while the results are written.
Status RunOutputs::tell_events(const FrameResult& result) {
  const std::vector<FloorEvent> news = news_of(rules_->watch, result);
  for (const FloorEvent& event : news)
    std::fprintf(stderr, "event  %s%s %s, x %.2f m, y %.2f m\n", event.rule.c_str(),
                 event.id > 0 ? (": person " + std::to_string(event.id)).c_str() : "",
                 event.last_frame.value_or(event.raised_frame) > event.raised_frame ? "is over" : "raised",
                 event.x_m, event.y_m);
  return written_ ? rules_->file->write(news, chain_.analysis->live()->start_utc_s()) : Status();
}

std::vector<Error> RunOutputs::finish() {
  if (const LiveRecording* live = chain_.analysis->live()) {
    summary_.live = live->health();
    writer_->set_live_health(*summary_.live);
  }
  const Status recorded = recorder_ ? recorder_->finish() : Status();
  const Status finished = writer_->finish(chain_.trace.get());
  served_.stop();  // behind the last lines
  const Status kept = finished ? offsets_.finish(summary_.results, options_.write_offsets) : Status();
  std::vector<Error> errors;
  for (const Status& part : {written_, finished, kept, recorded})
    if (!part) errors.push_back(part.error());
  return errors;
}

void RunOutputs::print(double seconds) {
  summary_.seconds = seconds;
  if (rules_) summary_.events = rules_->watch.raised();
  summary_.served = served_.url();
  (options_.json ? print_summary_json : print_summary)(summary_, chain_, recorder_.get());
}

}  // namespace vantage::cli
