// How measured times spread, as reports have it.
#pragma once

#include "core/base/json.h"
#include "core/metrics/spread.h"

namespace vantage::cli {

// The values are milliseconds.
nlohmann::ordered_json to_json(const Spread& spread);

}  // namespace vantage::cli
