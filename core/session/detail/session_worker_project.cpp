// The session's thread: changes of the project by commands, and by offsets that the run finds.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/results/results_paths.h"
#include "core/results/results_versions.h"
#include "core/session/detail/session_worker.h"
#include "core/video/live/live_address.h"

namespace vantage {
namespace {

// With larger delays the project could not be opened again.
Status check_delays(const Project& project) {
  for (const ProjectCamera& camera : project.cameras)
    if (std::abs(camera.live_delay_s) > kMaxLiveDelay_s)
      return fail(ErrorKind::invalid_argument,
                  "pictures of live cameras wait for each other for 10 s at most", camera.name,
                  "Correct the other cameras in the opposite direction.");
  return {};
}

// A camera of this machine can be opened only once at a time.
bool has_camera_here(const Project& project) {
  return std::any_of(project.cameras.begin(), project.cameras.end(), [](const ProjectCamera& camera) {
    if (!is_live_address(camera.video)) return false;
    const auto address = parse_live_address(camera.video);
    return address &&
           (address->protocol == LiveProtocol::device || address->protocol == LiveProtocol::by_program);
  });
}

// The name in the window: "Volume: Agreement".
std::string parameter_text(const ParameterStore& parameters, const std::string& stage,
                           const std::string& name) {
  for (const ParameterTable* table : parameters.tables())
    if (const auto* one = table->stage == stage ? table->find(name) : nullptr)
      return table->display_name + ": " + one->display_name;
  return stage + "." + name;
}

}  // namespace

void SessionWorker::on(const command::SetParameter& set) {
  Status done;
  edit(parameter_text(state_.project.parameters, set.stage, set.name), [&](Project& project) {
    if (set.value)
      done = project.parameters.set(set.stage, set.name, *set.value);
    else
      project.parameters.reset(set.stage, set.name);
  });
  if (!done) state_.report_error(done.error());
}

Status SessionWorker::edit(const std::string& what, const std::function<void(Project&)>& change) {
  if (!state_.holds_project()) return {};
  Project changed = state_.project;
  change(changed);
  if (!difference(changed, state_.project).any()) return {};
  Project before = state_.project;
  const Status edited = change_project(std::move(changed));
  if (edited) state_.history.note(std::move(before), what, trace_now_ns());
  state_.report_status();
  return edited;
}

void SessionWorker::on(const command::Repair& repair) {
  if (!is_open()) return;
  const auto refuse = [&](const std::string& why, const char* advice) {
    state_.report_error({ErrorKind::invalid_argument, "the repair was not written: " + why, {}, advice});
  };
  if (live_)
    return refuse("IDs of live cameras start again each time",
                  "Record the cameras and repair the recording.");
  if (!results_.tracks()) return refuse("there are no results", "Analyse first.");
  if (const std::string why = why_not(results_.tracks()->paths, repair.meant); !why.empty())
    return refuse(why, "Choose the people again.");
  // Each one can be undone separately.
  edit(
      fmt::format("{} (repair {})", repair_name(repair.meant.repair.kind), state_.project.repairs.size() + 1),
      [&](Project& project) { project.repairs.push_back(repair.meant.repair); });
}

void SessionWorker::on(const command::Did& did) {
  if (!state_.holds_project()) return;
  state_.history.note(did);
  state_.report_status();
}

void SessionWorker::repeat_step(bool undone) {
  ProjectHistory& history = state_.history;
  if (!state_.holds_project() || (undone ? history.undoes() : history.redoes()).empty()) return;
  const ProjectHistory::Step step = undone ? history.undo(state_.project) : history.redo(state_.project);
  if (!step.undo) {
    const ProjectChange change = difference(step.project, state_.project);
    if (undone && (change.recording || change.delays)) state_.run.offsets().only_propose();
    if (!change_project(step.project)) {
      undone ? history.redo(step.project) : history.undo(step.project);
      return state_.report_status();
    }
  }
  state_.report_status();
  listener().on_step({step.what, undone, undone ? step.undo : step.redo});
}

// A change that needs a new analysis is rejected where that cannot be opened. The former analysis stays open
// meanwhile, unless it uses a camera of this machine. If the former one cannot be opened again, the next
// change tries again.
Status SessionWorker::change_project(Project changed) {
  if (const Status fits = check_delays(changed); !fits) {
    state_.report_error(fits.error());
    return fits;
  }
  const ProjectChange change = difference(changed, state_.project);
  std::unique_ptr<Analysis> another;
  bool let_go = false;
  if (change.recording || !is_open()) {
    let_go = live_ && has_camera_here(state_.project);
    if (let_go) {
      leave_live();
      state_.analysis.reset();
    }
    Result<std::unique_ptr<Analysis>> opened = make_analysis(changed);
    if (!opened) {
      state_.report_error(opened.error());
      if (let_go) reopen();
      return fail(opened.error());
    }
    another = std::move(*opened);
  }
  if (const Status named = state_.file.keep_names(changed); !named) {
    state_.report_error(named.error());
    if (let_go) reopen();
    return named;
  }
  const bool numbered_otherwise =
      live_ && path_numbering(changed, true) != path_numbering(state_.project, true);
  state_.project = std::move(changed);
  state_.file.compare(state_.project);
  if (change.recording || change.parameters) forget_failure();
  if (another) {
    take_analysis(std::move(another));
    if (change.repairs) repair_tracks();
    return {};
  }
  take_up_change(change, numbered_otherwise);
  return {};
}

// Applies a change that keeps the analysis.
void SessionWorker::take_up_change(const ProjectChange& change, bool numbered_otherwise) {
  if (change.parameters) {
    if (live_) live_->finish_results();  // the results state the parameters of all their frames
    if (const Status configured = state_.analysis->pipeline().configure(state_.project.parameters);
        !configured)
      state_.report_error(configured.error());
    results_.compare_settings();
    if (live_) live_->publish_watched();
    if (live_) live_->prepare_recordings();
    showing_.want_anew();
  }
  if (change.delays && live_) state_.run.correct_delays();
  if (change.floor && live_)
    live_->watch_rules();
  else if (change.push && live_)
    live_->open_push();
  if (numbered_otherwise) live_->number_people();
  listener().on_opened(state_.project);
  if (change.repairs) repair_tracks();
  if (!live_) results_.report();
}

void SessionWorker::read_results() {
  if (results_.read_on() && !playing_.on()) showing_.want();
}

void SessionWorker::repair_tracks() {
  if (results_.repair() && !playing_.on()) showing_.want();
}

void SessionWorker::forget_failure() {
  state_.failure.forget();
  analysing_.forget_unfinished();
}

// ---- offsets

void SessionWorker::on_offset_proposal(const OffsetProposal& proposal) {
  listener().on_offset_proposal(proposal, false);
}

void SessionWorker::on(const command::ApplyOffset& apply) {
  const OffsetProposal& proposal = apply.proposal;
  const auto camera = static_cast<size_t>(proposal.camera);
  if (!is_open() || proposal.camera <= 0 || camera >= state_.project.cameras.size()) return;
  if (live_) return on_delays({proposal});
  if (analysing_.on()) return state_.run.apply(proposal);
  if (playing_.analyses()) return state_.run.apply_at(proposal, state_.frame + 1);
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

// An edit like any other, except that the analysis already has it.
void SessionWorker::on_offset_applied(const AppliedOffset& applied) {
  Project before = state_.project;
  state_.project.cameras[applied.proposal.camera].offset_changes.push_back(applied.change);
  const VersionChange& versions = applied.versions;
  results_.restate(versions);
  if (state_.run.writing())
    results_.leave_other_tracks();
  else
    restate_stored(versions);
  state_.history.note(std::move(before), "offset from " + std::to_string(versions.first_frame),
                      trace_now_ns());
  state_.file.compare(state_.project);
  listener().on_opened(state_.project);
  listener().on_offset_proposal(applied.proposal, true);
  results_.report();
  state_.report_status();
}

void SessionWorker::restate_stored(const VersionChange& versions) {
  const std::filesystem::path results = state_.project.results_folder() / "results.jsonl";
  std::error_code none;
  if (!state_.keeps_results() || !std::filesystem::exists(results, none)) return;
  if (const Status written = restate_versions(results, {&versions, 1}); !written)
    state_.report_error(written.error());
  results_.want(true);
}

// The cameras continue; findings about several of them are corrected at once.
void SessionWorker::on_delays(const std::vector<OffsetProposal>& proposals) {
  const Status edited = edit("delays", [&](Project& project) {
    for (const OffsetProposal& proposal : proposals)
      project.cameras[proposal.camera].live_delay_s += proposal.delay_s.value_or(0);
  });
  if (!edited) return;
  for (const OffsetProposal& proposal : proposals) listener().on_offset_proposal(proposal, true);
}

}  // namespace vantage
