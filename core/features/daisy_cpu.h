// The CPU implementation of daisy.h, for the registry: threads by oneTBB.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_daisy_cpu(BackendRegistry& registry);

}  // namespace vantage
