// The health of live cameras as JSON, for timings.json and `run --json`.
#pragma once

#include <string>

#include "core/live/health.h"

namespace vantage {

// One JSON object; unknown values are null.
std::string live_health_json(const LiveHealth& health);
// Adds it as the member "live" to another object with members, given as text.
std::string with_live_health(std::string object, const LiveHealth& health);

}  // namespace vantage
