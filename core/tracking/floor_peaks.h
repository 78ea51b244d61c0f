// Where on the floor map a person may stand. Private to core/tracking.
#pragma once

#include <vector>

#include "core/tracking/people.h"

namespace vantage::people_detail {

// Local maxima of the volume over a square footprint, moved to the middle of the volume under it, with volume
// and height; largest volume first. Those below min_volume_l are among them only when they are the largest of
// all.
std::vector<Person> find_peaks(const PeopleInput& input, const PeopleParameters& parameters);

}  // namespace vantage::people_detail
