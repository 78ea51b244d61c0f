#include "core/session/recorded_tracks.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"
#include "core/display/lanes.h"

namespace vantage {
namespace {

Person as_found(const FloorPerson& stored) {
  Person person;
  person.x_m = stored.x_m, person.y_m = stored.y_m;
  person.height_m = stored.height_m;
  person.confidence = stored.confidence;
  return person;
}

}  // namespace

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
    if (version != frame.versions->end()) {
      Frame& kept = frames_[frame.frame];
      kept = {version->second,
              std::vector<int64_t>(frame.people.size()),
              {},
              frame.cameras,
              frame.without_picture,
              frame.people_count >= 0};
      std::transform(frame.people.begin(), frame.people.end(), std::back_inserter(kept.people), as_found);
    }
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

bool RecordedTracks::tells(int64_t frame, std::span<const uint64_t> versions) const {
  const auto found = frames_.find(frame);
  return found != frames_.end() &&
         std::find(versions.begin(), versions.end(), found->second.version) != versions.end();
}

FrameResultRef RecordedTracks::with_people(const FrameResultRef& result) const {
  const Frame& frame = frames_.at(result->frame);
  auto shown = std::make_shared<FrameResult>(*result);
  const TracksArtifact* tracks = result->tracks();
  const auto version = result->versions.find(kTrackingStage);
  if (tracks && !result->preview && version != result->versions.end() && version->second == frame.version &&
      tracks->tracked.size() == frame.numbers.size()) {
    auto numbered = std::make_shared<TracksArtifact>(*tracks);
    for (size_t i = 0; i < numbered->tracked.size(); ++i) numbered->tracked[i].id = frame.numbers[i];
    shown->artifacts[std::string(kTrackingStage)] = std::move(numbered);
  } else {
    put_people(frame, shown.get());
  }
  shown->versions[std::string(kTrackingStage)] = Hasher().add(frame.version).add(stamp_).value();
  return shown;
}

// Everything else that speaks of people by their place among the frame's goes, since that is another's now.
void RecordedTracks::put_people(const Frame& frame, FrameResult* result) {
  auto people = std::make_shared<PeopleArtifact>();
  people->found.people = frame.people;
  people->found.peaks = static_cast<int64_t>(frame.people.size());
  people->cameras = frame.cameras, people->without_picture = frame.without_picture;
  people->covered_share = frame.known ? 1 : 0;
  auto tracks = std::make_shared<TracksArtifact>();
  for (size_t i = 0; i < frame.people.size(); ++i)
    tracks->tracked.push_back(
        {frame.numbers[i], frame.people[i].x_m, frame.people[i].y_m, frame.people[i].height_m});
  result->artifacts[std::string(kPeopleStage)] = std::move(people);
  result->artifacts[std::string(kTrackingStage)] = std::move(tracks);
  for (const std::string_view stage : {kMotionStage, kAppearanceStage, kJoinedHeadsStage})
    result->artifacts.erase(std::string(stage));
  if (!result->heads()) return;
  auto heads = std::make_shared<HeadsArtifact>(*result->heads());
  for (SceneHead& head : heads->heads) head.person = -1;
  result->artifacts[std::string(kHeadsStage)] = std::move(heads);
}

}  // namespace vantage
