#include "core/results/results_paths.h"
#include "core/results/floor_counts.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstdio>
#include <functional>
#include <queue>
#include <utility>

#include "core/base/byte_stream.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/stages/stage_types.h"
#include "core/project/json_parts.h"
#include "core/results/detail/number_in_windows.h"
#include "core/results/detail/results_people.h"

namespace vantage {
namespace project_detail {

PathPeople people_on(const std::vector<PersonPath>& paths) {
  PathPeople people;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points)
      if (point.person >= 0)
        people.numbers[{point.frame, point.person}] = path.id;
      else
        (point.seen ? people.kept : people.between)[point.frame].push_back({path.id, point});
  return people;
}

std::string path_row(int64_t id, const PathPoint& point, const PersonDeviation* deviation) {
  TrackRow row;
  row.frame = point.frame + 1, row.id = id;
  row.confidence = point.seen ? point.confidence : 0, row.x_m = point.x_m, row.y_m = point.y_m;
  row.height_m = point.height_m;
  std::string text = mot_csv_row(row);
  if (!deviation || !(point.height_m > 0)) return text;
  text.pop_back();
  return text + fmt::format(",{:.4f},{:.4f},{:.3f},{:.4f}\n", deviation->x_m, deviation->y_m,
                            deviation->correlation, deviation->height_m);
}

}  // namespace project_detail

namespace {

// Colours rounded to a tenth.
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
  if (!is_by_paths(project.parameters.get<TrackingParameters>().method, live)) return std::nullopt;
  const bool fused = people_source(project) == PeopleSource::fused;
  const PathParameters paths = resolved_paths(project.parameters.get<PathParameters>(), fused);
  return PathNumbering{live ? live_path_parameters(paths) : paths,
                       zones_of_kind(project.zones, ZoneKind::entrance)};
}

PathNumbering for_length(PathNumbering numbering, int64_t frames, std::optional<double> window_s) {
  PathParameters& paths = numbering.parameters;
  const bool too_long = paths.window_s == 0 && frames > kPathFramesAtOnce;
  if (!window_s && !too_long) return numbering;
  paths.window_s = window_s.value_or(kLongWindow_s);
  paths.overlap_s = std::min(kLongOverlap_s, paths.window_s / 2);
  return numbering;
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

Result<int64_t> lines_in(const std::filesystem::path& file) {
  VANTAGE_ASSIGN(LineBlocks blocks, LineBlocks::open(file));
  int64_t lines = 0;
  for (;;) {
    VANTAGE_ASSIGN(const std::string_view text, blocks.next());
    if (text.empty()) return lines;
    lines += std::count(text.begin(), text.end(), '\n');
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for_each_line(text, [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

Result<std::vector<PersonPath>> follow_frames(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances, FindAgain find_again,
                                              std::vector<PersonReturn>* returns) {
  std::vector<SeenFrame> seen;
  seen.reserve(results.frames.size());
  for (const StoredFrame& frame : results.frames)
    if (auto one = project_detail::seen_by_paths(frame)) seen.push_back(std::move(*one));
  return follow_paths(seen, results.frame_rate, resolved_paths(parameters, results.fused_people), entrances,
                      std::move(find_again), returns);
}

}  // namespace

Result<std::vector<PersonPath>> follow_stored(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances) {
  return follow_frames(results, parameters, entrances, {}, nullptr);
}

namespace {

// The next point of a path.
struct Cursor {
  int64_t frame = 0;
  size_t path = 0, point = 0;
  auto operator<=>(const Cursor&) const = default;
};

}  // namespace

std::string path_rows(const std::vector<PersonPath>& paths, const PathDeviations& deviations) {
  std::vector<Cursor> starts;
  for (size_t i = 0; i < paths.size(); ++i)
    if (!paths[i].points.empty()) starts.push_back({paths[i].points.frame(0), i, 0});
  std::sort(starts.begin(), starts.end());
  // Only people who have begun and not ended, who are few even in a day with many.
  std::priority_queue<Cursor, std::vector<Cursor>, std::greater<>> present;
  std::string csv;
  for (size_t begun = 0; begun < starts.size() || !present.empty();) {
    if (begun < starts.size() && (present.empty() || starts[begun] < present.top()))
      present.push(starts[begun++]);
    const Cursor now = present.top();
    present.pop();
    const PersonPath& path = paths[now.path];
    const auto known = deviations.find({now.frame, path.id});
    csv += path_row(path.id, path.points[now.point],
                    known == deviations.end() ? nullptr : &known->second.on_path);
    if (const size_t next = now.point + 1; next < path.points.size())
      present.push({path.points.frame(next), now.path, next});
  }
  return csv;
}

namespace {

constexpr size_t kPart_bytes = size_t{1} << 18;

// Splits the text into parts of complete lines.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t newline = text.find('\n', std::min(kPart_bytes, text.size()));
    const size_t size = newline == std::string_view::npos ? text.size() : newline + 1;
    parts.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return parts;
}

// Rows of a number of lines of a file, the first of which is `first_line`; parts are read in parallel.
Result<std::vector<std::vector<TrackRow>>> rows_of(std::string_view text, const std::string& where,
                                                   int64_t first_line) {
  const std::vector<std::string_view> parts = parts_of(text);
  std::vector<std::vector<TrackRow>> rows(parts.size());
  std::atomic<bool> damaged = false;
  tbb::parallel_for(size_t{0}, parts.size(), [&](size_t i) {
    Result<std::vector<TrackRow>> read = read_mot_csv(parts[i], where, i == 0 ? first_line : 2);
    if (read)
      rows[i] = std::move(*read);
    else
      damaged = true;
  });
  if (!damaged) return rows;
  VANTAGE_TRY(read_mot_csv(text, where, first_line));  // names the line
  return rows;
}

// Sorts by frame; an ID can be in a frame only once.
Status put_in_order(PersonPath* path, const std::string& where) {
  PathPoints& points = path->points;
  bool ascending = true;
  for (size_t i = 1; i < points.size() && ascending; ++i) ascending = points.frame(i - 1) < points.frame(i);
  if (ascending) return points.shrink(), Status();
  std::vector<PathPoint> sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const PathPoint& a, const PathPoint& b) { return a.frame < b.frame; });
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                        [](const auto& a, const auto& b) { return a.frame == b.frame; });
  if (twice != sorted.end())
    return fail(
        ErrorKind::bad_data,
        "person " + std::to_string(path->id) + " appears twice in frame " + std::to_string(twice->frame + 1),
        where);
  points = PathPoints(sorted.begin(), sorted.end());
  return {};
}

}  // namespace

Result<PathsReader> PathsReader::open(const std::filesystem::path& tracks) {
  Result<LineBlocks> blocks = LineBlocks::open(tracks);
  if (!blocks)
    return fail(ErrorKind::not_found, "there are no tracks here", tracks.string(), "Check the path.");
  return PathsReader(std::move(*blocks), tracks.string());
}

Result<bool> PathsReader::next() {
  VANTAGE_ASSIGN(const std::string_view text, blocks_.next());
  if (text.empty()) return false;
  VANTAGE_ASSIGN(const std::vector<std::vector<TrackRow>> parts, rows_of(text, where_, next_line_));
  next_line_ += std::count(text.begin(), text.end(), '\n');
  for (const std::vector<TrackRow>& rows : parts)
    for (const TrackRow& row : rows) add(row);
  return true;
}

void PathsReader::add(const TrackRow& row) {
  const auto [at, is_new] = by_id_.try_emplace(row.id, paths_.size());
  if (is_new) paths_.push_back({row.id, {}});
  paths_[at->second].points.push_back(
      {row.frame - 1, row.x_m, row.y_m, row.height_m, row.confidence, row.confidence > 0});
}

Result<std::vector<PersonPath>> PathsReader::paths() {
  std::sort(paths_.begin(), paths_.end(),
            [](const PersonPath& a, const PersonPath& b) { return a.id < b.id; });
  for (PersonPath& path : paths_) VANTAGE_TRY(put_in_order(&path, where_));
  return std::move(paths_);
}

Result<std::vector<PersonPath>> read_paths(const std::filesystem::path& tracks) {
  VANTAGE_ASSIGN(PathsReader reader, PathsReader::open(tracks));
  for (bool more = true; more;) {
    VANTAGE_ASSIGN(more, reader.next());
  }
  return reader.paths();
}

void drop_repaired(const std::filesystem::path& folder) {
  std::error_code none;
  for (const char* name : {"repaired.csv", "names.csv"}) std::filesystem::remove(folder / name, none);
}

Result<RepairedPaths> write_repaired(const std::filesystem::path& folder,
                                     const std::vector<IdentityRepair>& repairs) {
  VANTAGE_ASSIGN(std::vector<PersonPath> paths, read_paths(folder / "tracks.csv"));
  RepairedPaths repaired = apply_repairs(std::move(paths), repairs);
  if (repairs.empty()) return drop_repaired(folder), repaired;
  VANTAGE_TRY(write_file_atomically(folder / "repaired.csv", path_rows(repaired.paths)));
  std::error_code none;
  if (repaired.names.empty())
    std::filesystem::remove(folder / "names.csv", none);
  else
    VANTAGE_TRY(write_file_atomically(folder / "names.csv", names_csv(repaired.names)));
  return repaired;
}

namespace {

constexpr std::string_view kReturnsHeader =
    "person,came_as,left_frame,left_x_m,left_y_m,came_frame,came_x_m,came_y_m,probability,joined";

std::optional<PersonReturn> return_of(const std::string& row) {
  PersonReturn one;
  long long ids[2] = {}, frames[2] = {};
  int used = 0;
  const int read = std::sscanf(row.c_str(), "%lld,%lld,%lld,%lf,%lf,%lld,%lf,%lf,%lf,%*d%n", &ids[0], &ids[1],
                               &frames[0], &one.left.x_m, &one.left.y_m, &frames[1], &one.came.x_m,
                               &one.came.y_m, &one.probability, &used);
  if (read != 9 || static_cast<size_t>(used) != row.size()) return std::nullopt;
  one.left_id = ids[0], one.came_id = ids[1];
  one.left.frame = frames[0] - 1, one.came.frame = frames[1] - 1;
  return one;
}

}  // namespace

std::filesystem::path returns_file(const std::filesystem::path& folder) {
  return folder / "returns.csv";
}

std::string returns_csv(std::span<const PersonReturn> returns) {
  std::string csv = std::string(kReturnsHeader) + '\n';
  for (const PersonReturn& one : returns)
    csv += fmt::format("{},{},{},{:.3f},{:.3f},{},{:.3f},{:.3f},{:.4f},{:d}\n", one.left_id, one.came_id,
                       one.left.frame + 1, one.left.x_m, one.left.y_m, one.came.frame + 1, one.came.x_m,
                       one.came.y_m, one.probability, one.joined());
  return csv;
}

Result<std::vector<PersonReturn>> read_returns(const std::filesystem::path& folder) {
  std::vector<PersonReturn> returns;
  const std::filesystem::path file = returns_file(folder);
  if (std::error_code none; !std::filesystem::exists(file, none)) return returns;
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  const std::vector<std::string> rows = lines_of(text);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 && rows[i] == kReturnsHeader) continue;
    const auto one = return_of(rows[i]);
    if (!one)
      return fail(ErrorKind::bad_data, "line " + std::to_string(i + 1) + " is not a return", file.string(),
                  "Run the project again.");
    returns.push_back(*one);
  }
  return returns;
}

Status number_by_paths(const std::filesystem::path& results, const std::filesystem::path& tracks,
                       const PathNumbering& numbering, const std::shared_ptr<SecondPassPeople>& again) {
  VANTAGE_ASSIGN(const int64_t frames, lines_in(results));
  if (const PathNumbering in_windows = for_length(numbering, frames); in_windows.parameters.window_s > 0)
    return project_detail::number_in_windows(results, tracks, in_windows, again);
  VANTAGE_ASSIGN(StoredResults stored, read_results_file(results));
  VANTAGE_ASSIGN(const std::string before, read_file(results));
  const std::vector<std::string> lines = lines_of(before);
  if (again) {
    for (const std::string& line : lines) again->add(line);
    for (StoredFrame& frame : stored.frames)
      if (auto first = again->first_people(frame.frame)) frame.people = std::move(*first);
  }
  std::vector<PersonReturn> returns;
  VANTAGE_ASSIGN(const std::vector<PersonPath> paths,
                 follow_frames(stored, numbering.parameters, numbering.entrances,
                               SecondPassPeople::finder(again), &returns));
  project_detail::PathPeople people = people_on(paths);
  if (again)
    people.deviations = again->deviations(paths, stored.frame_rate,
                                          resolved_paths(numbering.parameters, stored.fused_people));
  std::string text;
  for (const std::string& line : lines)
    text += (text.empty() ? line : project_detail::finished_line(line, again.get(), people)) + '\n';
  VANTAGE_TRY(write_file_atomically(results, text));
  VANTAGE_TRY(write_file_atomically(returns_file(tracks.parent_path()), returns_csv(returns)));
  return write_file_atomically(tracks, path_rows(paths, people.deviations));
}

}  // namespace vantage
