#include "core/results/compare_trackers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/assignment.h"
#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/detections/cvat_file.h"
#include "core/results/frame_lines.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/tracking/tracker.h"

namespace vantage {
namespace {

class PathsByNumber {
 public:
  void add(int64_t id, int64_t frame, const FloorPerson& person, size_t place) {
    if (id <= 0) return;
    PersonPath& path = paths_[id];
    path.id = id;
    path.points.push_back({frame, person.x_m, person.y_m, person.height_m, person.confidence, true,
                           static_cast<int32_t>(place)});
  }
  std::vector<PersonPath> take() {
    std::vector<PersonPath> all;
    for (auto& [id, path] : paths_) all.push_back(std::move(path));
    return all;
  }

 private:
  std::map<int64_t, PersonPath> paths_;
};

std::vector<PersonPath> recorded_paths(const StoredResults& results) {
  PathsByNumber paths;
  for (const StoredFrame& frame : results.frames)
    for (size_t i = 0; i < frame.people.size(); ++i)
      paths.add(frame.people[i].id, frame.frame, frame.people[i], i);
  return paths.take();
}

std::vector<FloorDetection> detections_of(const std::vector<FloorPerson>& people) {
  std::vector<FloorDetection> detections;
  for (const FloorPerson& person : people) detections.push_back({person.x_m, person.y_m, person.height_m});
  return detections;
}

Result<std::vector<PersonPath>> greedy_paths(const StoredResults& results,
                                             const TrackingParameters& parameters) {
  Tracker tracker(results.frame_rate);
  tracker.set_parameters(parameters);
  PathsByNumber paths;
  for (const StoredFrame& stored : results.frames) {
    const StoredFrame frame = as_searched(stored);
    VANTAGE_ASSIGN(const std::vector<TrackedPerson> tracked,
                   tracker.update(frame.frame, detections_of(frame.people), detections_of(frame.rejected),
                                  sight_of(frame.cameras, frame.without_picture)));
    for (size_t i = 0; i < tracked.size(); ++i) paths.add(tracked[i].id, frame.frame, frame.people[i], i);
  }
  return paths.take();
}

// Everyone by frame and index among its people; only found people, not bridged positions.
using Found = std::map<std::pair<int64_t, int32_t>, TwiceFollowed>;

Found found_by_both(const std::vector<PersonPath>& first, const std::vector<PersonPath>& second) {
  Found found;
  const auto take = [&](const std::vector<PersonPath>& paths, int64_t TwiceFollowed::* number) {
    for (const PersonPath& path : paths)
      for (const PathPoint& point : path.points) {
        if (point.person < 0) continue;
        TwiceFollowed& one = found[{point.frame, point.person}];
        one.x_m = point.x_m, one.y_m = point.y_m, one.height_m = point.height_m;
        one.*number = path.id;
      }
  };
  take(first, &TwiceFollowed::first);
  take(second, &TwiceFollowed::second);
  return found;
}

// The second tracker's ID for each ID of the first.
std::map<int64_t, int64_t> correspondence(const Found& found) {
  std::map<int64_t, int> rows, columns;
  for (const auto& [at, one] : found) {
    if (one.first > 0) rows.try_emplace(one.first, static_cast<int>(rows.size()));
    if (one.second > 0) columns.try_emplace(one.second, static_cast<int>(columns.size()));
  }
  ScoreMatrix common(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (const auto& [at, one] : found)
    if (one.first > 0 && one.second > 0) common.at(rows[one.first], columns[one.second]) += 1;
  std::map<int, int64_t> number_of_column;
  for (const auto& [number, column] : columns) number_of_column[column] = number;
  const std::vector<int> assigned = assign_maximum(common);
  std::map<int64_t, int64_t> pairs;
  for (const auto& [number, row] : rows)
    if (const int column = assigned[row]; column >= 0 && common.at(row, column) > 0)
      pairs[number] = number_of_column[column];
  return pairs;
}

// The last position of an ID of one tracker, and the other tracker's ID there.
struct LastPlace {
  double x_m = 0, y_m = 0;
  int64_t other = 0;  // 0: never
};

double step_m(const LastPlace& from, const TwiceFollowed& to) {
  if (from.other == 0) return std::numeric_limits<double>::infinity();
  return std::hypot(to.x_m - from.x_m, to.y_m - from.y_m);
}

// Changes of ID along a path of the other tracker. Where two people are exchanged, both trackers' paths
// change IDs there; the switch belongs to the tracker whose ID comes from farther away.
std::vector<TrackerSwitch> switches_in(const Found& found) {
  std::vector<TrackerSwitch> switches;
  std::map<int64_t, LastPlace> last_first, last_second;
  for (const auto& [at, one] : found) {
    if (one.first <= 0 || one.second <= 0) continue;
    LastPlace &first = last_first[one.first], &second = last_second[one.second];
    const double first_step = step_m(first, one), second_step = step_m(second, one);
    if (second_step <= first_step && second.other > 0 && second.other != one.first)
      switches.push_back({at.first, 0, one.second, second.other, one.first, one.x_m, one.y_m});
    else if (first_step < second_step && first.other > 0 && first.other != one.second)
      switches.push_back({at.first, 1, one.first, first.other, one.second, one.x_m, one.y_m});
    first = {one.x_m, one.y_m, one.second}, second = {one.x_m, one.y_m, one.first};
  }
  return switches;
}

struct RowsOfBoth {
  std::vector<TrackRow> truth, given;
};
Result<RowsOfBoth> rows_of_both(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                const GroundTruth& truth) {
  RowsOfBoth both{truth.rows, {}};
  VANTAGE_ASSIGN(both.given, read_mot_csv(path_rows(paths), "paths"));
  keep_annotated(truth, &both.given);
  for (std::vector<TrackRow>* rows : {&both.truth, &both.given})
    std::erase_if(*rows, [&](const TrackRow& row) { return !frames.are(row.frame - 1); });
  return both;
}

}  // namespace

bool ComparedFrames::are(int64_t frame) const {
  return std::ranges::binary_search(known, frame) ||
         (!analysed_only && !std::ranges::binary_search(analysed, frame));
}

std::string without_results_text(const GroundTruth& truth, std::span<const int64_t> analysed,
                                 bool analysed_only) {
  std::set<int64_t> annotated;  // counted from 1
  if (truth.frames)
    annotated = *truth.frames;
  else
    for (const TrackRow& row : truth.rows) annotated.insert(row.frame);
  const auto without = std::ranges::count_if(
      annotated, [&](int64_t frame) { return !std::ranges::binary_search(analysed, frame - 1); });
  if (without == 0) return {};
  return std::to_string(without) + " of " + std::to_string(annotated.size()) +
         " annotated frames have no results: " +
         (analysed_only ? "they are left out" : "their people count as missed");
}

std::string_view compared_name(ComparedMethod method) {
  constexpr std::array<std::string_view, 5> kNames = {"in the results", "greedy", "paths on the graph",
                                                      "paths on the grid", "paths by motion"};
  return kNames[static_cast<size_t>(method)];
}

Result<std::vector<PersonPath>> follow_again(const StoredResults& results, ComparedMethod method,
                                             const Project& project) {
  const ParameterStore& parameters = project.parameters;
  if (method == ComparedMethod::recorded) return recorded_paths(results);
  if (method == ComparedMethod::greedy) return greedy_paths(results, parameters.get<TrackingParameters>());
  auto paths = parameters.get<PathParameters>();
  switch (method) {
    case ComparedMethod::grid:
      paths.method = PathMethod::grid;
      break;
    case ComparedMethod::motion:
      paths.method = PathMethod::motion;
      break;
    default:
      paths.method = PathMethod::graph;
  }
  return follow_stored(results, paths, zones_of_kind(project.zones, ZoneKind::entrance));
}

Result<TrackingMetrics> measure_paths(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                      const GroundTruth& truth) {
  VANTAGE_ASSIGN(const RowsOfBoth rows, rows_of_both(paths, frames, truth));
  return evaluate_tracks(rows.truth, rows.given, {TrackSpace::world, kComparedWithin_m});
}

Result<MatchedTracks> match_paths(const std::vector<PersonPath>& paths, const ComparedFrames& frames,
                                  const GroundTruth& truth) {
  VANTAGE_ASSIGN(RowsOfBoth rows, rows_of_both(paths, frames, truth));
  return MatchedTracks::make(std::move(rows.truth), std::move(rows.given),
                             {TrackSpace::world, kComparedWithin_m});
}

Result<std::vector<WorstMoment>> worst_of_paths(const std::vector<PersonPath>& paths,
                                                const ComparedFrames& frames, const GroundTruth& truth) {
  using enum MomentKind;
  VANTAGE_ASSIGN(const RowsOfBoth rows, rows_of_both(paths, frames, truth));
  VANTAGE_ASSIGN(std::vector<WorstMoment> moments,
                 worst_moments(rows.truth, rows.given, {TrackSpace::world, kComparedWithin_m},
                               {missed, false_found, swapped}));
  for (WorstMoment& moment : moments)
    for (int64_t* frame : {&moment.frame, &moment.first_frame, &moment.last_frame}) --*frame;
  return moments;
}

TrackerDifferences compare_paths(const std::vector<PersonPath>& first,
                                 const std::vector<PersonPath>& second) {
  const Found found = found_by_both(first, second);
  const std::map<int64_t, int64_t> pairs = correspondence(found);
  TrackerDifferences differences;
  for (auto [at, one] : found) {
    const auto pair = pairs.find(one.first);
    one.differs = one.second == 0 || pair == pairs.end() || pair->second != one.second;
    ++differences.followed, differences.differing += one.differs;
    differences.frames[at.first].push_back(one);
  }
  differences.switches = switches_in(found);
  return differences;
}

namespace {

namespace fs = std::filesystem;

fs::path tracks_file(const fs::path& given) {
  if (!fs::is_directory(given)) return given;
  return fs::exists(given / "repaired.csv") ? given / "repaired.csv" : given / "tracks.csv";
}

Status count_from_one(const fs::path& file, JudgedTracks* tracks) {
  const auto first = std::min_element(tracks->rows.begin(), tracks->rows.end(),
                                      [](const TrackRow& a, const TrackRow& b) { return a.frame < b.frame; });
  if (first == tracks->rows.end() || first->frame > 0) return {};
  if (first->frame < 0)
    return fail(ErrorKind::bad_data, "has a frame " + std::to_string(first->frame), file.string(),
                "Frames count from 1, or from 0.");
  tracks->counted_from_zero = true;
  for (TrackRow& row : tracks->rows) ++row.frame;
  log_info(file.string() + " has a frame 0, so it counts from 0: that is the recording's first frame");
  return {};
}

// CVAT counts from 0, and states no positions on the floor.
Result<std::vector<TrackRow>> rows_of_cvat(const std::string& text, const std::string& where) {
  VANTAGE_ASSIGN(const CvatFile cvat, parse_cvat(text, where));
  if (cvat.skipped > 0)
    return fail(ErrorKind::bad_data, "has boxes that cannot be read; " + cvat.problems.front(), where,
                "Export it again from CVAT.");
  std::vector<TrackRow> rows;
  std::string others;
  for (const CvatTrack& track : cvat.tracks) {
    if (!track.person) append_item(&others, track.label);
    for (const CvatBox& box : track.boxes) {
      if (!track.person || box.outside) continue;
      TrackRow row;
      row.frame = box.frame + 1, row.id = track.id;
      row.left_px = box.left_px, row.top_px = box.top_px;
      row.width_px = box.right_px - box.left_px, row.height_px = box.bottom_px - box.top_px;
      row.x_m = row.y_m = row.z_m = -1;
      rows.push_back(row);
    }
  }
  if (!rows.empty()) return rows;
  return fail(ErrorKind::bad_data,
              others.empty() ? "has no tracks" : "has tracks of " + others + ", none of which is a person",
              where,
              "Annotate people as tracks of the label person, and export CVAT for video 1.1; shapes without "
              "tracks have no identities.");
}

}  // namespace

Result<JudgedTracks> read_judged_tracks(const fs::path& given) {
  JudgedTracks tracks;
  const fs::path file = tracks_file(given);
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  if (names_cvat(text)) {
    VANTAGE_ASSIGN(tracks.rows, rows_of_cvat(text, file.string()));
    return tracks;
  }
  VANTAGE_ASSIGN(tracks.rows, read_mot_csv(text, file.string()));
  VANTAGE_TRY(count_from_one(file, &tracks));
  if (!fs::exists(results_file(given))) return tracks;
  VANTAGE_ASSIGN(const StoredResults results, read_results(given));
  for (const StoredFrame& frame : results.frames) {
    tracks.analysed_frames.push_back(frame.frame);
    if (frame.people_count < 0) tracks.unknown_frames.insert(frame.frame + 1);
    if (results.versions && frame.versions && *frame.versions != *results.versions) ++tracks.other_settings;
  }
  return tracks;
}

}  // namespace vantage
