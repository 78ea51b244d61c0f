#include "core/project/compare_trackers.h"

#include <map>
#include <set>

#include "core/path_tracking/path_tracker.h"
#include "core/project/results_paths.h"
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

std::vector<PersonPath> greedy_paths(const StoredResults& results, const TrackingParameters& parameters) {
  Tracker tracker(results.frame_rate);
  tracker.set_parameters(parameters);
  PathsByNumber paths;
  for (const StoredFrame& frame : results.frames) {
    std::vector<TrackDetection> seen;
    for (const FloorPerson& person : frame.people) seen.push_back({person.x_m, person.y_m, person.height_m});
    const std::vector<TrackedDetection> tracked =
        tracker.update(frame.frame, seen, sight_of(frame.cameras, frame.without_picture));
    for (size_t i = 0; i < tracked.size(); ++i) paths.add(tracked[i].id, frame.frame, frame.people[i], i);
  }
  return paths.take();
}

}  // namespace

std::string_view compared_name(ComparedMethod method) {
  constexpr std::array<std::string_view, 4> kNames = {"in the results", "greedy", "paths on the graph",
                                                      "paths on the grid"};
  return kNames[static_cast<size_t>(method)];
}

Result<std::vector<PersonPath>> follow_again(const StoredResults& results, ComparedMethod method,
                                             const ParameterStore& parameters) {
  if (method == ComparedMethod::recorded) return recorded_paths(results);
  if (method == ComparedMethod::greedy) return greedy_paths(results, parameters.get<TrackingParameters>());
  auto paths = parameters.get<PathParameters>();
  paths.method = method == ComparedMethod::graph ? PathMethod::graph : PathMethod::grid;
  return follow_stored(results, paths);
}

Result<TrackingMetrics> measure_paths(const std::vector<PersonPath>& paths, const StoredResults& results,
                                      const std::vector<TrackRow>& truth) {
  std::set<int64_t> analysed;
  for (const StoredFrame& frame : results.frames) analysed.insert(frame.frame + 1);
  std::vector<TrackRow> true_rows;
  for (const TrackRow& row : truth)
    if (analysed.contains(row.frame)) true_rows.push_back(row);
  VANTAGE_ASSIGN(const std::vector<TrackRow> given, read_mot_csv(path_rows(paths), "paths"));
  return evaluate_tracks(true_rows, given, {TrackSpace::world, kComparedWithin_m});
}

}  // namespace vantage
