#include "core/display/trails.h"

namespace vantage {

void TrailStore::clear() {
  people_.clear();
  version_.reset();
}

void TrailStore::add(const FrameResult& result) {
  const TracksArtifact* tracks = result.tracks();
  if (!tracks || result.preview) return;
  const auto version = result.versions.find(kTrackingStage);
  const uint64_t present = version == result.versions.end() ? 0 : version->second;
  if (version_ != present) clear();
  version_ = present;
  for (const TrackedDetection& person : tracks->tracked)
    if (person.id > 0) people_[person.id][result.frame] = {person.x_m, person.y_m};
}

std::vector<Trail> TrailStore::until(int64_t frame, int64_t frames) const {
  std::vector<Trail> trails;
  for (const auto& [id, places] : people_) {
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
