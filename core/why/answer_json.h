// An answer as JSON: an object of each section under its key, an array of those that are listed.
#pragma once

#include "core/base/json.h"
#include "core/why/answer.h"

namespace vantage {

nlohmann::ordered_json json_of(const WhyAnswer& answer);

}  // namespace vantage
