// The session's thread: analysing a range into the results.
#include <algorithm>
#include <utility>

#include "core/base/formatted.h"
#include "core/session/detail/session_worker.h"

namespace vantage {
namespace {

constexpr int64_t kShowInterval_ns = 40'000'000;  // frames that are shown

}  // namespace

// ---- analysing

void SessionWorker::analyse(FrameRange range) {
  if (live_) return write_live_results();
  if (!analysis_) return;
  const StopSource counting = commands_.begin(Work::analysing);
  if (const Result<int64_t> count = analysis_->source().wait_for_frame_count(counting)) {
    range.begin = std::clamp<int64_t>(range.begin, 0, *count);
    range.end = std::clamp<int64_t>(range.end, range.begin, *count);
  }
  commands_.end();
  status_.playing = false;
  status_.analysing = true;
  status_.activity = "Analysing";
  report_status();
  const Status status = write_range(range);
  status_.analysing = false;
  status_.activity.clear();
  status_.analysed_fps = 0;
  status_.seconds_left = -1;
  show_wanted_ = true;
  if (!status && status.error().kind == ErrorKind::cancelled)
    listener().on_note("Stopped. The results so far are kept.");
  else if (!status)
    report_error(status.error());
  const bool device_failed = !status && (status.error().kind == ErrorKind::device_lost ||
                                         status.error().kind == ErrorKind::out_of_memory);
  if (!device_failed) unfinished_.reset();
  report_results();
  report_status();
}

// However it ends, what was computed is kept and complete.
Status SessionWorker::write_range(FrameRange range) {
  unfinished_ = range;
  const StopSource stop = commands_.begin(Work::analysing);
  Status status = begin_range(range);
  if (status) status = analyse_frames(range, stop);
  commands_.end();
  stored_results_wanted_ = run_.writing();  // the numbers of everybody are known only now
  if (run_.writing())
    if (const EndedResults ended = run_.end_results(); !ended.status && status) status = ended.status;
  return status;
}

// A project that was never saved, or that somebody else has, keeps its results in memory.
Status SessionWorker::begin_range(FrameRange range) {
  if (!keeps_results()) return {};
  VANTAGE_ASSIGN(RunDescription run, describe());
  VANTAGE_TRY(run_.begin_results(std::move(run),
                                 {project_.results_folder(), OlderFrames::keep, range.end - range.begin}));
  leave_other_tracks();
  return {};
}

// Tracks of other parameters go with their results, whose place these take; nobody is called by their numbers
// meanwhile.
void SessionWorker::leave_other_tracks() {
  const std::vector<uint64_t> current = current_tracks();
  if (!tracks_.tracks() || std::find(current.begin(), current.end(), tracks_version_) != current.end())
    return;
  tracks_ = {};
  listener().on_tracks(nullptr);
}

void SessionWorker::forget_failure() {
  before_failure_.reset();
  device_versions_.clear();
  unfinished_.reset();
}

void SessionWorker::on(const command::ContinueOnCpu&) {
  if (!analysis_ || device_ == Device::cpu) return;
  before_failure_ = present_versions();
  device_ = Device::cpu;
  if (!reopen()) return;
  listener().on_note("Continuing on the CPU until the program is restarted.");
  if (const auto range = std::exchange(unfinished_, std::nullopt)) analyse(*range);
}

Status SessionWorker::analyse_frames(FrameRange range, const StopSource& stop) {
  const int64_t start_ns = trace_now_ns();
  bool sought = false;  // somebody looks elsewhere: the frame asked for then stays
  return run_.analyse(range, ExecutionMode::threaded, stop, [&](const FrameResultRef& result) {
    while (auto command = commands_.take_beside(Work::analysing)) {
      const int64_t before = frame_;
      carry_out(*command);
      sought = sought || frame_ != before;
    }
    status_.playing = false;
    if (!sought) frame_ = result->frame;
    if (unfinished_) unfinished_->begin = result->frame + 1;
    note_analysed(*result);
    report_progress(result->frame - range.begin + 1, range.end - range.begin, start_ns);
    if (due(&last_frame_ns_, kShowInterval_ns)) hand_over(result);
    return true;
  });
}

void SessionWorker::report_progress(int64_t done, int64_t total, int64_t start_ns) {
  const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
  status_.analysed_fps = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  status_.seconds_left = static_cast<double>(total - done) * seconds / static_cast<double>(done);
  const auto left = static_cast<long long>(status_.seconds_left + 0.5);
  status_.activity = formatted("Analysing %.3g fps, %lld:%02lld", status_.analysed_fps, left / 60, left % 60);
  if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
  if (due(&last_results_ns_, kStatusInterval_ns)) report_results();
}

Result<RunDescription> SessionWorker::describe() {
  VANTAGE_ASSIGN(RunDescription run, run_.describe());
  if (before_failure_) run.also_kept = device_versions_;
  run.continued = before_failure_.has_value();
  return run;
}

}  // namespace vantage
