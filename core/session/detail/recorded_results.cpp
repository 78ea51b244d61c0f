#include "core/session/detail/recorded_results.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/pipeline/frame_people.h"
#include "core/pipeline/stages.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"

namespace vantage {

void RecordedResults::forget() {
  analysed_.clear();
  tracks_ = {};
  wanted_ = false;
}

void RecordedResults::forget_analysed() {
  analysed_.clear();
}

bool RecordedResults::read() {
  wanted_ = false;
  SessionListener& listener = state_.listener();
  const Result<StoredResults> stored = read_results(state_.project.results_folder());
  if (!stored) {
    if (stored.error().kind != ErrorKind::not_found) listener.on_note(stored.error().message());
    return false;
  }
  analysed_.add_stored(*stored, state_.last_stage());
  if (stored->damaged_lines > 0)
    listener.on_note(std::to_string(stored->damaged_lines) + " damaged lines of the results were skipped.");
  read_tracks(*stored);
  const bool known = repair();
  report();
  return known;
}

void RecordedResults::read_tracks(const StoredResults& stored) {
  Result<std::vector<PersonPath>> paths = read_paths(state_.project.results_folder() / "tracks.csv");
  if (!paths && paths.error().kind != ErrorKind::not_found)
    state_.listener().on_note(paths.error().message());
  tracks_ = RecordedTracks(stored, paths ? std::move(*paths) : std::vector<PersonPath>());
  tracks_version_ = 0;
  for (const StoredFrame& frame : stored.frames)
    if (const auto version = frame.versions->find(kTrackingStage); version != frame.versions->end())
      tracks_version_ = version->second;
}

bool RecordedResults::repair() {
  tracks_.repair(state_.project.repairs);
  if (tracks()) state_.trails.set_stored(tracks()->paths, tracks_version_);
  state_.listener().on_tracks(tracks());
  return tracks() != nullptr;
}

bool RecordedResults::tells(int64_t frame) const {
  return tracks_.tells(frame, current_tracks());
}

void RecordedResults::leave_other_tracks() {
  const std::vector<uint64_t> current = current_tracks();
  if (!tracks() || std::find(current.begin(), current.end(), tracks_version_) != current.end()) return;
  tracks_ = {};
  state_.listener().on_tracks(nullptr);
}

// Versions of the tracking stage under which results are current, as for the timeline (report).
std::vector<uint64_t> RecordedResults::current_tracks() const {
  std::vector<uint64_t> versions = {state_.analysis->pipeline().version(kTrackingStage)};
  if (const auto& failed = state_.failure.before)
    if (const auto before = failed->find(kTrackingStage); before != failed->end())
      versions.push_back(before->second);
  return versions;
}

// An ID is shown only where it is the results'. The chain's own are what results will hold where it is exact
// and numbers people frame by frame, nobody's identity was repaired, and there are no results of other
// parameters, whose lanes would call somebody else by the same ID.
SessionState::Ids RecordedResults::ids_of(const FrameResult& result) const {
  if (!state_.analysis->grid()) return SessionState::Ids::none;
  const std::vector<uint64_t> current = current_tracks();
  if (tracks_.tells(result.frame, current)) return SessionState::Ids::of_results;
  const bool others = tracks() && std::find(current.begin(), current.end(), tracks_version_) == current.end();
  const bool final =
      !result.preview && !path_numbering(state_.project, false) && state_.project.repairs.empty();
  return final && !others ? SessionState::Ids::of_chain : SessionState::Ids::none;
}

bool RecordedResults::note(const FrameResult& result) {
  state_.trails.add(result);
  DeviceFailure& failure = state_.failure;
  if (state_.device != Device::cpu && !result.preview && result.versions.contains(state_.last_stage()))
    failure.device_versions = result.versions;
  return analysed_.note(result, state_.present_versions(), failure.before.has_value());
}

void RecordedResults::show(FrameResultRef result) {
  const SessionState::Ids ids = ids_of(*result);
  auto shown = std::make_shared<ShownFrame>(ShownFrame{.result = std::move(result)});
  if (ids == SessionState::Ids::of_results)
    tracks_.show_people(shown.get());
  else if (shown->result->tracks() && ids == SessionState::Ids::none)
    shown->ids.emplace(people_of(*shown->result).size());
  state_.hand_over(std::move(shown), ids);
}

void RecordedResults::restate(const VersionChange& versions) {
  analysed_.restate(state_.with_results(versions.before), versions.now, versions.first_frame);
  state_.trails.restate(state_.analysis->pipeline().version(kTrackingStage));
}

void RecordedResults::report() {
  std::vector<StageVersions> present = {state_.present_versions()};
  if (state_.failure.before) present.push_back(*state_.failure.before);
  state_.listener().on_results(analysed_.summary(state_.last_frame() + 1, present));
}

void RecordedResults::report_in_turn() {
  constexpr int64_t kInterval_ns = 200'000'000;
  if (SessionState::due(&last_report_ns_, kInterval_ns)) report();
}

}  // namespace vantage
