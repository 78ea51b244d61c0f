#include "core/project/results_writer.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/metrics/tracking_metrics.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/head_views.h"
#include "core/pipeline/known_volume.h"
#include "core/project/json_parts.h"
#include "core/project/parameters_json.h"
#include "core/project/results_heads.h"
#include "core/project/results_live.h"
#include "core/project/results_merge.h"
#include "core/project/results_paths.h"
#include "core/project/results_people.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;

using project_detail::evidence_json;
using project_detail::person_json;
using project_detail::rounded;

constexpr auto kReplace =
    ordered_json::error_handler_t::replace;  // names come from files: no exception over one

tl::unexpected<Error> write_error(const std::filesystem::path& path, int code) {
  return fail(ErrorKind::io, std::string("writing failed (") + std::strerror(code) + ")", path.string(),
              code == ENOSPC ? "The disk is full: free some space or choose another folder."
                             : "Choose a folder you can write to.");
}

// Closes a .part file and gives it its name.
Status complete(std::FILE* file, const std::filesystem::path& part, const std::filesystem::path& whole) {
  const int code = ::fsync(::fileno(file)) == 0 ? 0 : errno;
  const bool closed = std::fclose(file) == 0;
  if (code != 0 || !closed) return write_error(part, code != 0 ? code : errno);
  std::error_code renamed;
  std::filesystem::rename(part, whole, renamed);
  if (renamed) return write_error(whole, renamed.value());
  return {};
}

std::filesystem::path part_path(const std::filesystem::path& folder) {
  return folder / "results.jsonl.part";
}

ordered_json camera_json(const ProjectCamera& camera, const VideoInfo& video) {
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
  json["background"] = camera.background.empty() ? ordered_json() : ordered_json(camera.background);
  json["calibration"] =
      camera.calibration ? project_detail::calibration_json(*camera.calibration) : ordered_json();
  return json;
}

// Null where too little of the person was seen moving.
ordered_json motion_json(const std::optional<PersonMotion>& motion) {
  if (!motion) return {};
  ordered_json velocity = ordered_json::array();
  for (const double component : motion->velocity_m_per_s) velocity.push_back(rounded(component));
  return {{"m_per_s", velocity},
          {"scatter_m_per_s", rounded(motion->scatter_m_per_s)},
          {"cameras", motion->cameras}};
}

// By camera index; null for a part of which too little is seen.
ordered_json colors_json(const std::vector<BodyColor>& colors) {
  const auto part = [](const std::optional<std::array<float, 3>>& color) {
    if (!color) return ordered_json();
    ordered_json values = ordered_json::array();
    for (const float channel : *color) values.push_back(project_detail::rounded_color(channel));
    return values;
  };
  ordered_json list = ordered_json::array();
  for (const BodyColor& color : colors)
    list.push_back({{"camera", color.camera}, {"trunk", part(color.trunk)}, {"legs", part(color.legs)}});
  return list;
}

// Pixels to a hundredth; null where nobody looked.
ordered_json detections_json(const CameraDetections& found) {
  if (!found.known) return {};
  const auto pixels = [](double value) { return std::round(value * 100) / 100; };
  ordered_json people = ordered_json::array();
  for (const PersonDetection& person : found.people) {
    people.push_back({{"x_px", pixels(person.left_px)},
                      {"y_px", pixels(person.top_px)},
                      {"width_px", pixels(person.width_px)},
                      {"height_px", pixels(person.height_px)},
                      {"score", rounded(person.score)}});
    for (const Keypoint& joint : person.keypoints)
      people.back()["keypoints"].push_back({pixels(joint.x_px), pixels(joint.y_px), rounded(joint.score)});
  }
  return people;
}

ordered_json frame_person_json(const FramePerson& person, bool measured) {
  ordered_json json = person_json(person.found, person.track ? &*person.track : nullptr, measured);
  if (person.fused) json["evidence"] = evidence_json(*person.fused);
  if (person.motion) json["motion"] = motion_json(*person.motion);
  if (person.colors) json["colors"] = colors_json(*person.colors);
  return json;
}

// Null where the chain ends before the people.
ordered_json people_json(const FrameResult& result, const LineOptions& options) {
  const PeopleArtifact* people = result.people();
  if (!people) return {};
  const bool measured = known_volume(result) != nullptr;
  ordered_json json;
  json["count"] = people->count_known() ? ordered_json(people->found.people.size()) : ordered_json();
  json["covered_share"] = rounded(people->covered_share);
  json["peaks"] = people->found.peaks;
  json["people"] = ordered_json::array();
  for (const FramePerson& person : options.ids ? people_of(result, *options.ids) : people_of(result))
    json["people"].push_back(frame_person_json(person, measured));
  json["rejected"] = ordered_json::array();
  for (const RejectedPeak& rejected : people->found.rejected) {
    ordered_json entry = person_json(rejected.peak, nullptr, measured);
    entry["reason"] = reject_reason_name(rejected.reason);
    json["rejected"].push_back(std::move(entry));
  }
  json["stopped_at"] = people->stopped_at.empty() ? ordered_json() : ordered_json(people->stopped_at);
  return json;
}

ordered_json coverage_json(const FloorCoverage& coverage) {
  return {{"width_cells", coverage.nx},
          {"height_cells", coverage.ny},
          {"cells_by_cameras", coverage.cells_by_cameras()}};
}

double share(int64_t part, const Image& whole) {
  return static_cast<double>(part) /
         (static_cast<double>(whole.width()) * static_cast<double>(whole.height()));
}

ordered_json index_or_null(int index) {
  return index < 0 ? ordered_json() : ordered_json(index);
}

// `joined`: with what else was found, one for each head.
ordered_json height_map_json(const HeightEstimate& estimate, const std::vector<JoinedHead>& joined,
                             const std::vector<std::string>& cameras) {
  ordered_json heads = ordered_json::array();
  for (size_t i = 0; i < joined.size(); ++i) {
    const Head& head = estimate.heads[i];
    heads.push_back({{"x_m", head.x_m},
                     {"y_m", head.y_m},
                     {"z_m", head.z_m},
                     {"height_m", head.height_m},
                     {"area_m2", head.area_m2},
                     {"outline", head.outline},
                     {"person", index_or_null(joined[i].person)},
                     {"head", index_or_null(joined[i].detected)}});
  }
  return {{"camera", cameras.at(estimate.reference)},
          {"iterations", estimate.map.checks.back().iteration},
          {"energy", estimate.map.checks.back().energy},
          {"heads", heads}};
}

// Who gave the people their numbers.
ordered_json tracker_json(const std::optional<PathNumbering>& numbering) {
  if (!numbering) return {{"method", "greedy"}};
  const PathParameters& paths = numbering->parameters;
  constexpr std::array kNames = {"paths on the graph", "paths on the grid", "paths by motion"};
  // Numbering has no automatic method: it is resolved.
  return {{"method", kNames[static_cast<size_t>(paths.method)]},
          {"latency_s", paths.window_s > 0 ? ordered_json(paths.window_s) : ordered_json()}};
}

// Pixels to a hundredth.
ordered_json boxes_json(const std::vector<Detection>& boxes) {
  const auto pixels = [](double value) { return std::round(value * 100) / 100; };
  ordered_json json = ordered_json::array();
  for (const Detection& box : boxes)
    json.push_back({{"x_px", pixels(box.x)},
                    {"y_px", pixels(box.y)},
                    {"width_px", pixels(box.w)},
                    {"height_px", pixels(box.h)},
                    {"score", rounded(box.score)},
                    {"guided", box.class_id == kHeadGuided}});
  return json;
}

ordered_json heads_json(const HeadsArtifact& found, const std::vector<std::string>& cameras) {
  ordered_json views = ordered_json::array(), heads = ordered_json::array();
  for (size_t i = 0; i < found.cameras.size(); ++i)
    views.push_back({{"name", cameras.at(i)}, {"boxes", boxes_json(found.cameras[i])}});
  for (const SceneHead& head : found.heads)
    heads.push_back({{"x_m", rounded(head.x_m)},
                     {"y_m", rounded(head.y_m)},
                     {"z_m", rounded(head.z_m)},
                     {"views", head.views},
                     {"distance_m", rounded(head.distance_m)},
                     {"height_m", rounded(person_height_m(head))},
                     {"person", head.person < 0 ? ordered_json() : ordered_json(head.person)}});
  return {{"cameras", views}, {"heads", heads}};
}

}  // namespace

std::string header_line(const Project& project, const RunDescription& run) {
  ordered_json json;
  json["schema"] = "vantage-results-1";
  json["version"] = VANTAGE_VERSION;
  json["backend"] = device_name(run.device);
  json["device"] = run.device_description;
  json["project"] = project.path.string();
  json["frame_rate"] = run.frame_rate;
  json["cameras"] = ordered_json::array();
  for (size_t i = 0; i < project.cameras.size(); ++i)
    json["cameras"].push_back(camera_json(project.cameras[i], run.videos.at(i)));
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
  json["parameters"] = parameters_json(project.parameters, false);
  json["changed_parameters"] = parameters_json(project.parameters, true);
  return json.dump(-1, ' ', false, kReplace);
}

Result<std::string> frame_line(const FrameResult& result, const std::vector<std::string>& cameras,
                               const LineOptions& options) {
  if (result.preview)
    return fail(ErrorKind::invalid_argument, "a preview is not a result",
                "frame " + std::to_string(result.frame));
  ordered_json json;
  json["frame"] = result.frame;
  const FrameSet* frames = result.frames();
  json["time_s"] = frames && frames->time_ns >= 0 ? ordered_json(static_cast<double>(frames->time_ns) * 1e-9)
                                                  : ordered_json();
  json["cameras"] = ordered_json::array();
  const ForegroundArtifact* foreground = result.foreground();
  for (size_t i = 0; frames && i < frames->cameras.size(); ++i) {
    const CameraFrame& camera = frames->cameras[i];
    ordered_json entry = {{"name", cameras.at(i)}, {"frame", camera.camera_frame}};
    entry["foreground_share"] = nullptr;
    if (foreground && foreground->cameras[i].mask) {
      const Result<int64_t>& count = foreground->cameras[i].mask_count.get();
      if (!count) return fail(count.error());
      entry["foreground_share"] = share(*count, foreground->cameras[i].mask);
    }
    entry["problem"] = camera.problem.empty() ? ordered_json() : ordered_json(camera.problem);
    if (const DetectionsArtifact* detections = result.detections())
      entry["detections"] = detections_json(detections->cameras[i]);
    json["cameras"].push_back(std::move(entry));
  }
  json["volume"] = nullptr;  // unknown, as the people are, where too few cameras have a picture
  if (const CarvedVolume* volume = known_volume(result)) {
    const Result<VolumeCounts>& counts = volume->counts.get();
    if (!counts) return fail(counts.error());
    json["volume"] = {{"litres", volume->grid.liters(counts->occupied)},
                      {"occupied_voxels", counts->occupied},
                      {"shell_voxels", counts->shell}};
  }
  json["people"] = people_json(result, options);
  if (const HeightEstimate* estimate = result.height_map())
    json["height_map"] = height_map_json(*estimate, result.joined_heads()->joined, cameras);
  if (const HeadsArtifact* heads = result.heads()) json["heads"] = heads_json(*heads, cameras);
  if (options.continued) json["continued_on_cpu"] = true;
  json["versions"] = ordered_json::object();
  for (const auto& [stage, version] : result.versions) json["versions"][stage] = hex64(version);
  return json.dump(-1, ' ', false, kReplace);
}

std::string track_rows(const FrameResult& result) {
  std::string rows;
  for (const FramePerson& person : people_of(result)) {
    if (person.id() == 0) continue;
    TrackRow row;
    row.frame = result.frame + 1, row.id = person.id();
    row.confidence = person.found.confidence;
    row.x_m = person.track->x_m, row.y_m = person.track->y_m, row.height_m = person.track->height_m;
    rows += mot_csv_row(row);
  }
  return rows;
}

Result<std::unique_ptr<ResultsWriter>> ResultsWriter::open(const std::filesystem::path& folder,
                                                           const Project& project, const RunDescription& run,
                                                           OlderFrames older) {
  VANTAGE_TRY(make_folder(folder));
  std::FILE* file = std::fopen(part_path(folder).c_str(), "wb");
  if (!file) return write_error(part_path(folder), errno);
  std::unique_ptr<ResultsWriter> writer(new ResultsWriter(folder, file));
  writer->older_ = older;
  writer->also_kept_ = run.also_kept, writer->continued_ = run.continued;
  writer->line_written_ = run.line_written;
  for (const ProjectCamera& camera : project.cameras) writer->cameras_.push_back(camera.name);
  VANTAGE_TRY(writer->write_line(header_line(project, run)));
  writer->pictures_ = std::make_unique<ResultsPictures>(folder, writer->cameras_, run.pictures, run.transfer);
  if (!run.grid) return writer;
  if (run.coverage) VANTAGE_TRY(writer->pictures_->write_coverage(*run.grid, *run.coverage));
  const std::filesystem::path tracks = folder / "tracks.csv.part";
  writer->tracks_ = std::fopen(tracks.c_str(), "wb");
  writer->repairs_ = project.repairs;
  if (!writer->tracks_) return write_error(tracks, errno);
  auto numbering = path_numbering(project, run.live);
  if (!numbering) return writer;
  if (!run.live) writer->again_ = PeopleAgain::of(project, *run.grid);
  VANTAGE_TRY(writer->number_with(std::move(*numbering), run));
  return writer;
}

Status ResultsWriter::number_with(PathNumbering numbering, const RunDescription& run) {
  if (numbering.parameters.window_s == 0 || older_ == OlderFrames::keep) {
    paths_ = std::move(numbering);
    return {};
  }
  VANTAGE_ASSIGN(PathFollower follower,
                 PathFollower::make(run.frame_rate, numbering.parameters, std::move(numbering.entrances),
                                    PeopleAgain::finder(again_)));
  lines_ = std::make_unique<SettledLines>(
      std::move(follower), run.live ? QueuePolicy::drop_oldest : QueuePolicy::block,
      [this](const std::string& line) { return write_frame_line(line); },
      [this](const std::string& rows) { return write_rows(rows); }, run.settled, again_);
  return {};
}

ResultsWriter::~ResultsWriter() {
  lines_.reset();  // its thread writes into the files
  if (file_) std::fclose(file_);
  if (tracks_) std::fclose(tracks_);
}

Status ResultsWriter::write(const FrameResult& result) {
  VANTAGE_ASSIGN(std::string line, frame_line(result, cameras_, {.continued = continued_}));
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

// Flushed line by line: a program that dies leaves whole lines.
Status ResultsWriter::write_line(std::string line) {
  line += '\n';
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
    return write_error(part_path(folder_), errno);
  return {};
}

Status ResultsWriter::write_frame_line(const std::string& line) {
  VANTAGE_TRY(write_line(line));
  if (line_written_) line_written_(line);
  return {};
}

Status ResultsWriter::write_rows(const std::string& rows) {
  if (std::fwrite(rows.data(), 1, rows.size(), tracks_) != rows.size() || std::fflush(tracks_) != 0)
    return write_error(folder_ / "tracks.csv.part", errno);
  return {};
}

// Everybody gets the last numbers.
Status ResultsWriter::settle() {
  if (!lines_) return {};
  const Status settled = lines_->finish();
  if (lines_->left_out() > 0)
    log_warning(
        "the people of " + std::to_string(lines_->left_out()) +
        " frames have no IDs: paths could not keep up; use paths.method=graph or a larger paths.cell_m");
  if (settled) follower_ = lines_->take_follower();
  lines_.reset();
  return settled;
}

// Before older frames are added, which are compared by their versions.
Status ResultsWriter::restate() {
  if (version_changes_.empty()) return {};
  VANTAGE_TRY(restate_versions(part_path(folder_), version_changes_));
  const std::filesystem::path older = folder_ / "results.jsonl";
  std::error_code none;
  if (older_ != OlderFrames::keep || !std::filesystem::exists(older, none)) return {};
  return restate_versions(older, version_changes_);
}

// Stopped before its first frame: what is there stays.
Status ResultsWriter::drop_parts() {
  std::error_code ignored;
  std::fclose(std::exchange(file_, nullptr));
  std::filesystem::remove(part_path(folder_), ignored);
  if (!tracks_) return {};
  std::fclose(std::exchange(tracks_, nullptr));
  std::filesystem::remove(folder_ / "tracks.csv.part", ignored);
  return {};
}

Status ResultsWriter::repair() {
  VANTAGE_ASSIGN(const RepairedPaths repaired, write_repaired(folder_, repairs_));
  for (const UnmetRepair& unmet : repaired.unmet)
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
  if (older_ == OlderFrames::keep && frames_ == 0 && std::filesystem::exists(folder_ / "results.jsonl", none))
    return drop_parts();
  const Status settled = settle();  // whatever it says, the files are completed
  VANTAGE_TRY(restate());
  std::set<int64_t> staying;
  if (older_ == OlderFrames::keep) {
    VANTAGE_ASSIGN(staying, project_detail::add_older_frames(part_path(folder_), folder_ / "results.jsonl",
                                                             folder_ / "tracks.csv.part",
                                                             folder_ / "tracks.csv", also_kept_));
  }
  if (paths_) VANTAGE_TRY(number_by_paths(part_path(folder_), folder_ / "tracks.csv.part", *paths_, again_));
  VANTAGE_TRY(complete(std::exchange(file_, nullptr), part_path(folder_), folder_ / "results.jsonl"));
  std::error_code ignored;
  if (tracks_)
    VANTAGE_TRY(
        complete(std::exchange(tracks_, nullptr), folder_ / "tracks.csv.part", folder_ / "tracks.csv"));
  else
    std::filesystem::remove(folder_ / "tracks.csv", ignored);  // of an older run, with another calibration
  VANTAGE_TRY(write_head_rows(folder_));
  if (!repairs_.empty()) VANTAGE_TRY(repair());
  pictures_->remove_older(staying);
  VANTAGE_TRY(settled);
  if (!trace) return {};
  const std::vector<TraceSpan> spans = trace->snapshot();
  VANTAGE_TRY(write_timings(spans, trace->dropped()));
  return write_file_atomically(folder_ / "trace.json", chrome_trace_json(spans));
}

}  // namespace vantage
