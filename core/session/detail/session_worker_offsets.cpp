// The session's thread: what the run finds about the cameras' offsets, and what the project gets of it.
#include <utility>

#include "core/results/results_versions.h"
#include "core/session/detail/session_worker.h"

namespace vantage {

void SessionWorker::on_offset_proposal(const OffsetProposal& proposal) {
  listener().on_offset_proposal(proposal, false);
}

void SessionWorker::on_watching_failed(const Error& error) {
  report_error(error);
}

void SessionWorker::on(const command::ApplyOffset& apply) {
  const OffsetProposal& proposal = apply.proposal;
  const auto camera = static_cast<size_t>(proposal.camera);
  if (!analysis_ || proposal.camera <= 0 || camera >= project_.cameras.size()) return;
  if (live_) return on_delays({proposal});
  if (status_.analysing) return run_.apply(proposal);
  if (status_.playing && analyse_while_playing_) return run_.apply_at(proposal, frame_ + 1);
  edit("offset since " + std::to_string(proposal.since), [&](Project& project) {
    ProjectCamera& moved = project.cameras[camera];
    if (proposal.since == 0)
      moved.offset_frames += proposal.frames;
    else
      moved.offset_changes.push_back({proposal.since, static_cast<double>(proposal.frames)});
    moved.offset_confirmed = true;
  });
  listener().on_offset_proposal(proposal, true);
}

// An edit like any other, but for the analysis, which has it already.
void SessionWorker::on_offset_applied(const AppliedOffset& applied) {
  Project before = project_;
  project_.cameras[static_cast<size_t>(applied.proposal.camera)].offset_changes.push_back(applied.change);
  const VersionChange& versions = applied.versions;
  analysed_.restate(with_results(versions.before), versions.now, versions.first_frame);
  trails_.restate(analysis_->pipeline().version(kTrackingStage));
  if (run_.writing())
    leave_other_tracks();
  else
    restate_stored(versions);
  history_.note(std::move(before), "offset from " + std::to_string(versions.first_frame), trace_now_ns());
  file_.compare(project_);
  listener().on_opened(project_);
  listener().on_offset_proposal(applied.proposal, true);
  report_results();
  report_status();
}

void SessionWorker::restate_stored(const VersionChange& versions) {
  const std::filesystem::path results = project_.results_folder() / "results.jsonl";
  std::error_code none;
  if (!keeps_results() || !std::filesystem::exists(results, none)) return;
  if (const Status written = restate_versions(results, {&versions, 1}); !written)
    report_error(written.error());
  stored_results_wanted_ = true;
}

// The cameras go on; what is found of several of them is corrected at once.
void SessionWorker::on_delays(const std::vector<OffsetProposal>& proposals) {
  const Status edited = edit("delays", [&](Project& project) {
    for (const OffsetProposal& proposal : proposals)
      project.cameras[static_cast<size_t>(proposal.camera)].live_delay_s += proposal.delay_s.value_or(0);
  });
  if (!edited) return;
  for (const OffsetProposal& proposal : proposals) listener().on_offset_proposal(proposal, true);
}

}  // namespace vantage
