#include "core/export/case/case_people.h"

#include <algorithm>
#include <cmath>

#include "core/results/results_paths.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {
namespace {

// Sets, in each point of a path, the person of the frame.
void join_people(const StoredResults& stored, std::vector<PersonPath>* paths) {
  std::map<int64_t, PersonPath*> by_id;
  for (PersonPath& path : *paths) by_id[path.id] = &path;
  for (const StoredFrame& frame : stored.frames)
    for (size_t i = 0; i < frame.people.size(); ++i) {
      const auto path = by_id.find(frame.people[i].id);
      if (path == by_id.end()) continue;
      PathPoints& points = path->second->points;
      const size_t at = points.first_from(frame.frame);
      if (at == points.size() || points.frame(at) != frame.frame) continue;
      PathPoint point = points[at];
      point.person = static_cast<int32_t>(i);
      points.set(at, point);
    }
}

}  // namespace

std::string person_label(int64_t id, const PersonNames& names) {
  if (const auto name = names.find(id); name != names.end()) return name->second;
  return id > 0 ? "#" + std::to_string(id) : "#?";
}

Result<CasePeople> CasePeople::read(const Project& project, const std::filesystem::path& results) {
  VANTAGE_ASSIGN(const StoredResults stored, read_results(results));
  CasePeople people;
  people.device_ = stored.device;
  RecordedPeople& recorded = people.recorded_;
  recorded.frame_rate = stored.frame_rate;
  Result<std::vector<PersonPath>> paths = read_paths(results / "tracks.csv");
  if (!paths && paths.error().kind != ErrorKind::not_found) return fail(paths.error());
  VANTAGE_ASSIGN(recorded.returns, read_returns(results));
  if (paths) {
    join_people(stored, &*paths);
    RepairedPaths repaired = apply_repairs(std::move(*paths), project.repairs);
    recorded.paths = std::move(repaired.paths), recorded.names = std::move(repaired.names);
  }
  for (const StoredFrame& frame : stored.frames) {
    recorded.frames.push_back(frame.frame);
    if (frame.people_count < 0) continue;
    recorded.known_frames.push_back(frame.frame);
    const auto version = frame.versions->find(kTrackingStage);
    people.known_.emplace(frame.frame, version == frame.versions->end() ? 0 : version->second);
  }
  for (const PersonPath& path : recorded.paths) people.add_path(path);
  std::map<int64_t, std::map<int32_t, int64_t>> ids;  // by frame and person
  for (const PersonPath& path : recorded.paths)
    for (const PathPoint& point : path.points)
      if (point.person >= 0) ids[point.frame][point.person] = path.id;
  for (const StoredFrame& frame : stored.frames)
    for (size_t i = 0; i < frame.people.size(); ++i) people.add_found(frame, i, ids[frame.frame]);
  return people;
}

bool CasePeople::found_by(FrameRange span, uint64_t version) const {
  return std::all_of(known_.lower_bound(span.begin), known_.lower_bound(span.end),
                     [&](const auto& frame) { return frame.second == version; });
}

void CasePeople::keep_names_of(const std::set<int64_t>& ids) {
  std::erase_if(recorded_.names, [&](const auto& named) { return !ids.contains(named.first); });
}

void CasePeople::add_path(const PersonPath& path) {
  const auto longest = static_cast<int64_t>(std::lround(kLongestGap_s * recorded_.frame_rate));
  for (size_t i = 0; i < path.points.size(); ++i) {
    const PathPoint& point = path.points[i];
    frames_[point.frame].push_back({path.id, point.x_m, point.y_m, point.height_m, point.seen});
    if (i + 1 == path.points.size()) break;
    const PathPoint& next = path.points[i + 1];
    if (next.frame - point.frame > longest) continue;
    for (int64_t frame = point.frame + 1; frame < next.frame; ++frame) {
      const double share =
          static_cast<double>(frame - point.frame) / static_cast<double>(next.frame - point.frame);
      const auto between = [share](double a, double b) { return a + share * (b - a); };
      frames_[frame].push_back({path.id, between(point.x_m, next.x_m), between(point.y_m, next.y_m),
                                between(point.height_m, next.height_m), false});
    }
  }
}

// Adds the person at the found position, not at the path's smoothed one.
void CasePeople::add_found(const StoredFrame& frame, size_t index, const std::map<int32_t, int64_t>& ids) {
  const FloorPerson& found = frame.people[index];
  const auto id = ids.find(static_cast<int32_t>(index));
  const CasePerson person{id == ids.end() ? 0 : id->second, found.x_m, found.y_m, found.height_m, true};
  std::vector<CasePerson>& all = frames_[frame.frame];
  const auto on_path = std::find_if(
      all.begin(), all.end(), [&](const CasePerson& one) { return person.id > 0 && one.id == person.id; });
  if (on_path == all.end())
    all.push_back(person);
  else
    *on_path = person;
}

std::vector<CasePerson> CasePeople::at(int64_t frame) const {
  const auto found = frames_.find(frame);
  if (found == frames_.end()) return {};
  std::vector<CasePerson> people = found->second;
  std::stable_sort(people.begin(), people.end(),
                   [](const CasePerson& a, const CasePerson& b) { return a.id < b.id; });
  return people;
}

bool CasePeople::has_person(int64_t id) const {
  return std::any_of(recorded_.paths.begin(), recorded_.paths.end(),
                     [id](const PersonPath& path) { return path.id == id; });
}

}  // namespace vantage
