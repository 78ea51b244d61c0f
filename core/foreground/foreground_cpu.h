// The CPU implementation of foreground.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_foreground_cpu(BackendRegistry& registry);

}  // namespace vantage
