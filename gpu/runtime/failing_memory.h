// For tests: memory that runs out at a chosen call, on every device of this process.
#pragma once

#include "gpu/runtime/memory_pool.h"

namespace vantage::gpu {

// The n-th MemoryPool::take() of the kind from now on, 1 being the next, finds no memory. 0: none, as in the
// beginning.
void fail_take(MemoryPool::Kind kind, int64_t n);
bool take_failed(MemoryPool::Kind kind);  // since then

}  // namespace vantage::gpu
