#include "core/display/trails.h"

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
  if (seen_.version != present) seen_ = {{}, present};
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

std::vector<Trail> TrailStore::Seen::until(int64_t frame, int64_t frames) const {
  std::vector<Trail> trails;
  for (const auto& [id, places] : people) {
    Backwards trail(frame, frames);
    for (auto at = places.upper_bound(frame); at != places.begin();)
      if (--at; !trail.add(at->first, at->second)) break;
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

}  // namespace vantage
