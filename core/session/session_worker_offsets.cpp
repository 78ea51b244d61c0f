// The session's thread: whether the cameras stay in step while frames are analysed, and what is done about
// it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/log.h"
#include "core/project/results_versions.h"
#include "core/session/session_worker.h"

namespace vantage {
namespace {

constexpr double kSameMoment_s = 1;  // findings about one loss differ by less

}  // namespace

void SessionWorker::set_offset_watch(OffsetWatch watch) {
  if (watch == offsets_.watch) return;
  offsets_.watch = watch;
  offsets_.taken_back = false;
  if (watch != OffsetWatch::off) return;
  offsets_.monitor.reset();
  offsets_.delays.reset();
}

SignalWindowOptions SessionWorker::signals_options() const {
  SignalWindowOptions options;
  options.backends = backends();
  options.frame_rate = frame_rate();
  return options;
}

// Null where watching is impossible.
template <typename Monitor>
std::unique_ptr<Monitor> SessionWorker::watched_by(Result<std::unique_ptr<Monitor>> made) {
  offsets_.impossible = !made;
  if (made) return std::move(*made);
  log_info("the cameras' offsets are not watched: " + made.error().message());
  return nullptr;
}

// Every frame that is analysed in order; after a jump the monitor begins anew.
void SessionWorker::watch_offsets(const FrameResult& result) {
  if (offsets_.watch == OffsetWatch::off || offsets_.impossible || !analysis_->grid()) return;
  const bool goes_on = result.frame == offsets_.last_frame || result.frame == offsets_.last_frame + 1;
  if (!goes_on) offsets_.monitor.reset();
  offsets_.last_frame = result.frame;
  if (!offsets_.monitor) offsets_.monitor = watched_by(OffsetMonitor::make(project_, {signals_options()}));
  if (!offsets_.monitor) return;
  const Result<std::vector<OffsetProposal>> proposals = offsets_.monitor->add(result);
  if (!proposals) {
    offsets_.impossible = true;
    return report_error(proposals.error());
  }
  for (const OffsetProposal& proposal : *proposals) consider(proposal);
}

void SessionWorker::consider(const OffsetProposal& proposal) {
  const auto same_moment = static_cast<int64_t>(kSameMoment_s * frame_rate());
  const bool known = std::any_of(offsets_.told.begin(), offsets_.told.end(), [&](const OffsetProposal& told) {
    return told.camera == proposal.camera && told.frames == proposal.frames &&
           std::llabs(told.since - proposal.since) <= same_moment;
  });
  if (known) return;
  offsets_.told.push_back(proposal);
  if (offsets_.watch == OffsetWatch::apply && !offsets_.taken_back)
    offsets_.accepted.push_back(proposal);
  else
    listener_->on_offset_proposal(proposal, false);
}

void SessionWorker::apply_offset(const OffsetProposal& proposal) {
  const auto camera = static_cast<size_t>(proposal.camera);
  if (!analysis_ || proposal.camera <= 0 || camera >= project_.cameras.size()) return;
  if (live_) return apply_delays({proposal});
  if (status_.analysing) return offsets_.accepted.push_back(proposal);
  if (status_.playing && analyse_while_playing_) {
    offsets_.accepted.push_back(proposal);
    return carry_out_offsets(frame_ + 1);
  }
  edit("offset since " + std::to_string(proposal.since), [&](Project& project) {
    ProjectCamera& moved = project.cameras[camera];
    if (proposal.since == 0)
      moved.offset_frames += proposal.frames;
    else
      moved.offset_changes.push_back({proposal.since, static_cast<double>(proposal.frames)});
    moved.offset_confirmed = true;
  });
  listener_->on_offset_proposal(proposal, true);
}

// The chain stands still. From `first_frame` on the recording is that of the changed project; frames before
// it are the same under both, and whatever is kept of them holds.
void SessionWorker::carry_out_offsets(int64_t first_frame) {
  for (const OffsetProposal& proposal : std::exchange(offsets_.accepted, {}))
    carry_out(proposal, first_frame);
  report_results();
  report_status();
}

void SessionWorker::carry_out(const OffsetProposal& proposal, int64_t first_frame) {
  Project before = project_;
  const StageVersions present = present_versions(), old = analysis_->pipeline().versions();
  const OffsetChange change{first_frame, static_cast<double>(proposal.frames)};
  analysis_->recording().change_offset(proposal.camera, change);
  analysis_->pipeline().keep_before(first_frame);
  const StageVersions now = analysis_->pipeline().versions();
  project_.cameras[static_cast<size_t>(proposal.camera)].offset_changes.push_back(change);
  analysed_.restate(present, now, first_frame);
  trails_.restate(analysis_->pipeline().version(kTrackingStage));
  const std::filesystem::path results = project_.results_folder() / "results.jsonl";
  std::error_code none;
  if (keeps_results() && std::filesystem::exists(results, none)) {
    const auto restated = [&](std::string_view stage, uint64_t version) {
      const auto was = old.find(stage), is = now.find(stage);
      return was != old.end() && was->second == version && is != now.end() ? is->second : version;
    };
    if (const Status written = restate_versions(results, restated, first_frame); !written)
      report_error(written.error());
    stored_results_wanted_ = true;
  }
  history_.note(std::move(before), "offset from " + std::to_string(first_frame), trace_now_ns());
  file_.compare(project_);
  listener_->on_opened(project_);
  listener_->on_offset_proposal(proposal, true);
}

// ---- live cameras

void SessionWorker::watch_delays(const FrameResult& result) {
  if (offsets_.watch == OffsetWatch::off || offsets_.impossible || !analysis_->grid()) return;
  if (!offsets_.delays) offsets_.delays = watched_by(DelayMonitor::make(project_, signals_options()));
  if (!offsets_.delays) return;
  Result<std::vector<OffsetProposal>> proposals = offsets_.delays->add(result, analysis_->live()->thinning());
  if (proposals) return consider_delays(std::move(*proposals));
  offsets_.impossible = true;
  report_error(proposals.error());
}

void SessionWorker::consider_delays(std::vector<OffsetProposal> proposals) {
  std::erase_if(proposals, [&](const OffsetProposal& proposal) {
    return std::any_of(offsets_.told.begin(), offsets_.told.end(), [&](const OffsetProposal& told) {
      return told.camera == proposal.camera && told.delay_s &&
             std::abs(*told.delay_s - *proposal.delay_s) * frame_rate() < 1;
    });
  });
  if (proposals.empty()) return;
  offsets_.told.insert(offsets_.told.end(), proposals.begin(), proposals.end());
  if (offsets_.watch == OffsetWatch::apply && !offsets_.taken_back) return apply_delays(proposals);
  for (const OffsetProposal& proposal : proposals) listener_->on_offset_proposal(proposal, false);
}

// The cameras go on; what is proposed of several of them comes into step at once.
void SessionWorker::apply_delays(const std::vector<OffsetProposal>& proposals) {
  const Status edited = edit("delays", [&](Project& project) {
    for (const OffsetProposal& proposal : proposals)
      project.cameras[static_cast<size_t>(proposal.camera)].live_delay_s += proposal.delay_s.value_or(0);
  });
  if (!edited) return;
  for (const OffsetProposal& proposal : proposals) listener_->on_offset_proposal(proposal, true);
}

// The cameras that run take up the project's delays.
void SessionWorker::correct_delays() {
  if (!analysis_->live()) return;
  const int64_t first = analysis_->live()->set_delays(project_.live_delays_s());
  if (offsets_.delays) offsets_.delays->begin_anew(first);
  offsets_.told.clear();
}

}  // namespace vantage
