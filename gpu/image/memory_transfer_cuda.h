// Copies between host and device memory (core/backend/memory_transfer.h), staged through pinned memory.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_memory_transfer_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
