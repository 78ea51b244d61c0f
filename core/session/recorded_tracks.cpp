#include "core/session/recorded_tracks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/display/lanes.h"

namespace vantage {
namespace {

FoundPerson as_found(const FloorPerson& stored) {
  FoundPerson person;
  person.x_m = stored.x_m, person.y_m = stored.y_m;
  person.height_m = stored.height_m;
  person.confidence = stored.confidence;
  return person;
}

// Results hold positions to so much.
constexpr double kRounded_m = 0.001;
// A person this near to where one was found is the same.
constexpr double kSamePerson_m = 0.3;

// One for each person: of who was found nearest, without evidence where nobody was near; nothing where nobody
// was found from detections.
std::vector<FusedPerson> evidence_for(const std::vector<FoundPerson>& people,
                                      const std::vector<FusedPerson>& found) {
  std::vector<FusedPerson> all;
  if (found.empty()) return all;
  for (const FoundPerson& person : people) {
    const auto away_m = [&](const FusedPerson& one) {
      return std::hypot(one.x_m - person.x_m, one.y_m - person.y_m);
    };
    const auto nearest = std::min_element(
        found.begin(), found.end(), [&](const auto& a, const auto& b) { return away_m(a) < away_m(b); });
    FusedPerson& fused = all.emplace_back(away_m(*nearest) < kSamePerson_m ? *nearest : FusedPerson());
    fused.x_m = person.x_m, fused.y_m = person.y_m, fused.height_m = person.height_m;
  }
  return all;
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
              frame.people_count >= 0,
              frame.carried};
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
  tracks_ = std::move(tracks);
}

bool RecordedTracks::tells(int64_t frame, std::span<const uint64_t> versions) const {
  const auto found = frames_.find(frame);
  return found != frames_.end() &&
         std::find(versions.begin(), versions.end(), found->second.version) != versions.end();
}

void RecordedTracks::show_people(ShownFrame* shown) const {
  const FrameResult& result = *shown->result;
  const Frame& frame = frames_.at(result.frame);
  shown->ids = frame.numbers;
  const auto version = result.versions.find(kTrackingStage);
  const bool exact = result.tracks() && result.people() && !result.preview &&
                     version != result.versions.end() && version->second == frame.version;
  if (!exact || !found_same(frame, result)) shown->recorded = people_in(frame, result.people());
}

bool RecordedTracks::found_same(const Frame& frame, const FrameResult& result) {
  const std::vector<FoundPerson>& found = result.people()->found.people;
  const auto same = [](const FoundPerson& stored, const FoundPerson& one) {
    return std::abs(stored.x_m - one.x_m) <= kRounded_m && std::abs(stored.y_m - one.y_m) <= kRounded_m;
  };
  return std::equal(frame.people.begin(), frame.people.end(), found.begin(), found.end(), same);
}

std::shared_ptr<const PeopleArtifact> RecordedTracks::people_in(const Frame& frame,
                                                                const PeopleArtifact* own) {
  auto people = std::make_shared<PeopleArtifact>();
  people->found.people = frame.people;
  people->found.peaks = static_cast<int64_t>(frame.people.size());
  if (own) people->fused = evidence_for(frame.people, own->fused);
  people->cameras = frame.cameras, people->without_picture = frame.without_picture;
  people->covered_share = frame.known ? 1 : 0;
  people->looked = !frame.carried;
  return people;
}

}  // namespace vantage
