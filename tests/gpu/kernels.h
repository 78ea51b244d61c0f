// Small kernels for testing the runtime.
#pragma once

#include <cstdint>

#include "gpu/runtime/kernel_graph.h"

namespace vantage::gpu::test {

// Waits for that many nanoseconds of the device's clock, then sets the values.
Status enqueue_slow_fill(Work& work, uint32_t* values, int count, uint32_t value, uint64_t wait_ns);
// Sets the values, and adds to what the kernel before left of them, beside which it comes.
void add_fill(KernelSequence& kernels, uint32_t* values, int count, uint32_t value);
void add_addition(KernelSequence& kernels, uint32_t* values, int count, uint32_t value);
// Every thread block waits for all the others and then writes how many it met, 0 where the launch is not
// cooperative. `met`: blocks + 1 numbers, the last of which is 0 at first.
Status enqueue_meeting(Work& work, uint32_t* met, int blocks, unsigned shared_bytes = 0);
void add_meeting(KernelSequence& kernels, uint32_t* met, int blocks);
// Writes to address 8, which no program owns.
Status enqueue_crash(Work& work);

}  // namespace vantage::gpu::test
