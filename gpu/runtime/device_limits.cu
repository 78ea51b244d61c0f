#include "gpu/runtime/device_limits.h"

#include <algorithm>

#include "gpu/runtime/context.h"
#include "gpu/runtime/work.h"

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

namespace {

constexpr int kThreads = 256;
constexpr int kRounds = 5, kCopies = 20;            // so many that starting the first does not count
constexpr size_t kLargest_bytes = size_t{1} << 30;  // many times the cache

__global__ void __launch_bounds__(kThreads) copy_packs(const uint4* from, uint4* to, uint32_t count) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) __stcs(to + i, __ldcs(from + i));  // nothing is read again: past the cache
}

// Seconds of one copy, the shortest of all rounds: what else runs only makes it slower.
Result<double> time_copy(Context& context, Stream& stream, const DeviceBuffer<uint4>& from,
                         const DeviceBuffer<uint4>& to) {
  const auto count = static_cast<uint32_t>(from.count());
  double shortest = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int64_t start = trace_now_ns();
    VANTAGE_ASSIGN(const EventRef done, context.run([&]() -> Result<EventRef> {
      Work work(stream, {});
      VANTAGE_TRY(work.reads(from));
      VANTAGE_TRY(work.writes(to));
      for (int i = 0; i < kCopies; ++i)
        VANTAGE_TRY(launch(work, "copy_packs", {dim3(blocks_for(count, kThreads)), dim3(kThreads)},
                           copy_packs, from.data(), to.data(), count));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context.wait(done));
    const double seconds = static_cast<double>(trace_now_ns() - start) * 1e-9 / kCopies;
    shortest = round == 0 ? seconds : std::min(shortest, seconds);
  }
  return shortest;
}

Result<double> texture_rate(Context& context) {
  return context.run([&]() -> Result<double> {
    int clock_khz = 0;
    VANTAGE_TRY(context.check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, context.device()),
                              "read the clock"));
    return 4.0 * context.limits().multiprocessors * 1e3 * clock_khz;
  });
}

}  // namespace

Result<DeviceRates> measure_rates(int device_index) {
  VANTAGE_ASSIGN(const std::shared_ptr<Context> context, Context::get(device_index));
  VANTAGE_ASSIGN(const std::unique_ptr<Stream> stream, Stream::make(context, "rates", nullptr));
  size_t free_bytes = 0, all_bytes = 0;
  VANTAGE_TRY(context->run([&]() -> Status {
    return context->check(cudaMemGetInfo(&free_bytes, &all_bytes), "read the free memory");
  }));
  const size_t bytes = std::min(kLargest_bytes, free_bytes / 4) / 256 * 256;
  DeviceRates rates;
  {
    VANTAGE_ASSIGN(const auto from, DeviceBuffer<uint4>::take(*context, bytes / sizeof(uint4)));
    VANTAGE_ASSIGN(const auto to, DeviceBuffer<uint4>::take(*context, bytes / sizeof(uint4)));
    VANTAGE_TRY(context->run([&]() -> Status {
      Work work(*stream, {});
      VANTAGE_TRY(work.writes(from));
      VANTAGE_TRY(work.set_zero(from));
      return work.finish();
    }));
    VANTAGE_ASSIGN(const double seconds, time_copy(*context, *stream, from, to));
    rates.copy_bytes_per_s = 2 * static_cast<double>(bytes) / seconds;
  }
  VANTAGE_ASSIGN(rates.texture_samples_per_s, texture_rate(*context));
  return rates;
}

}  // namespace vantage::gpu
