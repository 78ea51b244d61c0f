// The CPU implementation of carving.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_carving_cpu(BackendRegistry& registry);

}  // namespace vantage
