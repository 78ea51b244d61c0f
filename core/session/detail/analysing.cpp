#include "core/session/detail/analysing.h"

#include <algorithm>
#include <utility>

#include "core/base/formatted.h"
#include "core/pipeline/whole_frame.h"

namespace vantage {

void Analysing::analyse(FrameRange range) {
  const StopSource counting = state_.commands.begin(Work::analysing);
  if (const Result<int64_t> count = state_.analysis->source().wait_for_frame_count(counting)) {
    range.begin = std::clamp<int64_t>(range.begin, 0, *count);
    range.end = std::clamp<int64_t>(range.end, range.begin, *count);
  }
  state_.commands.end();
  playing_.leave();
  on_ = true;
  activity_ = "Analysing";
  state_.report_status();
  const Status status = write_range(range);
  on_ = false;
  activity_.clear();
  analysed_fps_ = 0;
  seconds_left_ = -1;
  showing_.want();
  report_end(status);
}

void Analysing::report_end(const Status& status) {
  if (!status && status.error().kind == ErrorKind::cancelled)
    state_.listener().on_note("Stopped. The results so far are kept.");
  else if (!status)
    state_.report_error(status.error());
  const bool device_failed = !status && (status.error().kind == ErrorKind::device_lost ||
                                         status.error().kind == ErrorKind::out_of_memory);
  if (!device_failed) unfinished_.reset();
  for (const std::string& fault : state_.run.detector_faults()) state_.listener().on_note(fault);
  results_.report();
  state_.report_status();
}

Status Analysing::write_range(FrameRange range) {
  unfinished_ = range;
  const StopSource stop = state_.commands.begin(Work::analysing);
  Status status = begin_results(range);
  if (status) status = analyse_frames(range, stop);
  state_.commands.end();
  const bool writing = state_.run.writing();
  results_.want(writing);  // the IDs of everybody are known only now
  if (writing)
    if (const EndedResults ended = state_.run.end_results(); !ended.status && status) status = ended.status;
  return status;
}

// A project that was never saved, or that another program has, keeps its results in memory.
Status Analysing::begin_results(FrameRange range) {
  if (!state_.keeps_results()) return {};
  VANTAGE_ASSIGN(RunDescription run, state_.describe_run());
  const std::shared_ptr<ResultsWatcher>& watcher = state_.options.results;
  VANTAGE_TRY(state_.run.begin_results(
      std::move(run), {state_.project.results_folder(), OlderFrames::keep, range.end - range.begin,
                       !watcher || !watcher->wants_lines()}));
  results_.leave_other_tracks();
  return {};
}

Status Analysing::analyse_frames(FrameRange range, const StopSource& stop) {
  constexpr int64_t kShowInterval_ns = 40'000'000;
  const int64_t start_ns = trace_now_ns();
  bool sought = false;  // a person looks elsewhere: the frame asked for then stays
  return state_.run.analyse(range, ExecutionMode::threaded, stop, [&](const FrameResultRef& result) {
    while (auto command = state_.commands.take_beside(Work::analysing)) {
      const int64_t before = state_.frame;
      carry_out_(*command);
      sought = sought || state_.frame != before;
    }
    playing_.leave();
    if (!sought) state_.frame = result->frame;
    if (unfinished_) unfinished_->begin = result->frame + 1;
    results_.note(*result);
    report_progress(result->frame - range.begin + 1, range.end - range.begin, start_ns);
    // The picture on screen stays while frames come without.
    if (is_whole(*result) && SessionState::due(&last_frame_ns_, kShowInterval_ns)) results_.show(result);
    return true;
  });
}

void Analysing::report_progress(int64_t done, int64_t total, int64_t start_ns) {
  const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
  analysed_fps_ = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  seconds_left_ = static_cast<double>(total - done) * seconds / static_cast<double>(done);
  const auto left = static_cast<long long>(seconds_left_ + 0.5);
  activity_ = formatted("Analysing %.3g fps, %lld:%02lld", analysed_fps_, left / 60, left % 60);
  state_.report_status_in_turn();
  results_.report_in_turn();
}

void Analysing::describe(SessionStatus& status) {
  if (!on_) return;
  status.analysing = true;
  status.analysed_fps = analysed_fps_;
  status.seconds_left = seconds_left_;
  status.activity = activity_;
}

}  // namespace vantage
