#include "core/session/shown_frame.h"

namespace vantage {

std::vector<FramePerson> people_of(const ShownFrame& shown) {
  if (!shown.recorded) return shown.ids ? people_of(*shown.result, *shown.ids) : people_of(*shown.result);
  const PeopleArtifact& recorded = *shown.recorded;
  std::vector<FramePerson> all;
  for (size_t i = 0; i < recorded.found.people.size(); ++i) {
    FramePerson& person = all.emplace_back();
    person.found = recorded.found.people[i];
    const int64_t id = shown.ids && i < shown.ids->size() ? (*shown.ids)[i] : 0;
    person.track = {id, person.found.x_m, person.found.y_m, person.found.height_m};
    if (i < recorded.fused.size()) person.fused = &recorded.fused[i];
  }
  return all;
}

}  // namespace vantage
