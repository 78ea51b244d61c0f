#include "tests/gpu/kernels.h"

#include <cooperative_groups.h>

#include "gpu/runtime/dependent_launch.cuh"

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
  trigger_dependent_launch();
  grid_dependency_sync();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += value;
}

__global__ void meet(uint32_t* met, uint32_t* arrived) {
  const cooperative_groups::grid_group all = cooperative_groups::this_grid();
  if (!all.is_valid()) return;
  if (threadIdx.x == 0) atomicAdd(arrived, 1u);
  all.sync();
  if (threadIdx.x == 0) met[blockIdx.x] = *arrived;
}

__global__ void crash(uintptr_t address) {
  *reinterpret_cast<volatile uint64_t*>(address) = 1;
}

LaunchGrid grid_for(int count, Order order) {
  return {dim3(static_cast<unsigned>((count + kThreads - 1) / kThreads)), dim3(kThreads), order};
}

LaunchGrid meeting_grid(int blocks, unsigned shared_bytes) {
  return {dim3(static_cast<unsigned>(blocks)), dim3(kThreads), Order::cooperative, shared_bytes};
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
  kernels.add("add_value", grid_for(count, Order::dependent), add_value, values, count, value);
}

Status enqueue_meeting(Work& work, uint32_t* met, int blocks, unsigned shared_bytes) {
  return launch(work, "meet", meeting_grid(blocks, shared_bytes), meet, met, met + blocks);
}

void add_meeting(KernelSequence& kernels, uint32_t* met, int blocks) {
  kernels.add("meet", meeting_grid(blocks, 0), meet, met, met + blocks);
}

Status enqueue_crash(Work& work) {
  return launch(work, "crash", {dim3(1), dim3(1)}, crash, uintptr_t{8});
}

}  // namespace vantage::gpu::test
