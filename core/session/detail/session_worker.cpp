#include "core/session/detail/session_worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/allocator.h"
#include "core/pipeline/stages.h"
#include "core/project/missing_files.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

// With larger ones the project could not be opened again.
Status check_delays(const Project& project) {
  for (const ProjectCamera& camera : project.cameras)
    if (std::abs(camera.live_delay_s) > kMaxLiveDelay_s)
      return fail(ErrorKind::invalid_argument,
                  "pictures of live cameras wait for each other for 10 s at most", camera.name,
                  "Correct the other cameras in the opposite direction.");
  return {};
}

}  // namespace

SessionWorker::SessionWorker(SessionOptions options, std::shared_ptr<SessionListener> listener,
                             CommandQueue& commands)
    : options_(std::move(options)),
      listener_(std::move(listener)),
      commands_(commands),
      device_(options_.backends.device),
      run_(project_, {options_.backends, options_.device_description, options_.results}, *this) {}

void SessionWorker::run() {
  while (!quit_) {
    if (auto command = commands_.take())
      carry_out(*command);
    else if (analysis_ && live_ && live_->back_wanted)
      show_recorded();
    else if (analysis_ && live_)
      live_->failed ? idle() : follow_live();
    else if (analysis_ && stored_results_wanted_ && (status_.playing || shown_once_))
      read_stored_results();  // before anything is computed: they may tell who is there
    else if (analysis_ && status_.playing && analyse_while_playing_ && rate_ > 0)
      play_analysing();
    else if (analysis_ && status_.playing)
      play_pictures();
    else if (analysis_ && show_wanted_)
      show();
    else if (analysis_ && stored_results_wanted_)
      read_stored_results();
    else if (analysis_ && refine_wanted_)
      refine();
    else
      idle();
  }
}

// The count of frames becomes exact some time after opening.
void SessionWorker::idle() {
  const bool counting = analysis_ && !live_ && !status_.frame_count_exact;
  const auto time = counting ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (commands_.wait_for_one(time)) return;
  if (!counting) {
    examine_file();
    return take_up_found_again();
  }
  report_status();
  if (status_.frame_count_exact) report_results();
}

// ---- opening and closing

void SessionWorker::carry_out(const SessionCommand& command) {
  std::visit([this](const auto& posted) { on(posted); }, command);
}

void SessionWorker::on(const command::OpenFile& open) {
  close();
  const uint64_t stamp =
      project_stamp(open.path);  // before it is read: what changes meanwhile is seen as a change
  Result<Project> project = load_project(open.path);
  if (!project) return report_error(project.error());
  file_.opened(*project, stamp);
  begin(*project);
  if (analysis_) report_status();
}

void SessionWorker::on(const command::OpenProject& open) {
  close();
  begin(open.project);
}

void SessionWorker::begin(const Project& project) {
  Result<std::unique_ptr<Analysis>> opened = make_analysis(project);
  if (!opened) {
    file_.forget();
    if (opened.error().kind != ErrorKind::cancelled) report_error(opened.error());
    return report_status();
  }
  project_ = project;
  file_.compare(project_);
  take_analysis(std::move(*opened));
}

Result<std::unique_ptr<Analysis>> SessionWorker::make_analysis(const Project& project) {
  AnalysisOptions options;
  options.backends = backends();
  options.hardware = options_.hardware;
  options.host_display = host_display_;
  options.pipeline.cache_bytes = limits_.cache_bytes;
  options.pipeline.checkpoint_bytes = limits_.checkpoint_bytes;
  options.credentials = options_.credentials;
  if (project.live()) options.live = options_.live;
  options.without_missing = true;
  options.stop = commands_.begin(Work::showing);  // live cameras are waited for
  Result<std::unique_ptr<Analysis>> opened = Analysis::open(project, options);
  commands_.end();
  return opened;
}

void SessionWorker::take_analysis(std::unique_ptr<Analysis> analysis) {
  leave_live();
  analysis_ = std::move(analysis);
  run_.attach(*analysis_);
  missing_ = missing_files(project_);
  listener().on_opened(project_);
  for (const std::string& note : analysis_->notes()) listener().on_note(note);
  shown_once_ = false;
  first_people_ = true;
  if (analysis_->live()) return begin_live();
  stored_results_wanted_ = !project_.path.empty();
  seek(frame_);
  report_results();
}

void SessionWorker::close() {
  const bool was_open = analysis_ != nullptr;
  file_.leave(project_);
  leave_live();
  analysis_.reset();
  project_ = {};
  history_.clear();
  analysed_.clear();
  tracks_ = {};
  forget_failure();
  trails_.clear();
  run_.offsets().forget();
  frame_ = 0;
  show_wanted_ = refine_wanted_ = stored_results_wanted_ = false;
  status_ = {};
  if (!was_open) return;
  report_status();
  listener().on_results({});
  listener().on_tracks(nullptr);
  give_back_free_memory();
}

void SessionWorker::on(const command::Quit&) {
  file_.leave(project_);
  leave_live();
  quit_ = true;
}

void SessionWorker::on(const command::Save& save) {
  write_file(save.path, ProjectFile::Over::what_was_read);
}

void SessionWorker::on(const command::Overwrite&) {
  write_file(project_.path, ProjectFile::Over::anything);
}

void SessionWorker::write_file(const std::filesystem::path& path, ProjectFile::Over over) {
  if (!analysis_) return;
  const Result<Saved> saved = file_.save(project_, path, over);
  if (!saved) report_error(saved.error());
  if (!saved || *saved == Saved::changed_outside) return report_status();
  const auto repaired = write_repaired(project_.results_folder(), project_.repairs);
  if (!repaired && repaired.error().kind != ErrorKind::not_found)
    listener().on_note(repaired.error().message());
  listener().on_opened(project_);
  report_status();
}

void SessionWorker::on(const command::Reload&) {
  if (!analysis_) return;
  const Result<Project> there = file_.read_again();
  if (!there) return report_error(there.error());
  if (!difference(*there, project_).any())
    project_ = *there;  // with what is no part of it: keys of other programs
  else if (!edit("reload", [&](Project& project) { project = *there; }))
    return;
  file_.took(*there);
  file_.compare(project_);
  listener().on_opened(project_);
  report_status();
}

void SessionWorker::on(const command::TakeOver&) {
  file_.take_over();
  stored_results_wanted_ = keeps_results();
  report_status();
}

void SessionWorker::examine_file() {
  if (!analysis_) return;
  file_.look(project_);
  report_status();
}

// A disk was put in again, or files were copied back.
void SessionWorker::take_up_found_again() {
  if (!analysis_ || live_ || missing_.empty() || missing_files(project_).size() >= missing_.size()) return;
  reopen();
  report_status();
}

bool SessionWorker::keeps_results() const {
  return !project_.path.empty() && !file_.held_by();
}

void SessionWorker::on(const command::Autosave&) {
  if (analysis_) file_.autosave(project_);
}

void SessionWorker::on(const command::Recover&) {
  if (!analysis_) return;
  if (const std::optional<Project> kept = file_.take_recoverable())
    edit("recovery", [&](Project& project) { project = *kept; });
}

void SessionWorker::on(const command::SetCut& set) {
  cut_ = set.plane;
  show_wanted_ = analysis_ != nullptr;
}

void SessionWorker::on(const command::SetLimits& set) {
  limits_ = set.limits;
  if (!analysis_) return;
  analysis_->pipeline().set_limits(limits_.cache_bytes, limits_.checkpoint_bytes);
  show_wanted_ = true;  // with trails of that length
}

void SessionWorker::on(const command::SetHostDisplay& set) {
  if (host_display_ == set.on) return;
  host_display_ = set.on;
  if (!analysis_ || device_ == Device::cpu) return;
  analysed_.clear();
  reopen();
}

bool SessionWorker::reopen() {
  leave_live();
  analysis_.reset();  // a device may not hold both
  Result<std::unique_ptr<Analysis>> opened = make_analysis(project_);
  if (!opened) {
    report_error(opened.error());
    report_status();
    return false;
  }
  take_analysis(std::move(*opened));
  return true;
}

// ---- changes of the project

void SessionWorker::on(const command::SetParameter& set) {
  Status done;
  edit(set.stage + "." + set.name, [&](Project& project) {
    if (set.value)
      done = project.parameters.set(set.stage, set.name, *set.value);
    else
      project.parameters.reset(set.stage, set.name);
  });
  if (!done) report_error(done.error());
}

Status SessionWorker::edit(const std::string& what, const std::function<void(Project&)>& change) {
  if (!analysis_) return {};
  Project changed = project_;
  change(changed);
  if (!difference(changed, project_).any()) return {};
  Project before = project_;
  const Status edited = change_project(std::move(changed));
  if (edited) history_.note(std::move(before), what, trace_now_ns());
  report_status();
  return edited;
}

void SessionWorker::on(const command::Repair& repair) {
  if (!analysis_) return;
  const auto refuse = [&](const std::string& why, const char* advice) {
    report_error({ErrorKind::invalid_argument, "the repair was not written: " + why, {}, advice});
  };
  if (live_)
    return refuse("IDs of live cameras start again each time",
                  "Record the cameras and repair the recording.");
  if (!tracks_.tracks()) return refuse("there are no results", "Analyse first.");
  if (const std::string why = why_not(tracks_.tracks()->paths, repair.meant); !why.empty())
    return refuse(why, "Choose the people again.");
  // Each one is a step of its own to take back.
  edit("repair " + std::to_string(project_.repairs.size() + 1),
       [&](Project& project) { project.repairs.push_back(repair.meant.repair); });
}

void SessionWorker::on(const command::Undo&) {
  if (!analysis_ || !history_.can_undo()) return;
  const Project target = history_.undo(project_);
  const ProjectChange change = difference(target, project_);
  if (change.recording || change.delays) run_.offsets().only_propose();
  if (!change_project(target)) history_.redo(target);
  report_status();
}

void SessionWorker::on(const command::Redo&) {
  if (!analysis_ || !history_.can_redo()) return;
  const Project target = history_.redo(project_);
  if (!change_project(target)) history_.undo(target);
  report_status();
}

// Where the change needs another analysis and that one cannot be had, the project stays as it was.
Status SessionWorker::change_project(Project changed) {
  if (const Status fits = check_delays(changed); !fits) {
    report_error(fits.error());
    return fits;
  }
  const ProjectChange change = difference(changed, project_);
  std::unique_ptr<Analysis> another;
  if (change.recording) {
    Result<std::unique_ptr<Analysis>> opened = make_analysis(changed);
    if (!opened) {
      report_error(opened.error());
      return fail(opened.error());
    }
    another = std::move(*opened);
  }
  const bool numbered_otherwise = live_ && path_numbering(changed, true) != path_numbering(project_, true);
  project_ = std::move(changed);
  file_.compare(project_);
  if (change.recording || change.parameters) forget_failure();
  if (another) {
    take_analysis(std::move(another));
    if (change.repairs) repair_tracks();
    return {};
  }
  if (change.parameters) {
    finish_live_results();  // they name the parameters of all of them
    if (const Status configured = analysis_->pipeline().configure(project_.parameters); !configured)
      report_error(configured.error());
    if (live_) publish_watched();
    show_wanted_ = true;
    refine_wanted_ = false;
  }
  if (change.delays && live_) run_.correct_delays();
  if (change.floor && live_) watch_rules();
  if (numbered_otherwise) number_people();
  listener().on_opened(project_);
  if (change.repairs) repair_tracks();
  report_results();
  return {};
}

// ---- to the listener

void SessionWorker::deliver(FrameResultRef result) {
  note_analysed(*result);
  hand_over(std::move(result));
}

// Cut and trails go with what is shown and are kept nowhere.
void SessionWorker::hand_over(FrameResultRef result) {
  const int64_t trail_frames = std::llround(limits_.trail_s * frame_rate());
  Numbers numbers = Numbers::none;
  auto shown = std::make_shared<ShownFrame>(ShownFrame{.result = std::move(result)});
  if (live_) {
    trails_.set_stored(live_->tracks.since(shown->result->frame - trail_frames),
                       analysis_->pipeline().version(kTrackingStage));
    numbers = live_->tracks.numbers_by_paths() ? Numbers::of_results : Numbers::of_chain;
    shown->ids = live_->tracks.ids_of(*shown->result);
  } else {
    numbers = numbers_of(*shown->result);
    show_people(numbers, shown.get());
  }
  if (cut_) {
    auto cut = analysis_->cut(*shown->result, project_.parameters.get<CarvingParameters>(), *cut_);
    if (cut) {
      shown->cut = std::move(*cut);
    } else {
      report_error(cut.error());
      cut_.reset();
    }
  }
  show_trails(trail_frames, numbers, shown.get());
  listener().on_frame(std::move(shown));
}

// Versions of the tracking stage under which results are current, as for the timeline (report_results).
std::vector<uint64_t> SessionWorker::current_tracks() const {
  std::vector<uint64_t> versions = {analysis_->pipeline().version(kTrackingStage)};
  if (before_failure_)
    if (const auto before = before_failure_->find(kTrackingStage); before != before_failure_->end())
      versions.push_back(before->second);
  return versions;
}

// A number is shown only where it is the results'. The chain's own are what results will hold where it is
// exact and numbers people frame by frame, nobody's identity was repaired, and there are no results of other
// parameters, whose lanes would call somebody else by the same number.
SessionWorker::Numbers SessionWorker::numbers_of(const FrameResult& result) const {
  if (!analysis_->grid()) return Numbers::none;
  const std::vector<uint64_t> current = current_tracks();
  if (tracks_.tells(result.frame, current)) return Numbers::of_results;
  const bool others =
      tracks_.tracks() && std::find(current.begin(), current.end(), tracks_version_) == current.end();
  const bool final = !result.preview && !path_numbering(project_, false) && project_.repairs.empty();
  return final && !others ? Numbers::of_chain : Numbers::none;
}

void SessionWorker::show_people(Numbers numbers, ShownFrame* shown) const {
  if (numbers == Numbers::of_results) return tracks_.show_people(shown);
  if (const TracksArtifact* tracks = shown->result->tracks(); tracks && numbers == Numbers::none)
    shown->ids.emplace(tracks->tracked.size());
}

void SessionWorker::show_trails(int64_t trail_frames, Numbers numbers, ShownFrame* shown) const {
  if (!analysis_->grid()) return;
  shown->trails =
      trails_.until(shown->result->frame, trail_frames, analysis_->pipeline().version(kTrackingStage),
                    numbers == Numbers::of_results ? TrailStore::From::results : TrailStore::From::any);
  if (numbers == Numbers::none)
    for (Trail& trail : shown->trails) trail.id = 0;
}

void SessionWorker::note_analysed(const FrameResult& result) {
  trails_.add(result);
  if (device_ != Device::cpu && !result.preview && result.versions.contains(last_stage()))
    device_versions_ = result.versions;
  if (analysed_.note(result, present_versions(), before_failure_.has_value()) && !status_.playing &&
      !status_.analysing)
    report_results();
}

void SessionWorker::read_stored_results() {
  stored_results_wanted_ = false;
  const Result<StoredResults> stored = read_results(project_.results_folder());
  if (!stored) {
    if (stored.error().kind != ErrorKind::not_found) listener().on_note(stored.error().message());
    return;
  }
  analysed_.add_stored(*stored, last_stage());
  if (stored->damaged_lines > 0)
    listener().on_note(std::to_string(stored->damaged_lines) + " damaged lines of the results were skipped.");
  read_tracks(*stored);
  report_results();
}

void SessionWorker::read_tracks(const StoredResults& stored) {
  Result<std::vector<PersonPath>> paths = read_paths(project_.results_folder() / "tracks.csv");
  if (!paths && paths.error().kind != ErrorKind::not_found) listener().on_note(paths.error().message());
  tracks_ = RecordedTracks(stored, paths ? std::move(*paths) : std::vector<PersonPath>());
  tracks_version_ = 0;
  for (const StoredFrame& frame : stored.frames)
    if (const auto version = frame.versions->find(kTrackingStage); version != frame.versions->end())
      tracks_version_ = version->second;
  repair_tracks();
}

void SessionWorker::repair_tracks() {
  tracks_.repair(project_.repairs);
  if (tracks_.tracks()) trails_.set_stored(tracks_.tracks()->paths, tracks_version_);
  listener().on_tracks(tracks_.tracks());
  show_wanted_ = show_wanted_ || (analysis_ && tracks_.tracks() && !status_.playing);
}

void SessionWorker::report_results() {
  if (!analysis_ || live_) return;
  std::vector<StageVersions> present = {present_versions()};
  if (before_failure_) present.push_back(*before_failure_);
  listener().on_results(analysed_.summary(last_frame() + 1, present));
}

void SessionWorker::report_error(const Error& error) {
  listener().on_error(error);
}

void SessionWorker::report_status() {
  status_.open = analysis_ != nullptr;
  status_.on_cpu = device_ == Device::cpu;
  status_.frame = frame_;
  status_.live.reset();
  if (live_) describe_live();
  if (analysis_ && !live_) {
    FrameSource& source = analysis_->source();
    status_.frame_count = source.frame_count();
    status_.frame_count_exact = source.frame_count_exact();
    status_.frame_rate = frame_rate();
  }
  status_.can_undo = history_.can_undo();
  status_.can_redo = history_.can_redo();
  status_.unsaved = analysis_ && file_.unsaved();
  status_.recoverable_s = file_.recoverable_s();
  status_.missing = analysis_ ? missing_text(project_, missing_) : std::string();
  status_.held_by = file_.held_by();
  status_.changed_outside = file_.changed_outside();
  listener().on_status(status_);
}

bool SessionWorker::due(int64_t* last_ns, int64_t interval_ns) {
  const int64_t now = trace_now_ns();
  if (*last_ns != 0 && now - *last_ns < interval_ns) return false;
  *last_ns = now;
  return true;
}

// ---- about the recording

int64_t SessionWorker::last_frame() const {
  return std::max<int64_t>(analysis_->source().frame_count() - 1, 0);
}

double SessionWorker::frame_rate() const {
  return analysis_->source().frame_rate();
}

std::string_view SessionWorker::last_stage() const {
  return analysis_->grid() ? kTrackingStage : kForegroundStage;
}

// Versions of all stages whose results people get: a frame is current while none of them has changed.
StageVersions SessionWorker::present_versions() const {
  return with_results(analysis_->pipeline().versions());
}

StageVersions SessionWorker::with_results(const StageVersions& versions) const {
  StageVersions chosen;
  for (const std::string_view stage :
       stages_with_results(analysis_->grid() != nullptr, project_.parameters)) {
    const auto version = versions.find(stage);
    chosen.emplace(stage, version == versions.end() ? 0 : version->second);
  }
  return chosen;
}

}  // namespace vantage
