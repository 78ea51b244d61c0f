#include "core/results/results_paths.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/metrics/tracking_metrics.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/stages/people_stage.h"
#include "core/project/json_parts.h"
#include "core/results/detail/results_numbers.h"
#include "core/results/detail/results_people.h"

namespace vantage {
namespace project_detail {

PathPeople people_on(const std::vector<PersonPath>& paths) {
  PathPeople people;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points)
      if (point.person >= 0)
        people.numbers[{point.frame, point.person}] = path.id;
      else if (!point.seen)
        people.between[point.frame].push_back({path.id, point});
  return people;
}

std::string path_row(int64_t id, const PathPoint& point) {
  TrackRow row;
  row.frame = point.frame + 1, row.id = id;
  row.confidence = point.seen ? point.confidence : 0, row.x_m = point.x_m, row.y_m = point.y_m;
  row.height_m = point.height_m;
  return mot_csv_row(row);
}

}  // namespace project_detail

namespace {

// Colours to a tenth.
std::vector<BodyColor> stored_colors(std::vector<BodyColor> colors) {
  for (BodyColor& color : colors)
    for (auto* part : {&color.trunk, &color.legs})
      if (*part)
        for (float& channel : **part) channel = static_cast<float>(project_detail::rounded_color(channel));
  return colors;
}

}  // namespace

using project_detail::path_row;
using project_detail::people_on;
using project_detail::rounded;

PeopleSource people_source(const Project& project) {
  return resolved_source(project.parameters, project.has_detections());
}

PathParameters resolved_paths(PathParameters parameters, bool fused_people) {
  if (parameters.method == PathMethod::automatic)
    parameters.method = fused_people ? PathMethod::motion : PathMethod::graph;
  return parameters;
}

std::optional<PathNumbering> path_numbering(const Project& project, bool live) {
  const auto method = project.parameters.get<TrackingParameters>().method;
  const bool fused = people_source(project) == PeopleSource::fused;
  const bool by_paths =
      method == TrackingMethod::automatic ? fused && !live : method == TrackingMethod::paths;
  if (!by_paths) return std::nullopt;
  const PathParameters paths = resolved_paths(project.parameters.get<PathParameters>(), fused);
  return PathNumbering{live ? live_path_parameters(paths) : paths,
                       zones_of_kind(project.zones, ZoneKind::entrance)};
}

std::optional<SeenFrame> seen_frame(const FrameResult& result) {
  const PeopleArtifact* people = result.people();
  if (!people) return std::nullopt;
  const PeopleFound& found = people->found;
  if (!people->count_known() && found.people.empty() && found.rejected.empty()) return std::nullopt;
  SeenFrame seen{result.frame, {}, {}};
  const auto as_stored = [](const FoundPerson& person) {
    return FloorPerson{0, rounded(person.x_m), rounded(person.y_m), rounded(person.height_m),
                       rounded(person.confidence)};
  };
  for (const FramePerson& one : people_of(result)) {
    FloorPerson person = as_stored(one.found);
    if (one.colors) person.colors = stored_colors(*one.colors);
    if (one.motion && *one.motion) {
      const auto& velocity = (*one.motion)->velocity_m_per_s;
      person.velocity_m_per_s = {rounded(velocity[0]), rounded(velocity[1])};
    }
    seen.people.push_back(std::move(person));
  }
  for (const RejectedPeak& rejected : people->found.rejected)
    seen.rejected.push_back(as_stored(rejected.peak));
  return seen;
}

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Result<std::vector<PersonPath>> follow_frames(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances, FindAgain find_again) {
  std::vector<SeenFrame> seen;
  seen.reserve(results.frames.size());
  for (const StoredFrame& frame : results.frames)
    if (frame.searched()) seen.push_back({frame.frame, frame.people, frame.rejected});
  return follow_paths(seen, results.frame_rate, resolved_paths(parameters, results.fused_people), entrances,
                      std::move(find_again));
}

}  // namespace

Result<std::vector<PersonPath>> follow_stored(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances) {
  return follow_frames(results, parameters, entrances, {});
}

std::string path_rows(const std::vector<PersonPath>& paths) {
  std::map<std::pair<int64_t, size_t>, std::string> rows;  // by frame, then path
  for (size_t i = 0; i < paths.size(); ++i)
    for (const PathPoint& point : paths[i].points) rows[{point.frame, i}] += path_row(paths[i].id, point);
  std::string csv;
  for (const auto& [at, row] : rows) csv += row;
  return csv;
}

namespace {

constexpr int kRowsAtOnce = 1 << 16;

// The next rows of a tracks file, some at once, as a day's take several gigabytes; none: there are no more.
Result<std::vector<TrackRow>> next_rows(std::istream& in, const std::string& where) {
  std::string text;
  int count = 0;
  for (std::string row; count < kRowsAtOnce && std::getline(in, row); ++count) text += row + '\n';
  if (count == 0) return std::vector<TrackRow>();
  return read_mot_csv(text, where);
}

// By frame; nobody can be in one twice.
Status put_in_order(PersonPath* path, const std::string& where) {
  const auto earlier = [](const PathPoint& a, const PathPoint& b) { return a.frame < b.frame; };
  std::stable_sort(path->points.begin(), path->points.end(), earlier);
  const auto twice = std::adjacent_find(path->points.begin(), path->points.end(),
                                        [](const auto& a, const auto& b) { return a.frame == b.frame; });
  if (twice == path->points.end()) return {};
  return fail(
      ErrorKind::bad_data,
      "person " + std::to_string(path->id) + " appears twice in frame " + std::to_string(twice->frame + 1),
      where);
}

}  // namespace

Result<std::vector<PersonPath>> read_paths(const std::filesystem::path& tracks) {
  std::ifstream in(tracks, std::ios::binary);
  if (!in) return fail(ErrorKind::not_found, "there are no tracks here", tracks.string(), "Check the path.");
  std::map<int64_t, PersonPath> by_id;
  for (int64_t read = 0;;) {
    const std::string where =
        tracks.string() + (read > 0 ? ", behind line " + std::to_string(read) : std::string());
    VANTAGE_ASSIGN(const std::vector<TrackRow> rows, next_rows(in, where));
    if (rows.empty() && !in) break;
    for (const TrackRow& row : rows)
      by_id[row.id].points.push_back(
          {row.frame - 1, row.x_m, row.y_m, row.height_m, row.confidence, row.confidence > 0});
    read += kRowsAtOnce;
  }
  std::vector<PersonPath> paths;
  for (auto& [id, path] : by_id) {
    path.id = id;
    VANTAGE_TRY(put_in_order(&path, tracks.string()));
    paths.push_back(std::move(path));
  }
  return paths;
}

Result<RepairedPaths> write_repaired(const std::filesystem::path& folder,
                                     const std::vector<IdentityRepair>& repairs) {
  VANTAGE_ASSIGN(std::vector<PersonPath> paths, read_paths(folder / "tracks.csv"));
  RepairedPaths repaired = apply_repairs(std::move(paths), repairs);
  if (repairs.empty()) {
    std::error_code none;
    std::filesystem::remove(folder / "repaired.csv", none);
    return repaired;
  }
  VANTAGE_TRY(write_file_atomically(folder / "repaired.csv", path_rows(repaired.paths)));
  return repaired;
}

Status number_by_paths(const std::filesystem::path& results, const std::filesystem::path& tracks,
                       const PathNumbering& numbering, const std::shared_ptr<PeopleAgain>& again) {
  VANTAGE_ASSIGN(StoredResults stored, read_results_file(results));
  VANTAGE_ASSIGN(const std::string before, read_file(results));
  const std::vector<std::string> lines = lines_of(before);
  if (again) {
    for (const std::string& line : lines) again->add(line);
    for (StoredFrame& frame : stored.frames)
      if (auto first = again->first_people(frame.frame)) frame.people = std::move(*first);
  }
  VANTAGE_ASSIGN(
      const std::vector<PersonPath> paths,
      follow_frames(stored, numbering.parameters, numbering.entrances, PeopleAgain::finder(again)));
  const project_detail::PathPeople people = people_on(paths);
  std::string text;
  for (const std::string& line : lines)
    text += (text.empty() ? line : project_detail::finished_line(line, again.get(), people)) + '\n';
  VANTAGE_TRY(write_file_atomically(results, text));
  return write_file_atomically(tracks, path_rows(paths));
}

}  // namespace vantage
