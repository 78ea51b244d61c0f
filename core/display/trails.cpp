#include "core/display/trails.h"

namespace vantage {
namespace {

size_t points(const std::vector<Trail>& trails) {
  size_t sum = 0;
  for (const Trail& trail : trails) sum += trail.floor_m.size();
  return sum;
}

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
  if (seen_.version != present) seen_ = {{}, present};
  for (const TrackedPerson& person : tracks->tracked)
    if (person.id > 0) seen_.people[person.id][result.frame] = {person.x_m, person.y_m};
  if (!tracks->carried) return;
  for (const CarriedPerson& person : *tracks->carried)
    if (person.track.id > 0)
      seen_.people[person.track.id][result.frame] = {person.track.x_m, person.track.y_m};
}

void TrailStore::set_stored(const std::vector<PersonPath>& paths, uint64_t version) {
  stored_ = {{}, version};
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points) stored_.people[path.id][point.frame] = {point.x_m, point.y_m};
}

std::vector<Trail> TrailStore::until(int64_t frame, int64_t frames, uint64_t version, From from) const {
  if (from == From::results) return stored_.until(frame, frames);
  std::vector<Trail> seen, stored;
  if (seen_.version == version) seen = seen_.until(frame, frames);
  if (stored_.version == version) stored = stored_.until(frame, frames);
  return points(stored) >= points(seen) ? stored : seen;
}

std::vector<Trail> TrailStore::Source::until(int64_t frame, int64_t frames) const {
  std::vector<Trail> trails;
  for (const auto& [id, places] : people) {
    std::vector<Eigen::Vector2d> backwards;
    int64_t next = frame;
    auto at = places.upper_bound(frame);
    while (at != places.begin()) {
      --at;
      if (at->first <= frame - frames || next - at->first > frames / 2) break;
      backwards.push_back(at->second);
      next = at->first;
    }
    if (backwards.size() > 1) trails.push_back({id, {backwards.rbegin(), backwards.rend()}});
  }
  return trails;
}

}  // namespace vantage
