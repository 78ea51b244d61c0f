// Registers the CPU implementation of every algorithm of the chain.
#pragma once

#include "core/backend/registry.h"

namespace vantage {

void register_cpu_backends(BackendRegistry& registry);

}  // namespace vantage
