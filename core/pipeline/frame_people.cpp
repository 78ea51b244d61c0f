#include "core/pipeline/frame_people.h"

namespace vantage {
namespace {

template <typename T>
const T* element(const std::vector<T>& list, size_t index) {
  return index < list.size() ? &list[index] : nullptr;
}

}  // namespace

std::vector<FramePerson> people_of(const FrameResult& result) {
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

}  // namespace vantage
