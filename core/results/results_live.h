// The health of live cameras as JSON, for timings.json and `run --json`.
#pragma once

#include <string>

#include "core/live/health.h"

namespace vantage {

// One object; what is not known is null.
std::string live_health_json(const LiveHealth& health);
// The same as the member "live" of another object, given as text, that has members.
std::string with_live_health(std::string object, const LiveHealth& health);

}  // namespace vantage
