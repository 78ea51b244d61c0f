#include "core/session/shown_frame.h"

#include <cmath>

namespace vantage {
namespace {

const PersonSkeleton* skeleton_near(const FoundPerson& person, const std::vector<FramePerson>& chain) {
  const PersonSkeleton* nearest = nullptr;
  double nearest_m = kSamePerson_m;
  for (const FramePerson& one : chain) {
    const double away_m = std::hypot(one.found.x_m - person.x_m, one.found.y_m - person.y_m);
    if (away_m < nearest_m) nearest_m = away_m, nearest = one.skeleton;
  }
  return nearest;
}

}  // namespace

std::vector<FramePerson> people_of(const ShownFrame& shown) {
  if (!shown.recorded) return shown.ids ? people_of(*shown.result, *shown.ids) : people_of(*shown.result);
  const PeopleArtifact& recorded = *shown.recorded;
  const std::vector<FramePerson> chain = people_of(*shown.result);
  std::vector<FramePerson> all;
  for (size_t i = 0; i < recorded.found.people.size(); ++i) {
    FramePerson& person = all.emplace_back();
    person.found = recorded.found.people[i];
    const int64_t id = shown.ids && i < shown.ids->size() ? (*shown.ids)[i] : 0;
    person.track = {id, person.found.x_m, person.found.y_m, person.found.height_m};
    if (i < recorded.fused.size()) person.fused = &recorded.fused[i];
    person.carried = !recorded.looked;
    person.skeleton = skeleton_near(person.found, chain);
  }
  return all;
}

}  // namespace vantage
