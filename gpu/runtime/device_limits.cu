#include "gpu/runtime/device_limits.h"

#include "gpu/runtime/context.h"

namespace vantage::gpu {
namespace {

// Never launched: asked what it was compiled for, as every kernel of the program was.
__global__ void compiled_kernel() {}

}  // namespace

Result<DeviceLimits> query_device_limits(Context& context) {
  DeviceLimits limits;
  int cooperative = 0, major = 0, clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
  const struct {
    cudaDeviceAttr attribute;
    int* value;
  } queries[] = {{cudaDevAttrMultiProcessorCount, &limits.multiprocessors},
                 {cudaDevAttrMaxSharedMemoryPerBlockOptin, &limits.shared_bytes},
                 {cudaDevAttrCooperativeLaunch, &cooperative},
                 {cudaDevAttrComputeCapabilityMajor, &major},
                 {cudaDevAttrClockRate, &clock_khz},
                 {cudaDevAttrMemoryClockRate, &memory_clock_khz},
                 {cudaDevAttrGlobalMemoryBusWidth, &memory_bus_bits}};
  for (const auto& query : queries)
    VANTAGE_TRY(context.check(cudaDeviceGetAttribute(query.value, query.attribute, context.device()),
                              "read the device's limits"));
  limits.cooperative = cooperative != 0;
  // Made by the driver from PTX of an older generation, kernels run on a newer device without the waits of
  // dependent_launch.cuh, and one that came early would read what the kernel before has not written yet.
  cudaFuncAttributes compiled{};
  VANTAGE_TRY(
      context.check(cudaFuncGetAttributes(&compiled, compiled_kernel), "read what kernels are compiled for"));
  constexpr int kFirstPtx = 90;
  limits.dependent_launches = major >= 9 && compiled.ptxVersion >= kFirstPtx;
  // Memory moves two words of its bus a clock.
  if (clock_khz > 0)
    limits.memory_bytes_per_clock = 2.0 * memory_clock_khz * (memory_bus_bits / 8.0) / clock_khz;
  return limits;
}

}  // namespace vantage::gpu
