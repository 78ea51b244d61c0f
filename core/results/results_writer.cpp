#include "core/results/results_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/result.h"
#include "core/metrics/tracking_metrics.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/frame_people.h"
#include "core/project/json_parts.h"
#include "core/results/detail/results_people.h"
#include "core/results/detail/stage_json.h"
#include "core/results/finalized_lines.h"
#include "core/results/results_live.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/results/results_versions.h"

namespace vantage::project_detail {
namespace {

// Adds the existing results of another range of the same recording to those of a run.

struct Lines {
  std::string header;
  StageVersionsRef header_versions;
  std::map<int64_t, std::string> frames;
  StageVersions versions;  // the first frame's
};

Lines read_lines(const std::filesystem::path& file,
                 const std::function<bool(const StageVersions& versions)>& wanted) {
  Lines lines;
  std::ifstream stream(file, std::ios::binary);
  std::getline(stream, lines.header);
  lines.header_versions = versions_of_header(lines.header);
  for (std::string line; std::getline(stream, line);) {
    const Result<StoredFrame> frame = parse_frame_line(line, lines.header_versions);
    if (!frame) continue;
    if (!wanted(*frame->versions)) continue;
    if (lines.frames.empty()) lines.versions = *frame->versions;
    lines.frames.emplace(frame->frame, std::move(line));
  }
  return lines;
}

Status write_lines(const std::filesystem::path& file, const Lines& lines) {
  std::string text = lines.header + '\n';
  for (const auto& [frame, line] : lines.frames) text += line + '\n';
  return write_file_atomically(file, text);
}

// Rows of tracks.csv count frames from 1 and have no header.
std::multimap<int64_t, std::string> read_rows(const std::filesystem::path& file) {
  std::multimap<int64_t, std::string> rows;
  std::ifstream stream(file, std::ios::binary);
  for (std::string row; std::getline(stream, row);) {
    int64_t number = 0;
    if (std::from_chars(row.data(), row.data() + row.size(), number).ec == std::errc())
      rows.emplace(number - 1, std::move(row));
  }
  return rows;
}

// Adds to `fresh`, a complete results file not renamed yet, the frames of `older` that it lacks, in order of
// frames, and returns them: those of the same versions, and of others whose video stage has one of the
// versions `pictures`. The same for the tracks, by frame number. Does nothing where `older` is absent,
// damaged or of other pictures.
Result<std::set<int64_t>> add_older_frames(const std::filesystem::path& fresh,
                                           const std::filesystem::path& older,
                                           const std::filesystem::path& fresh_tracks,
                                           const std::filesystem::path& older_tracks,
                                           const std::array<uint64_t, 2>& pictures) {
  std::error_code none;
  if (!std::filesystem::exists(older, none)) return std::set<int64_t>();
  Lines lines = read_lines(fresh, [](const StageVersions&) { return true; });
  if (lines.frames.empty()) return std::set<int64_t>();
  const Lines before = read_lines(older, [&](const StageVersions& versions) {
    const auto video = versions.find(kVideoStage);
    return versions == lines.versions ||
           (video != versions.end() && std::ranges::find(pictures, video->second) != pictures.end());
  });
  std::set<int64_t> added;
  for (const auto& [frame, line] : before.frames)
    if (const std::string own = line_under_header(line, before.header_versions, lines.header_versions);
        lines.frames.emplace(frame, own).second)
      added.insert(frame);
  if (added.empty()) return added;
  VANTAGE_TRY(write_lines(fresh, lines));
  if (!std::filesystem::exists(fresh_tracks, none)) return added;
  auto rows = read_rows(fresh_tracks);
  for (auto& [frame, row] : read_rows(older_tracks))
    if (added.contains(frame)) rows.emplace(frame, row);
  std::string text;
  for (const auto& [frame, row] : rows) text += row + '\n';
  VANTAGE_TRY(write_file_atomically(fresh_tracks, text));
  return added;
}

}  // namespace

}  // namespace vantage::project_detail

namespace vantage {
namespace {

using nlohmann::ordered_json;
using project_detail::PartFile;

ordered_json camera_header(const ProjectCamera& camera, const VideoInfo& video) {
  ordered_json json = {{"name", camera.name},
                       {"video", redact_credentials(camera.video)},
                       {"checksum", hex64(video.content_hash)},
                       {"codec", video.codec},
                       {"decoder", video.decoder},
                       {"conversion", video.conversion},
                       {"width_px", video.width_px},
                       {"height_px", video.height_px},
                       {"offset_frames", camera.offset_frames},
                       {"frame_rate", camera.frame_rate > 0 ? camera.frame_rate : video.frame_rate}};
  if (!camera.detections.file.empty())
    json["detections"] = {
        {"file", camera.detections.file},
        {"offset_frames", camera.detections.offset_frames},
        {"frame_rate",
         camera.detections.frame_rate > 0 ? ordered_json(camera.detections.frame_rate) : ordered_json()}};
  if (!camera.ignored.empty()) json["ignored_regions"] = project_detail::ignored_json(camera.ignored);
  json["background"] = camera.background.empty() ? ordered_json() : ordered_json(camera.background);
  json["calibration"] =
      camera.calibration ? project_detail::calibration_json(*camera.calibration) : ordered_json();
  if (!camera.later_calibrations.empty())
    json["later_calibrations"] = project_detail::later_json(camera.later_calibrations);
  return json;
}

// The source of the base camera's frame rate.
const char* rate_origin(const ProjectCamera& base, const VideoInfo& video) {
  if (base.frame_rate > 0) return "project";
  if (video.frame_rate <= 0) return "assumed";
  return video.order.empty() ? "video" : "names";
}

ordered_json coverage_json(const FloorCoverage& coverage) {
  return {{"width_cells", coverage.nx},
          {"height_cells", coverage.ny},
          {"cells_by_cameras", coverage.cells_by_cameras()}};
}

// Describes the tracker that gave the people their IDs.
ordered_json tracker_json(const std::optional<PathNumbering>& numbering) {
  if (!numbering) return {{"method", "greedy"}};
  const PathParameters& paths = numbering->parameters;
  constexpr std::array kNames = {"paths on the graph", "paths on the grid", "paths by motion"};
  // The method is never automatic: it was resolved.
  return {{"method", kNames[static_cast<size_t>(paths.method)]},
          {"latency_s", paths.window_s > 0 ? ordered_json(paths.window_s) : ordered_json()}};
}

}  // namespace

std::string header_line(const Project& project, const RunDescription& run) {
  ordered_json json;
  json["schema"] = "vantage-results-2";
  json["version"] = VANTAGE_VERSION;
  json["backend"] = device_name(run.device);
  json["device"] = run.device_description;
  json["project"] = project.path.string();
  json["frame_rate"] = run.frame_rate;
  if (!project.cameras.empty()) json["frame_rate_from"] = rate_origin(project.cameras[0], run.videos.at(0));
  json["cameras"] = ordered_json::array();
  for (size_t i = 0; i < project.cameras.size(); ++i)
    json["cameras"].push_back(camera_header(project.cameras[i], run.videos.at(i)));
  json["grid"] = run.grid ? project_detail::grid_json(*run.grid) : ordered_json();
  json["coverage"] = run.coverage ? coverage_json(*run.coverage) : ordered_json();
  json["people_source"] = people_source_name(people_source(project));
  json["tracker"] = tracker_json(path_numbering(project, run.live));
  if (run.detector)
    json["detector"] = {{"model", run.detector->model},
                        {"model_sha256", run.detector->model_sha256},
                        {"family", run.detector->family},
                        {"engine", run.detector->engine},
                        {"engine_version", run.detector->engine_version},
                        {"overlap", run.detector->overlap},
                        {"long_side_px", run.detector->long_side_px}};
  if (run.detector && !run.detector->joints_model.empty()) {
    json["detector"]["joints_model"] = run.detector->joints_model;
    json["detector"]["joints_model_sha256"] = run.detector->joints_model_sha256;
  }
  json["parameters"] = parameters_json(project.parameters, false);
  json["changed_parameters"] = parameters_json(project.parameters, true);
  if (run.versions) json["versions"] = project_detail::versions_json(*run.versions);
  return json_text(json);
}

Result<std::string> frame_line(const FrameResult& result, const std::vector<std::string>& cameras,
                               const LineOptions& options) {
  if (result.preview)
    return fail(ErrorKind::invalid_argument, "a preview is not a result",
                "frame " + std::to_string(result.frame));
  ordered_json json;
  json["frame"] = result.frame;
  json["time_s"] = nullptr;
  json["cameras"] = ordered_json::array();
  json["volume"] = nullptr;  // unknown, as the people are, where too few cameras have a picture
  json["people"] = nullptr;  // the chain ends before them
  const std::vector<FramePerson> people = options.ids ? people_of(result, *options.ids) : people_of(result);
  VANTAGE_TRY(project_detail::write_stages({result, people, cameras}, &json));
  if (options.continued) json["continued_on_cpu"] = true;
  project_detail::set_versions(result.versions, options.header_versions, &json);
  return json_text(json);
}

std::string track_rows(const FrameResult& result) {
  std::string rows;
  for (const FramePerson& person : people_of(result)) {
    if (person.id() == 0) continue;
    TrackRow row;
    row.frame = result.frame + 1, row.id = person.id();
    row.confidence = person.carried ? 0 : person.found.confidence;
    row.x_m = person.track->x_m, row.y_m = person.track->y_m, row.height_m = person.track->height_m;
    rows += mot_csv_row(row);
  }
  return rows;
}

Result<std::unique_ptr<ResultsWriter>> ResultsWriter::open(const std::filesystem::path& folder,
                                                           const Project& project, const RunDescription& run,
                                                           OlderFrames older) {
  VANTAGE_TRY(make_folder(folder));
  VANTAGE_ASSIGN(PartFile file, PartFile::open(folder / "results.jsonl"));
  std::unique_ptr<ResultsWriter> writer(new ResultsWriter(folder, std::move(file)));
  writer->older_ = older;
  writer->continued_ = run.continued, writer->part_ = run.part;
  writer->pictures_of_ = run.pictures_of;
  writer->line_written_ = run.line_written, writer->versions_ = run.versions;
  for (const ProjectCamera& camera : project.cameras) writer->cameras_.push_back(camera.name);
  VANTAGE_TRY(writer->write_line(header_line(project, run)));
  writer->pictures_ = std::make_unique<ResultsPictures>(folder, writer->cameras_, run.pictures, run.transfer);
  if (!run.grid) return writer;
  if (run.coverage) VANTAGE_TRY(writer->pictures_->write_coverage(*run.grid, *run.coverage));
  VANTAGE_ASSIGN(writer->tracks_, PartFile::open(folder / "tracks.csv"));
  if (run.part) return writer;
  writer->repairs_ = project.repairs;
  auto numbering = path_numbering(project, run.live);
  if (!numbering) return writer;
  if (!run.live) writer->again_ = SecondPassPeople::of(project, *run.grid);
  VANTAGE_TRY(writer->number_with(std::move(*numbering), run));
  return writer;
}

Status ResultsWriter::number_with(PathNumbering numbering, const RunDescription& run) {
  if (numbering.parameters.window_s == 0 || older_ == OlderFrames::keep) {
    paths_ = std::move(numbering);
    return {};
  }
  std::optional<RunningPaths> paths = run.running;
  if (!paths) {
    VANTAGE_ASSIGN(PathFollower follower,
                   PathFollower::make(run.frame_rate, numbering.parameters, std::move(numbering.entrances),
                                      SecondPassPeople::finder(again_)));
    paths.emplace(RunningPaths{std::move(follower)});
  }
  lines_ = std::make_unique<FinalizedLines>(
      std::move(*paths), run.live ? QueuePolicy::drop_oldest : QueuePolicy::block,
      [this](const std::string& line) { return write_frame_line(line); },
      [this](const std::string& rows) { return write_rows(rows); }, run.settled, again_);
  return {};
}

ResultsWriter::~ResultsWriter() {
  lines_.reset();  // its thread writes into the files
}

Status ResultsWriter::write(const FrameResult& result) {
  VANTAGE_ASSIGN(std::string line,
                 frame_line(result, cameras_, {.continued = continued_, .header_versions = versions_}));
  if (lines_) {
    VANTAGE_TRY(lines_->add(result.frame, std::move(line), seen_frame(result)));
  } else {
    VANTAGE_TRY(write_frame_line(line));
    if (tracks_) VANTAGE_TRY(write_rows(track_rows(result)));
  }
  VANTAGE_TRY(pictures_->write(result));
  ++frames_;
  return {};
}

// Flushes each line, so that a program that crashes leaves complete lines.
Status ResultsWriter::write_line(std::string line) {
  line += '\n';
  VANTAGE_TRY(file_.write(line));
  return file_.flush();
}

Status ResultsWriter::write_frame_line(const std::string& line) {
  VANTAGE_TRY(write_line(line));
  if (line_written_) line_written_(line);
  return {};
}

Status ResultsWriter::write_rows(const std::string& rows) {
  VANTAGE_TRY(tracks_->write(rows));
  return tracks_->flush();
}

// Gives everyone the final IDs.
Status ResultsWriter::settle() {
  if (!lines_) return {};
  const Status settled = lines_->finish();
  if (lines_->left_out() > 0)
    log_warning(
        "the people of " + std::to_string(lines_->left_out()) +
        " frames have no IDs: paths could not keep up; use paths.method=graph or a larger paths.cell_m");
  if (settled) follower_ = lines_->take_follower();
  const Status written = write_file_atomically(returns_file(folder_), returns_csv(lines_->returns()));
  lines_.reset();
  return settled ? written : settled;
}

// Called before older frames are added, which are compared by their versions.
Status ResultsWriter::restate() {
  if (version_changes_.empty()) return {};
  // The recording has changed by now; frames before the change get the new versions.
  const StageVersions& now = version_changes_.back().now;
  if (const auto video = now.find(kVideoStage); video != now.end()) pictures_of_.fill(video->second);
  VANTAGE_TRY(restate_versions(file_.path(), version_changes_));
  const std::filesystem::path older = folder_ / "results.jsonl";
  std::error_code none;
  if (older_ != OlderFrames::keep || !std::filesystem::exists(older, none)) return {};
  return restate_versions(older, version_changes_);
}

// Stopped before the first frame: existing results stay.
void ResultsWriter::drop_parts() {
  file_.drop();
  if (tracks_) tracks_->drop();
}

Status ResultsWriter::repair() {
  VANTAGE_ASSIGN(const RepairedPaths repaired, write_repaired(folder_, repairs_));
  for (const FailedRepair& unmet : repaired.unmet)
    log_warning("repair " + std::to_string(unmet.number + 1) + ", " +
                std::string(repair_name(repairs_[unmet.number].kind)) + ", no longer applies: " + unmet.why);
  return {};
}

Status ResultsWriter::write_timings(const std::vector<TraceSpan>& spans, uint64_t dropped) const {
  std::string timings = timings_json(spans, dropped);
  if (live_) timings = with_live_health(std::move(timings), *live_);
  return write_file_atomically(folder_ / "timings.json", timings);
}

Status ResultsWriter::finish(const TraceRecorder* trace) {
  std::error_code none;
  if (older_ == OlderFrames::keep && frames_ == 0 &&
      std::filesystem::exists(folder_ / "results.jsonl", none)) {
    drop_parts();
    return {};
  }
  const bool by_paths = paths_ || lines_;
  const Status settled = settle();  // the files are completed even after an error
  VANTAGE_TRY(restate());
  std::set<int64_t> staying;
  if (older_ == OlderFrames::keep) {
    VANTAGE_ASSIGN(staying, project_detail::add_older_frames(file_.path(), folder_ / "results.jsonl",
                                                             folder_ / "tracks.csv.part",
                                                             folder_ / "tracks.csv", pictures_of_));
  }
  if (paths_) VANTAGE_TRY(number_by_paths(file_.path(), folder_ / "tracks.csv.part", *paths_, again_));
  VANTAGE_TRY(file_.complete());
  std::error_code ignored;
  if (!by_paths) std::filesystem::remove(returns_file(folder_), ignored);  // left by an earlier run by paths
  if (tracks_)
    VANTAGE_TRY(tracks_->complete());
  else
    std::filesystem::remove(folder_ / "tracks.csv", ignored);  // left by an earlier run with a calibration
  if (!part_) VANTAGE_TRY(write_head_rows(folder_));
  if (!repairs_.empty()) VANTAGE_TRY(repair());
  pictures_->remove_older(staying);
  VANTAGE_TRY(settled);
  if (!trace) return {};
  const std::vector<TraceSpan> spans = trace->snapshot();
  VANTAGE_TRY(write_timings(spans, trace->dropped()));
  return write_file_atomically(folder_ / "trace.json", chrome_trace_json(spans));
}

}  // namespace vantage
