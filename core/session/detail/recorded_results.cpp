#include "core/session/detail/recorded_results.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/stages.h"
#include "core/results/frame_lines.h"
#include "core/results/results_writer.h"

namespace vantage {
namespace {

constexpr int64_t kMaxFrames = 20'000'000;  // days of recording: a results file with more is damaged

std::string settings_text(const nlohmann::json& header) {
  nlohmann::json settings = {{"cameras", nlohmann::json::array()},
                             {"parameters", header.value("changed_parameters", nlohmann::json())}};
  for (nlohmann::json camera : header.value("cameras", nlohmann::json::array())) {
    for (const char* of_video : {"name", "video", "checksum", "codec", "decoder", "conversion", "width_px",
                                 "height_px", "frame_rate"})
      camera.erase(of_video);
    const auto name_only = [](nlohmann::json& file) {
      if (file.is_string()) file = std::filesystem::path(file.get<std::string>()).filename().string();
    };
    if (camera.contains("background")) name_only(camera["background"]);
    if (camera.contains("detections")) name_only(camera["detections"]["file"]);
    settings["cameras"].push_back(std::move(camera));
  }
  return settings.dump();
}

// Everything but names and videos that results depend on; equal texts mean equal settings.
std::string settings_of(const Project& project) {
  RunDescription run;
  run.videos.resize(project.cameras.size());
  return settings_text(parse_json(header_line(project, run)));
}

// Empty: no valid header.
std::string settings_of_results(const std::filesystem::path& file) {
  const Result<FrameLines> lines = FrameLines::open(file);
  if (!lines) return {};
  try {
    return settings_text(parse_json(lines->header()));
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

bool holds(const StageVersions& versions, const StageVersions& present) {
  return std::all_of(present.begin(), present.end(), [&](const auto& stage) {
    const auto found = versions.find(stage.first);
    return found != versions.end() && found->second == stage.second;
  });
}

}  // namespace

AnalysedFrames::Analysed& AnalysedFrames::at(int64_t frame) {
  const auto index = static_cast<size_t>(frame);
  if (frames_.size() <= index) frames_.resize(index + 1);
  return frames_[index];
}

bool AnalysedFrames::note(const FrameResult& result, const StageVersions& present, bool continued) {
  if (result.preview || !holds(result.versions, present)) return false;
  Analysed& entry = at(result.frame);
  if (entry.versions && *entry.versions == result.versions) return false;
  if (!last_ || *last_ != result.versions) last_ = std::make_shared<const StageVersions>(result.versions);
  const std::optional<size_t> counted = people_count(result);
  entry = {last_, static_cast<int16_t>(counted ? static_cast<int>(*counted) : -1), continued};
  return true;
}

void AnalysedFrames::add_stored(const StoredFrame& frame, std::string_view last_stage) {
  if (!frame.versions->contains(last_stage) || frame.frame < 0 || frame.frame >= kMaxFrames) return;
  Analysed& entry = at(frame.frame);
  if (!entry.versions) entry = {frame.versions, static_cast<int16_t>(frame.people_count), frame.continued};
}

void AnalysedFrames::restate(const StageVersions& before, const StageVersions& now, int64_t first_changed) {
  std::shared_ptr<const StageVersions> compared, restated;  // shared by neighbouring frames
  const size_t end = std::min(frames_.size(), static_cast<size_t>(std::max<int64_t>(first_changed, 0)));
  for (size_t i = 0; i < end; ++i) {
    std::shared_ptr<const StageVersions>& versions = frames_[i].versions;
    if (!versions) continue;
    if (versions != compared) {
      compared = versions;
      restated.reset();
      if (holds(*versions, before)) {
        auto changed = std::make_shared<StageVersions>(*versions);
        for (const auto& [stage, version] : now) changed->insert_or_assign(stage, version);
        restated = std::move(changed);
      }
    }
    if (restated) versions = restated;
  }
}

std::vector<FrameSummary> AnalysedFrames::summary(int64_t count,
                                                  std::span<const StageVersions> present) const {
  std::vector<FrameSummary> summary(static_cast<size_t>(count));
  const StageVersions* compared = nullptr;  // shared by neighbouring frames
  FrameState state = FrameState::not_analysed;
  for (size_t i = 0; i < std::min(summary.size(), frames_.size()); ++i) {
    const StageVersions* versions = frames_[i].versions.get();
    if (!versions) continue;
    if (versions != compared)
      state = std::any_of(present.begin(), present.end(),
                          [&](const StageVersions& now) { return holds(*versions, now); })
                  ? FrameState::current
                  : FrameState::out_of_date;
    compared = versions;
    summary[i] = {state, frames_[i].people, frames_[i].continued};
  }
  return summary;
}

void RecordedResults::forget() {
  analysed_.clear();
  tracks_ = {};
  want(false);
}

void RecordedResults::forget_analysed() {
  analysed_.clear();
}

void RecordedResults::want(bool wanted) {
  wanted_ = wanted;
  reading_.reset();
  if (wanted) examine_header();
}

// Without a video the chain has other versions, but its earlier results stay valid while all other settings
// are unchanged.
void RecordedResults::examine_header() {
  of_all_videos_.reset();
  if (state_.without_video().empty()) return;
  const std::filesystem::path file = results_file(state_.project.results_folder());
  Result<ResultsReader> results = ResultsReader::open(file);
  if (!results) return;
  std::shared_ptr<const StageVersions> versions = results->header().versions;
  if (!versions) {  // older results: each frame has its own
    const Result<std::vector<StoredFrame>> frames = results->next();
    if (!frames || frames->empty()) return;
    versions = frames->front().versions;
  }
  const auto video = versions->find(kVideoStage);
  if (video != versions->end() && video->second == state_.analysis->pipeline().version(kVideoStage)) return;
  of_all_videos_ = {*versions, settings_of_results(file)};
  compare_settings();
}

void RecordedResults::compare_settings() {
  if (of_all_videos_) of_all_videos_->current = of_all_videos_->settings == settings_of(state_.project);
}

std::string RecordedResults::keeps_from_analysing() const {
  std::error_code none;
  if (!of_all_videos_ || !state_.keeps_results() ||
      !std::filesystem::exists(results_file(state_.project.results_folder()), none))
    return {};
  return "Missing: " + missing_text(state_.project, state_.missing) +
         ". The results here were made with it, and another analysis would replace them. Find it first, or "
         "save the project under another name to analyse it without.";
}

bool RecordedResults::read_on() {
  if (!reading_ && !begin_reading()) return wanted_ = false;
  if (reading_->paths) return read_paths_on(), false;
  const Result<bool> more = read_frames_on();
  if (more && *more) return false;
  if (!more) state_.listener().on_note(more.error().message());
  return end_reading();
}

bool RecordedResults::begin_reading() {
  SessionListener& listener = state_.listener();
  const std::filesystem::path folder = state_.project.results_folder();
  Result<ResultsReader> frames = ResultsReader::open(results_file(folder));
  if (!frames) {
    if (frames.error().kind != ErrorKind::not_found) listener.on_note(frames.error().message());
    return false;
  }
  reading_.emplace(std::move(*frames)).start_ns = trace_now_ns();
  Result<PathsReader> paths = PathsReader::open(folder / "tracks.csv");
  if (paths)
    reading_->paths.emplace(std::move(*paths));
  else
    reading_->tracks = RecordedTracks(reading_->frames.header().frame_rate, {});
  return true;
}

void RecordedResults::read_paths_on() {
  state_.report_status_in_turn();
  Result<bool> more = reading_->paths->next();
  if (more && *more) return;
  Result<std::vector<PersonPath>> paths = std::vector<PersonPath>();
  if (more) paths = reading_->paths->paths();
  if (const Error* error = !more ? &more.error() : !paths ? &paths.error() : nullptr)
    state_.listener().on_note(error->message());
  reading_->tracks = RecordedTracks(reading_->frames.header().frame_rate,
                                    paths ? std::move(*paths) : std::vector<PersonPath>());
  reading_->paths.reset();
}

Result<bool> RecordedResults::read_frames_on() {
  state_.report_status_in_turn();
  VANTAGE_ASSIGN(const std::vector<StoredFrame> frames, reading_->frames.next());
  for (const StoredFrame& frame : frames) {
    analysed_.add_stored(frame, state_.last_stage());
    reading_->tracks->add(frame);
    if (const auto version = frame.versions->find(kTrackingStage); version != frame.versions->end())
      reading_->tracks_version = version->second;
  }
  return !frames.empty();
}

bool RecordedResults::end_reading() {
  if (const int64_t damaged = reading_->frames.damaged_lines(); damaged > 0)
    state_.listener().on_note(std::to_string(damaged) + " damaged lines of the results were skipped.");
  tracks_ = std::move(*reading_->tracks);
  tracks_version_ = reading_->tracks_version;
  // The last run: ranges of other settings may follow it.
  if (const auto& versions = reading_->frames.header().versions)
    if (const auto last = versions->find(kTrackingStage); last != versions->end())
      tracks_version_ = last->second;
  want(false);
  const bool known = repair();
  report();
  state_.report_status();
  give_back_free_memory();
  return known;
}

void RecordedResults::describe(SessionStatus& status) {
  status.keeps_from_analysing = keeps_from_analysing();
  constexpr int64_t kWorthTelling_ns = 500'000'000;
  if (reading_ && trace_now_ns() - reading_->start_ns > kWorthTelling_ns)
    status.activity = fmt::format("Reading results, {:.0f} %", 100 * reading_->share());
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

// Versions of the tracking stage whose results are current, as in the timeline (report).
std::vector<uint64_t> RecordedResults::current_tracks() const {
  std::vector<uint64_t> versions = {state_.analysis->pipeline().version(kTrackingStage)};
  if (const auto& failed = state_.failure.before)
    if (const auto before = failed->find(kTrackingStage); before != failed->end())
      versions.push_back(before->second);
  if (of_all_videos_ && of_all_videos_->current)
    if (const auto all = of_all_videos_->versions.find(kTrackingStage); all != of_all_videos_->versions.end())
      versions.push_back(all->second);
  return versions;
}

// An ID is shown only if it is that of the results. The chain's own IDs are those of future results if the
// result is exact, IDs are assigned frame by frame, no identity was repaired, and no results of other
// parameters exist, whose lanes would show another person under the same ID.
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
  if (!keeps_from_analysing().empty()) return false;  // results on disk have more information
  state_.trails.add(result);
  return analysed_.note(result, state_.present_versions(), state_.failure.before.has_value());
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
  if (of_all_videos_ && of_all_videos_->current)
    present.push_back(state_.with_results(of_all_videos_->versions));
  state_.listener().on_results(analysed_.summary(state_.last_frame() + 1, present));
}

void RecordedResults::report_in_turn() {
  constexpr int64_t kInterval_ns = 200'000'000;
  if (SessionState::due(&last_report_ns_, kInterval_ns)) report();
}

}  // namespace vantage
