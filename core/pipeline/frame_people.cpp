#include "core/pipeline/frame_people.h"

#include <cmath>

namespace vantage {
namespace {

constexpr double kBelowHead_m = 0.5;  // across the floor

template <typename T>
const T* element(const std::vector<T>& list, size_t index) {
  return index < list.size() ? &list[index] : nullptr;
}

// Null: they are the frame's own.
const std::vector<CarriedPerson>* carried_in(const FrameResult& result) {
  const PeopleArtifact* people = result.people();
  const TracksArtifact* tracks = result.tracks();
  return people && !people->looked && tracks && tracks->carried ? &*tracks->carried : nullptr;
}

std::vector<FramePerson> as_people(const std::vector<CarriedPerson>& carried) {
  std::vector<FramePerson> all;
  for (const CarriedPerson& one : carried) {
    FramePerson& person = all.emplace_back();
    person.found.x_m = one.track.x_m, person.found.y_m = one.track.y_m;
    person.found.height_m = one.track.height_m, person.found.confidence = one.confidence;
    person.track = one.track, person.carried = true;
  }
  return all;
}

}  // namespace

std::vector<FramePerson> people_of(const FrameResult& result) {
  if (const auto* carried = carried_in(result)) return as_people(*carried);
  std::vector<FramePerson> all;
  const PeopleArtifact* people = result.people();
  if (!people) return all;
  const TracksArtifact* tracks = result.tracks();
  const MotionArtifact* motion = result.motion();
  const AppearanceArtifact* appearance = result.appearance();
  const SkeletonsArtifact* skeletons = result.skeletons();
  for (size_t i = 0; i < people->found.people.size(); ++i) {
    FramePerson& person = all.emplace_back();
    person.found = people->found.people[i];
    if (const auto* track = tracks ? element(tracks->tracked, i) : nullptr) person.track = *track;
    person.fused = element(people->fused, i);
    person.motion = motion ? element(motion->people, i) : nullptr;
    person.colors = appearance ? element(appearance->people, i) : nullptr;
    person.skeleton = skeletons ? element(skeletons->people, i) : nullptr;
    if (person.skeleton && !person.skeleton->layout) person.skeleton = nullptr;
  }
  return all;
}

std::vector<FramePerson> people_of(const FrameResult& result, const std::vector<int64_t>& ids) {
  std::vector<FramePerson> all = people_of(result);
  for (size_t i = 0; i < all.size() && i < ids.size(); ++i)
    if (all[i].track) all[i].track->id = ids[i];
  return all;
}

int person_below(const SceneHead& head, const std::vector<FoundPerson>& people) {
  int person = -1;
  double nearest_m = kBelowHead_m;
  for (size_t i = 0; i < people.size(); ++i) {
    const double away_m = std::hypot(people[i].x_m - head.x_m, people[i].y_m - head.y_m);
    if (away_m > nearest_m) continue;
    nearest_m = away_m;
    person = static_cast<int>(i);
  }
  return person;
}

std::optional<size_t> people_count(const FrameResult& result) {
  if (const auto* carried = carried_in(result)) return carried->size();
  const PeopleArtifact* people = result.people();
  if (!people || !people->looked || !people->count_known()) return std::nullopt;
  return people->found.people.size();
}

bool are_carried(const FrameResult& result) {
  return carried_in(result) != nullptr;
}

}  // namespace vantage
