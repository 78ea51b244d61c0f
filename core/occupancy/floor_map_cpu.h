// The CPU implementation of floor_map.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_floor_map_cpu(BackendRegistry& registry);

}  // namespace vantage
