#include "core/session/recorded_tracks.h"

#include <utility>

#include "core/base/hash.h"
#include "core/display/lanes.h"

namespace vantage {

RecordedTracks::RecordedTracks(const StoredResults& results, std::vector<PersonPath> paths)
    : paths_(std::move(paths)) {
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = results.frame_rate;
  std::map<int64_t, PersonPath*> by_id;
  for (PersonPath& path : paths_) by_id[path.id] = &path;
  for (const StoredFrame& frame : results.frames) {
    tracks->frames.push_back(frame.frame);
    if (frame.people_count >= 0) tracks->known_frames.push_back(frame.frame);
    const auto version = frame.versions->find(kTrackingStage);
    if (version != frame.versions->end())
      frames_[frame.frame] = {version->second, std::vector<int64_t>(frame.people.size())};
    for (size_t i = 0; i < frame.people.size(); ++i) {
      const auto path = by_id.find(frame.people[i].id);
      const PathPoint* found = path == by_id.end() ? nullptr : point_at(*path->second, frame.frame);
      if (!found) continue;
      PathPoint& point = path->second->points[static_cast<size_t>(found - path->second->points.data())];
      point.person = static_cast<int32_t>(i);
      point.height_m = frame.people[i].height_m;
    }
  }
  tracks_ = std::move(tracks);
  repair({});
}

void RecordedTracks::repair(const std::vector<IdentityRepair>& repairs) {
  if (!tracks_) return;
  RepairedPaths repaired = apply_repairs(paths_, repairs);
  auto tracks = std::make_shared<Tracks>(*tracks_);
  tracks->paths = std::move(repaired.paths);
  tracks->unmet = std::move(repaired.unmet);
  for (auto& [frame, shown] : frames_) shown.numbers.assign(shown.numbers.size(), 0);
  for (const PersonPath& path : tracks->paths)
    for (const PathPoint& point : path.points)
      if (const auto frame = frames_.find(point.frame); point.person >= 0 && frame != frames_.end())
        frame->second.numbers[static_cast<size_t>(point.person)] = path.id;
  Hasher stamp;
  for (const auto& [frame, shown] : frames_)
    for (const int64_t number : shown.numbers) stamp.add(static_cast<uint64_t>(number));
  stamp_ = stamp.value();
  tracks_ = std::move(tracks);
}

FrameResultRef RecordedTracks::with_numbers(FrameResultRef result) const {
  const auto frame = frames_.find(result->frame);
  const TracksArtifact* tracks = result->tracks();
  const auto version = result->versions.find(kTrackingStage);
  if (frame == frames_.end() || !tracks || result->preview || version == result->versions.end() ||
      version->second != frame->second.version || tracks->tracked.size() != frame->second.numbers.size())
    return result;
  auto numbered = std::make_shared<TracksArtifact>(*tracks);
  for (size_t i = 0; i < numbered->tracked.size(); ++i) numbered->tracked[i].id = frame->second.numbers[i];
  auto copy = std::make_shared<FrameResult>(*result);
  copy->artifacts[std::string(kTrackingStage)] = std::move(numbered);
  copy->versions[std::string(kTrackingStage)] = Hasher().add(version->second).add(stamp_).value();
  return copy;
}

}  // namespace vantage
