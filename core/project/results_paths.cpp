#include "core/project/results_paths.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/file.h"
#include "core/metrics/tracking_metrics.h"

namespace vantage {
namespace {

// By frame and place among its people.
using Numbers = std::map<std::pair<int64_t, int32_t>, int64_t>;

Numbers numbers_of(const std::vector<PersonPath>& paths) {
  Numbers numbers;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points)
      if (point.person >= 0) numbers[{point.frame, point.person}] = path.id;
  return numbers;
}

// Lines that are not understood stay as they are.
std::string renumbered(const std::string& text, const Numbers& numbers) {
  nlohmann::ordered_json line = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("people") || !line["people"].is_object()) return text;
  const auto frame = line["frame"].get<int64_t>();
  int32_t place = 0;
  for (nlohmann::ordered_json& person : line["people"]["people"]) {
    const auto found = numbers.find({frame, place++});
    person["id"] = found == numbers.end() ? nlohmann::ordered_json() : nlohmann::ordered_json(found->second);
  }
  return line.dump();
}

}  // namespace

Result<std::vector<PersonPath>> follow_stored(const StoredResults& results, const PathParameters& parameters,
                                              std::span<const FloorZone> entrances) {
  std::vector<SeenFrame> seen;
  seen.reserve(results.frames.size());
  for (const StoredFrame& frame : results.frames) seen.push_back({frame.frame, frame.people, frame.rejected});
  return follow_paths(seen, results.frame_rate, parameters, entrances);
}

std::string path_rows(const std::vector<PersonPath>& paths) {
  std::vector<TrackRow> rows;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points) {
      TrackRow row;
      row.frame = point.frame + 1, row.id = path.id;
      row.confidence = point.confidence, row.x_m = point.x_m, row.y_m = point.y_m;
      row.height_m = point.height_m;
      rows.push_back(row);
    }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TrackRow& a, const TrackRow& b) { return a.frame < b.frame; });
  std::string csv;
  for (const TrackRow& row : rows) csv += mot_csv_row(row);
  return csv;
}

Result<std::vector<PersonPath>> read_paths(const std::filesystem::path& tracks) {
  VANTAGE_ASSIGN(const std::string text, read_file(tracks));
  VANTAGE_ASSIGN(std::vector<TrackRow> rows, read_mot_csv(text, tracks.string()));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TrackRow& a, const TrackRow& b) { return a.frame < b.frame; });
  std::map<int64_t, PersonPath> by_id;
  for (const TrackRow& row : rows) {
    PersonPath& path = by_id[row.id];
    path.id = row.id;
    if (!path.points.empty() && path.points.back().frame == row.frame - 1)
      return fail(ErrorKind::bad_data,
                  "person " + std::to_string(row.id) + " stands twice in frame " + std::to_string(row.frame),
                  tracks.string());
    path.points.push_back(
        {row.frame - 1, row.x_m, row.y_m, row.height_m, row.confidence, row.confidence > 0});
  }
  std::vector<PersonPath> paths;
  for (auto& [id, path] : by_id) paths.push_back(std::move(path));
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
                       const PathParameters& parameters, std::span<const FloorZone> entrances) {
  VANTAGE_ASSIGN(const StoredResults stored, read_results_file(results));
  VANTAGE_ASSIGN(const std::vector<PersonPath> paths, follow_stored(stored, parameters, entrances));
  const Numbers numbers = numbers_of(paths);
  VANTAGE_ASSIGN(const std::string before, read_file(results));
  std::string text;
  for (size_t begin = 0; begin < before.size();) {
    const size_t end = std::min(before.find('\n', begin), before.size());
    const std::string line = before.substr(begin, end - begin);
    text += (begin == 0 ? line : renumbered(line, numbers)) + '\n';
    begin = end + 1;
  }
  VANTAGE_TRY(write_file_atomically(results, text));
  return write_file_atomically(tracks, path_rows(paths));
}

}  // namespace vantage
