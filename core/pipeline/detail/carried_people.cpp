#include "core/pipeline/detail/carried_people.h"

#include <algorithm>

#include "core/people/floor_person.h"

namespace vantage {

LastLook last_look(int64_t frame, std::span<const FoundPerson> found,
                   std::span<const TrackedPerson> tracked) {
  LastLook look{frame, {}};
  for (size_t i = 0; i < tracked.size(); ++i) look.people.push_back({tracked[i], found[i].confidence});
  return look;
}

std::optional<std::vector<CarriedPerson>> carried_people(const LastLook& look, int64_t frame, double frame_s,
                                                         double keep_s) {
  const double passed_s = static_cast<double>(frame - look.frame) * frame_s;
  if (look.frame < 0 || frame < look.frame || passed_s > keep_s) return std::nullopt;
  const double coast_s = std::min(passed_s, Tracker::kCoast_s);
  std::vector<CarriedPerson> people = look.people;
  for (CarriedPerson& person : people) {
    person.track.x_m += person.track.speed_x * coast_s, person.track.y_m += person.track.speed_y * coast_s;
    person.confidence = carried_confidence(person.confidence, passed_s);
  }
  return people;
}

}  // namespace vantage
