// The thresholds that decide about people, each tried with other values until the outcome at a place changes.
#pragma once

#include <vector>

#include "core/base/stop_token.h"
#include "core/why/detail/place_search.h"
#include "core/why/why_place.h"

namespace vantage::why_detail {

// Thresholds of the source, with the figures that `place` has; nothing is tried yet.
std::vector<WhyThreshold> thresholds_of(const WhyPlace& place, const ParameterStore& parameters);

// Fills in changes_at, decisive and WhyPlace::together. Errors: cancelled; the search's.
Status try_thresholds(PlaceSearch& search, const ParameterStore& parameters, const StopSource& stop,
                      WhyPlace* place);

}  // namespace vantage::why_detail
