// The CPU implementation of core/sync/signatures.h, for the registry.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_signatures_cpu(BackendRegistry& registry);

}  // namespace vantage
