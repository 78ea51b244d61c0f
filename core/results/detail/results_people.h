// People of a frame line, as they are first written and as paths change them in the end.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/people/skeletons/skeletons.h"
#include "core/results/detail/results_numbers.h"
#include "core/results/people_again.h"

namespace vantage::project_detail {

// Without a number where `tracked` is null; without a volume where it is not `measured`.
nlohmann::ordered_json person_json(const FoundPerson& person, const TrackedPerson* tracked, bool measured);
// What only people from detections have.
void put_fused(const FusedPerson& fused, nlohmann::ordered_json* person);
// Only of a skeleton with a layout.
nlohmann::ordered_json skeleton_json(const PersonSkeleton& skeleton);

// The frame line with whom `again` found in it last (null: no one is found again) and with these numbers, or
// none; what people had before becomes `provisional_id`, where there is none yet. Who was found again has the
// volume, the motion, the colours, the provisional number and the heads of the one who was found there
// before, and joints of the cameras that carry them now. A rejected peak on a path is a person, the last of
// them, with why it was rejected. Lines that are not understood stay as they are. A line whose people are
// carried, or could be, gets those who are on their way between two sightings there; where there are none it
// keeps the chain's, without IDs.
std::string finished_line(const std::string& line, const PeopleAgain* again, const PathPeople& paths);

}  // namespace vantage::project_detail
