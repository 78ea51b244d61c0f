// The CPU implementation of occupancy_map.h, for the registry: one task a camera.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_occupancy_map_cpu(BackendRegistry& registry);

}  // namespace vantage
