#include "core/session/recorded_tracks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

// People of all frames are stored in runs of this size: one whose values do not fit into packed points
// enlarges only its own run.
constexpr size_t kPeopleOfRun = size_t{1} << 14;

// Rounding of positions in results.
constexpr double kRounded_m = 0.001;

// Evidence of the nearest found person for each person, empty where no one was near; nothing where no one was
// found from detections.
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

void Tracks::index() {
  lanes = lanes_of(paths, known_frames);
  by_frame = PathsByFrame(paths);
}

RecordedTracks::RecordedTracks(double frame_rate, std::vector<PersonPath> paths)
    : paths_(std::move(paths)), growing_(std::make_shared<Tracks>()) {
  growing_->frame_rate = frame_rate;
  for (size_t i = 0; i < paths_.size(); ++i) by_id_[paths_[i].id] = i;
}

void RecordedTracks::add(const StoredFrame& frame) {
  growing_->frames.push_back(frame.frame);
  if (frame.people_count >= 0) growing_->known_frames.push_back(frame.frame);
  if (frame.versions->contains(kTrackingStage)) keep(frame);
  for (size_t i = 0; i < frame.people.size(); ++i) {
    const auto path = by_id_.find(frame.people[i].id);
    if (path == by_id_.end()) continue;
    PathPoints& points = paths_[path->second].points;
    const size_t at = points.first_from(frame.frame);
    if (at == points.size() || points.frame(at) != frame.frame) continue;
    PathPoint point = points[at];
    point.person = static_cast<int32_t>(i);
    point.height_m = frame.people[i].height_m;
    points.set(at, point);
  }
}

void RecordedTracks::keep(const StoredFrame& frame) {
  const Frame kept{frame.frame,
                   people_count_,
                   static_cast<uint32_t>(frame.people.size()),
                   index_of(frame.versions->find(kTrackingStage)->second),
                   frame.cameras,
                   frame.without_picture,
                   frame.people_count >= 0,
                   frame.carried};
  for (const FloorPerson& person : frame.people) {
    if (people_count_++ % kPeopleOfRun == 0) people_.emplace_back();
    people_.back().push_back({frame.frame, person.x_m, person.y_m, person.height_m, person.confidence, true});
  }
  // A damaged file may repeat a frame: the last line counts.
  const auto at = std::lower_bound(frames_.begin(), frames_.end(), frame.frame,
                                   [](const Frame& one, int64_t number) { return one.frame < number; });
  if (at != frames_.end() && at->frame == frame.frame)
    *at = kept;
  else
    frames_.insert(at, kept);
}

uint32_t RecordedTracks::index_of(uint64_t version) {
  const auto found = std::find(versions_.rbegin(), versions_.rend(), version);
  if (found != versions_.rend()) return static_cast<uint32_t>(versions_.rend() - found - 1);
  versions_.push_back(version);
  return static_cast<uint32_t>(versions_.size() - 1);
}

void RecordedTracks::repair(const std::vector<IdentityRepair>& repairs) {
  if (!growing_ && !tracks_) return;
  std::shared_ptr<Tracks> tracks = std::exchange(growing_, nullptr);
  if (!tracks) {
    tracks = std::make_shared<Tracks>();
    tracks->frame_rate = tracks_->frame_rate;
    tracks->frames = tracks_->frames, tracks->known_frames = tracks_->known_frames;
  }
  RepairedPaths repaired = apply_repairs(paths_, repairs);
  tracks->paths = std::move(repaired.paths);
  tracks->names = std::move(repaired.names);
  tracks->unmet = std::move(repaired.unmet);
  tracks->index();
  tracks_ = std::move(tracks);
}

const RecordedTracks::Frame* RecordedTracks::find(int64_t frame) const {
  const auto found = std::lower_bound(frames_.begin(), frames_.end(), frame,
                                      [](const Frame& one, int64_t number) { return one.frame < number; });
  return found == frames_.end() || found->frame != frame ? nullptr : &*found;
}

bool RecordedTracks::tells(int64_t frame, std::span<const uint64_t> versions) const {
  const Frame* found = find(frame);
  return found && std::find(versions.begin(), versions.end(), versions_[found->version]) != versions.end();
}

std::vector<FoundPerson> RecordedTracks::people_of(const Frame& frame) const {
  std::vector<FoundPerson> people;
  for (size_t i = frame.first_person; i < frame.first_person + frame.people; ++i) {
    const PathPoint point = people_[i / kPeopleOfRun][i % kPeopleOfRun];
    FoundPerson& person = people.emplace_back();
    person.x_m = point.x_m, person.y_m = point.y_m;
    person.height_m = point.height_m;
    person.confidence = point.confidence;
  }
  return people;
}

std::vector<int64_t> RecordedTracks::numbers_of(const Frame& frame) const {
  std::vector<int64_t> numbers(frame.people);
  for (const uint32_t index : tracks_->by_frame.near(frame.frame)) {
    const PersonPath& path = tracks_->paths[index];
    const std::optional<PathPoint> point = path.points.find(frame.frame);
    if (point && point->person >= 0 && static_cast<size_t>(point->person) < numbers.size())
      numbers[point->person] = path.id;
  }
  return numbers;
}

void RecordedTracks::show_people(ShownFrame* shown) const {
  const FrameResult& result = *shown->result;
  const Frame& frame = *find(result.frame);
  shown->ids = numbers_of(frame);
  std::vector<FoundPerson> stored = people_of(frame);
  const auto version = result.versions.find(kTrackingStage);
  const bool exact = result.tracks() && result.people() && !result.preview &&
                     version != result.versions.end() && version->second == versions_[frame.version];
  if (!exact || !found_same(stored, result))
    shown->recorded = people_in(frame, std::move(stored), result.people());
}

bool RecordedTracks::found_same(const std::vector<FoundPerson>& stored, const FrameResult& result) {
  const std::vector<FoundPerson>& found = result.people()->found.people;
  const auto same = [](const FoundPerson& one, const FoundPerson& other) {
    return std::abs(one.x_m - other.x_m) <= kRounded_m && std::abs(one.y_m - other.y_m) <= kRounded_m;
  };
  return std::equal(stored.begin(), stored.end(), found.begin(), found.end(), same);
}

std::shared_ptr<const PeopleArtifact> RecordedTracks::people_in(const Frame& frame,
                                                                std::vector<FoundPerson> stored,
                                                                const PeopleArtifact* own) {
  auto people = std::make_shared<PeopleArtifact>();
  if (own) people->fused = evidence_for(stored, own->fused);
  people->found.peaks = static_cast<int64_t>(stored.size());
  people->found.people = std::move(stored);
  people->cameras = frame.cameras, people->without_picture = frame.without_picture;
  people->covered_share = frame.known ? 1 : 0;
  people->looked = !frame.carried;
  return people;
}

}  // namespace vantage
