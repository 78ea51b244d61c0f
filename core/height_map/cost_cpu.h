// The CPU implementation of cost.h, for the registry: threads by oneTBB.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_height_cost_cpu(BackendRegistry& registry);

}  // namespace vantage
