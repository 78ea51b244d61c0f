// The CPU implementation of height_map.h, for the registry: threads by oneTBB, vector code chosen at run
// time. The result does not depend on the number of threads.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_height_solver_cpu(BackendRegistry& registry);

}  // namespace vantage
