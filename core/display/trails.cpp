#include "core/display/trails.h"

#include <algorithm>
#include <utility>

namespace vantage {
namespace {

size_t points(const std::vector<Trail>& trails) {
  size_t sum = 0;
  for (const Trail& trail : trails) sum += trail.floor_m.size();
  return sum;
}

// A person's trail, from its end.
class Backwards {
 public:
  Backwards(int64_t frame, int64_t frames) : first_(frame - frames), longest_gap_(frames / 2), next_(frame) {}

  // False where the trail begins behind this place.
  bool add(int64_t frame, const Eigen::Vector2d& place_m) {
    if (frame <= first_ || next_ - frame > longest_gap_) return false;
    backwards_.push_back(place_m);
    next_ = frame;
    return true;
  }
  void end(int64_t id, std::vector<Trail>* trails) const {
    if (backwards_.size() > 1) trails->push_back({id, {backwards_.rbegin(), backwards_.rend()}});
  }

 private:
  const int64_t first_, longest_gap_;
  int64_t next_;
  std::vector<Eigen::Vector2d> backwards_;
};

}  // namespace

void TrailStore::clear() {
  seen_ = {};
  stored_ = {};
}

void TrailStore::add(const FrameResult& result) {
  const TracksArtifact* tracks = result.tracks();
  if (!tracks || result.preview) return;
  const auto version = result.versions.find(kTrackingStage);
  const uint64_t present = version == result.versions.end() ? 0 : version->second;
  if (seen_.version != present) seen_ = {{}, present, {}};
  seen_.analysed.insert(result.frame);
  for (const TrackedPerson& person : tracks->tracked)
    if (person.id > 0) seen_.people[person.id][result.frame] = {person.x_m, person.y_m};
  if (!tracks->carried) return;
  for (const CarriedPerson& person : *tracks->carried)
    if (person.track.id > 0)
      seen_.people[person.track.id][result.frame] = {person.track.x_m, person.track.y_m};
}

void TrailStore::set_stored(std::vector<PersonPath> paths, uint64_t version) {
  PathsByFrame by_frame(paths);
  stored_ = {std::move(paths), std::move(by_frame), version};
}

std::vector<Trail> TrailStore::until(int64_t frame, int64_t frames, uint64_t version, From from) const {
  if (from == From::results) return stored_.until(frame, frames);
  std::vector<Trail> seen, stored;
  if (seen_.version == version) seen = seen_.until(frame, frames);
  if (stored_.version == version) stored = stored_.until(frame, frames);
  return points(stored) >= points(seen) ? stored : seen;
}

// More than so many frames in a row between the two were not analysed.
bool TrailStore::Seen::skipped(int64_t from, int64_t to, int64_t more_than) const {
  int64_t last = from;
  for (auto at = analysed.upper_bound(from); at != analysed.end() && *at < to; ++at) {
    if (*at - last > more_than) return true;
    last = *at;
  }
  return to - last > more_than;
}

std::vector<Trail> TrailStore::Seen::until(int64_t frame, int64_t frames) const {
  const int64_t few = std::max<int64_t>(1, frames / 8);
  std::vector<Trail> trails;
  for (const auto& [id, places] : people) {
    Backwards trail(frame, frames);
    int64_t next = frame;
    for (auto at = places.upper_bound(frame); at != places.begin(); next = at->first)
      if (--at; skipped(at->first, next, few) || !trail.add(at->first, at->second)) break;
    trail.end(id, &trails);
  }
  return trails;
}

std::vector<Trail> TrailStore::Stored::until(int64_t frame, int64_t frames) const {
  std::vector<Trail> trails;
  for (const uint32_t index : by_frame.near(frame - frames, frame)) {
    const PersonPath& path = paths[index];
    Backwards trail(frame, frames);
    for (size_t at = path.points.first_from(frame + 1); at > 0;) {
      const PathPoint point = path.points[--at];
      if (!trail.add(point.frame, {point.x_m, point.y_m})) break;
    }
    trail.end(path.id, &trails);
  }
  return trails;
}

namespace {

using Run = std::vector<Eigen::Vector2d>;

// Leaves out positions nearer than that to the one kept before; the last one stays.
void add_apart(const Eigen::Vector2d& place_m, double apart_m, Run* run) {
  const bool replaces =
      run->size() > 1 && ((*run)[run->size() - 1] - (*run)[run->size() - 2]).norm() < apart_m;
  if (replaces)
    run->back() = place_m;
  else
    run->push_back(place_m);
}

Run thinned(const Run& run, double apart_m) {
  Run thin;
  for (const Eigen::Vector2d& place_m : run) add_apart(place_m, apart_m, &thin);
  return thin;
}

double distance_m(const Eigen::Vector2d& place_m, const Eigen::Vector2d& from_m,
                  const Eigen::Vector2d& to_m) {
  const Eigen::Vector2d along = to_m - from_m;
  const double length = along.squaredNorm();
  const double share = length > 0 ? std::clamp((place_m - from_m).dot(along) / length, 0.0, 1.0) : 0;
  return (place_m - from_m - share * along).norm();
}

// Positions nearer than that to the lines between the others go. D. Douglas, T. Peucker, Cartographica 1973.
Run straightened(const Run& run, double tolerance_m) {
  if (run.size() < 3) return run;
  std::vector<bool> kept(run.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<size_t, size_t>> open = {{0, run.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    size_t farthest = first;
    double farthest_m = tolerance_m;
    for (size_t i = first + 1; i < last; ++i)
      if (const double away_m = distance_m(run[i], run[first], run[last]); away_m > farthest_m)
        farthest = i, farthest_m = away_m;
    if (farthest == first) continue;
    kept[farthest] = true;
    open.emplace_back(first, farthest);
    open.emplace_back(farthest, last);
  }
  Run straight;
  for (size_t i = 0; i < run.size(); ++i)
    if (kept[i]) straight.push_back(run[i]);
  return straight;
}

size_t size_of(const std::vector<Run>& runs) {
  size_t size = 0;
  for (const Run& run : runs) size += run.size();
  return size;
}

}  // namespace

std::vector<Run> walked_path(const PersonPath& path) {
  double tolerance_m = kWayTolerance_m / 2;  // of each of the two steps
  std::vector<Run> runs;
  for (int64_t next = 0; const PathPoint& point : path.points) {
    if (runs.empty() || point.frame != next) runs.emplace_back();
    add_apart({point.x_m, point.y_m}, tolerance_m, &runs.back());
    next = point.frame + 1;
  }
  for (Run& run : runs) run = straightened(run, tolerance_m);
  while (size_of(runs) > kManyWayPoints && 8 * tolerance_m <= kLongWayTolerance_m) {
    tolerance_m *= 2;
    for (Run& run : runs) run = straightened(thinned(run, tolerance_m), tolerance_m);
  }
  return runs;
}

}  // namespace vantage
