#include "tests/gpu/kernels.h"

#include "gpu/runtime/overlap.cuh"

namespace vantage::gpu::test {
namespace {

constexpr int kThreads = 128;

__device__ uint64_t device_time_ns() {
  uint64_t time = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__global__ void slow_fill(uint32_t* values, int count, uint32_t value, uint64_t wait_ns) {
  const uint64_t start = device_time_ns();
  while (device_time_ns() - start < wait_ns) {
  }
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = value;
}

__global__ void add_value(uint32_t* values, int count, uint32_t value) {
  let_next_come();
  wait_for_previous();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += value;
}

__global__ void crash(uintptr_t address) {
  *reinterpret_cast<volatile uint64_t*>(address) = 1;
}

LaunchGrid grid_for(int count, Order order) {
  return {dim3(static_cast<unsigned>((count + kThreads - 1) / kThreads)), dim3(kThreads), order};
}

}  // namespace

Status enqueue_slow_fill(Work& work, uint32_t* values, int count, uint32_t value, uint64_t wait_ns) {
  return launch(work, "slow_fill", grid_for(count, Order::after_previous), slow_fill, values, count, value,
                wait_ns);
}

void add_fill(KernelSequence& kernels, uint32_t* values, int count, uint32_t value) {
  kernels.add("slow_fill", grid_for(count, Order::after_previous), slow_fill, values, count, value,
              uint64_t{0});
}

void add_addition(KernelSequence& kernels, uint32_t* values, int count, uint32_t value) {
  kernels.add("add_value", grid_for(count, Order::beside_previous), add_value, values, count, value);
}

Status enqueue_crash(Work& work) {
  return launch(work, "crash", {dim3(1), dim3(1)}, crash, uintptr_t{8});
}

}  // namespace vantage::gpu::test
