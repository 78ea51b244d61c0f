#include "app/backends/backends.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <thread>

#include "app/backends/cuda_module.h"
#include "core/algorithms.h"
#include "core/base/crash_report.h"
#include "core/base/trace.h"
#include "core/image/backend/memory_transfer.h"

namespace vantage {
namespace {

Status add_cuda(Backends& backends, TraceRecorder* trace) {
  VANTAGE_ASSIGN(const gpu::CudaModule* const cuda, found_module(cuda_module()));
  VANTAGE_ASSIGN(const std::vector<std::string> names, cuda->device_names());
  VANTAGE_ASSIGN(backends.hardware, cuda->make_hardware_decode(backends.device_index, trace));
  cuda->register_cuda_backends(backends.registry);
  backends.device = Device::cuda;
  backends.description = names.at(backends.device_index);
  if (names.size() > 1) backends.description += " (cuda:" + std::to_string(backends.device_index) + ")";
  return {};
}

// The module that the chain runs on; null on the CPU.
const gpu::CudaModule* module_of(const Backends& backends) {
  return backends.device == Device::cuda ? cuda_module().module : nullptr;
}

constexpr size_t kCopied_bytes = size_t{128} << 20;  // several times a cache
constexpr int kCopyRounds = 5;

// The fastest of some rounds, by all threads.
double host_copy_rate() {
  std::vector<char> from(kCopied_bytes, 1), to(kCopied_bytes, 2);
  double rate = 0;
  for (int round = 0; round < kCopyRounds; ++round) {
    const int64_t start = trace_now_ns();
    tbb::parallel_for(tbb::blocked_range<size_t>(0, kCopied_bytes, size_t{1} << 20), [&](const auto& range) {
      std::memcpy(to.data() + range.begin(), from.data() + range.begin(), range.size());
    });
    rate = std::max(rate,
                    2e9 * static_cast<double>(kCopied_bytes) / static_cast<double>(trace_now_ns() - start));
  }
  return rate;
}

}  // namespace

Result<double> free_device_bytes(const Backends& backends) {
  VANTAGE_ASSIGN(const auto transfer, backends.on_device().create<MemoryTransfer>({}));
  return transfer->free_bytes();
}

Status wait_for_device(const Backends& backends) {
  const gpu::CudaModule* cuda = module_of(backends);
  return cuda ? cuda->wait_for_device(backends.device_index) : Status();
}

std::optional<LaunchShape> last_launch(const Backends& backends, const std::string& kernel) {
  const gpu::CudaModule* cuda = module_of(backends);
  return cuda ? cuda->last_launch(kernel) : std::nullopt;
}

Result<DeviceRates> measure_rates(const Backends& backends) {
  const gpu::CudaModule* cuda = module_of(backends);
  return cuda ? cuda->measure_rates(backends.device_index) : DeviceRates{host_copy_rate(), 0};
}

Result<std::vector<DeviceInfo>> report_devices() {
  VANTAGE_ASSIGN(const gpu::CudaModule* const cuda, found_module(cuda_module()));
  return cuda->list_devices();
}

std::vector<std::string> gpu_names() {
  const gpu::CudaModule* cuda = cuda_module().module;
  return cuda ? cuda->device_names().value_or(std::vector<std::string>()) : std::vector<std::string>();
}

Result<BackendChoice> parse_backend(std::string_view text) {
  if (text == "auto") return BackendChoice{};
  if (text == "cpu") return BackendChoice{Device::cpu, 0};
  if (text == "cuda") return BackendChoice{Device::cuda, 0};
  constexpr std::string_view kNumbered = "cuda:";
  int index = 0;
  if (text.starts_with(kNumbered)) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + kNumbered.size(), end, index);
    if (read.ec == std::errc() && read.ptr == end && index >= 0) return BackendChoice{Device::cuda, index};
  }
  return fail(ErrorKind::invalid_argument, "no such backend", std::string(text),
              "Give auto, cpu, cuda, or cuda:N for GPU N, from 0.");
}

Result<Backends> open_backends(std::string_view text, TraceRecorder* trace) {
  VANTAGE_ASSIGN(const BackendChoice choice, parse_backend(text));
  Backends backends;
  backends.description = "CPU, " + std::to_string(std::thread::hardware_concurrency()) + " threads";
  register_cpu_backends(backends.registry);
  if (choice.device == Device::cpu) return backends;
  backends.device_index = choice.device_index;
  if (const Status added = add_cuda(backends, trace); !added) {
    if (choice.device) return fail(added.error());
    backends.notes.push_back("Running on the CPU: " + added.error().message());
  }
  set_crash_report_device(backends.description);
  return backends;
}

Result<std::unique_ptr<DisplaySurface>> make_device_surface(const Backends& backends, TraceRecorder* trace) {
  if (const gpu::CudaModule* cuda = module_of(backends))
    return cuda->make_interop_surface(backends.device_index, trace);
  return fail(ErrorKind::unsupported, "the chain runs on the CPU");
}

}  // namespace vantage
