// The points of a sweep as they are given on the command line. Wrong ones are wrong usage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/sweep_points.h"

namespace vantage::cli {

// `ranges`: KEY=MIN:MAX:STEPS, KEY=A,B,C, and with random > 0 KEY=MIN:MAX; of one or two parameters, random
// points of any number. `option` names them in messages.
SweepPoints parse_sweep_points(const std::vector<std::string>& ranges, size_t random, uint32_t seed,
                               const ParameterStore& parameters, const char* option);

}  // namespace vantage::cli
