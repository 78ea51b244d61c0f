#include "tests/parity/primitives/device_rows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "gpu/primitives/integral_image/integral_image.h"
#include "gpu/primitives/nms_kernels.h"
#include "gpu/primitives/published/integral.h"
#include "gpu/primitives/published/nms_mapreduce.h"

namespace vantage::test {
namespace {

using gpu::GreedyVariant;
using gpu::Work;

// The device with a stream, made on first use and kept: at the program's end the CUDA runtime goes first.
struct Gpu {
  std::shared_ptr<gpu::Context> context;
  std::unique_ptr<gpu::Stream> stream;

  static Result<Gpu*> get() {
    static auto* const gpu = new Result<Gpu>(make());
    if (!*gpu) return fail(gpu->error());
    return &**gpu;
  }

 private:
  static Result<Gpu> make() {
    Gpu gpu;
    VANTAGE_ASSIGN(gpu.context, gpu::Context::get(0));
    VANTAGE_ASSIGN(gpu.stream, gpu::Stream::make(gpu.context, "test", nullptr));
    return gpu;
  }
};

// Calls enqueue(Work&) and waits for what it has enqueued.
template <typename F>
Status run(const F& enqueue) {
  VANTAGE_ASSIGN(Gpu* const gpu, Gpu::get());
  VANTAGE_ASSIGN(const gpu::EventRef done, gpu->context->run([&]() -> Result<gpu::EventRef> {
    Work work(*gpu->stream, {});
    VANTAGE_TRY(enqueue(work));
    VANTAGE_TRY(work.finish());
    return work.done();
  }));
  return gpu->context->wait(done);
}

Status check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return {};
  return fail(ErrorKind::invalid_argument, std::string(what) + ": " + cudaGetErrorString(code));
}

// Device memory outside the pool, whose blocks are larger than what is asked for: compute-sanitizer then sees
// what lies beyond. It has `offset` bytes
// before the part used, so that addresses have the host's alignment.
class DeviceMemory {
 public:
  static Result<DeviceMemory> make(size_t bytes, size_t offset = 0) {
    VANTAGE_ASSIGN(Gpu* const gpu, Gpu::get());
    gpu->context->use_on_this_thread();
    DeviceMemory memory;
    void* base = nullptr;
    VANTAGE_TRY(check(cudaMalloc(&base, bytes + offset + 256), "cudaMalloc"));
    memory.base_.reset(base, [](void* p) { cudaFree(p); });
    memory.data_ = static_cast<std::byte*>(base) + offset;
    return memory;
  }
  std::byte* data() const { return data_; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  std::shared_ptr<void> base_;
  std::byte* data_ = nullptr;
};

// Pageable memory may still be on its way when cudaMemcpy returns, and other streams do not wait for it.
Status upload(const void* host, size_t bytes, const DeviceMemory& device) {
  VANTAGE_TRY(check(cudaMemcpy(device.data(), host, bytes, cudaMemcpyHostToDevice), "upload"));
  return check(cudaDeviceSynchronize(), "upload");
}

struct IntegralVariant {
  IntegralAlgorithm algorithm;
  WarpScan scan;
  const char* name;
};
constexpr IntegralVariant kIntegralVariants[] = {
    {IntegralAlgorithm::single_pass, WarpScan::kogge_stone, "single pass"},
    {IntegralAlgorithm::scan_row_brlt, WarpScan::kogge_stone, "ScanRow-BRLT, Kogge-Stone"},
    {IntegralAlgorithm::scan_row_brlt, WarpScan::ladner_fischer, "ScanRow-BRLT, Ladner-Fischer"},
    {IntegralAlgorithm::brlt_scan_row, WarpScan::kogge_stone, "BRLT-ScanRow"},
    {IntegralAlgorithm::scan_row_column, WarpScan::kogge_stone, "ScanRowColumn, Kogge-Stone"},
    {IntegralAlgorithm::scan_row_column, WarpScan::ladner_fischer, "ScanRowColumn, Ladner-Fischer"}};

size_t offset_of(std::span<std::byte> bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data()) % 256;
}

size_t scratch_bytes(const IntegralVariant& variant, const gpu::DeviceLimits& limits,
                     const IntegralRequest& request) {
  return variant.algorithm == IntegralAlgorithm::single_pass
             ? gpu::integral_scratch_bytes(limits, request)
             : gpu::published::integral_scratch_bytes(request, variant.algorithm);
}

// Twice with one scratch, as callers do; the first run's output must be overwritten by the second's.
Status run_integral(const IntegralVariant& variant, const IntegralRequest& request) {
  VANTAGE_ASSIGN(Gpu* const gpu, Gpu::get());
  const size_t bytes = scratch_bytes(variant, gpu->context->limits(), request);
  VANTAGE_ASSIGN(const DeviceMemory scratch, DeviceMemory::make(bytes));
  const bool ours = variant.algorithm == IntegralAlgorithm::single_pass;
  return run([&](Work& work) -> Status {
    VANTAGE_TRY(work.fill(scratch.data(), ours ? 0 : 0x5C, bytes));
    for (int i = 0; i < 2; ++i)
      VANTAGE_TRY(ours ? gpu::enqueue_integral_image(work, request, scratch.data())
                       : gpu::published::enqueue_integral_image(work, request, variant.algorithm,
                                                                variant.scan, scratch.data()));
    return {};
  });
}

struct NmsVariant {
  const char* name;
  GreedyVariant greedy;
  int partitions;
};
constexpr NmsVariant kGreedyVariants[] = {{"automatic", GreedyVariant::automatic, 0},
                                          {"indexed", GreedyVariant::indexed, 0}};
constexpr NmsVariant kMapReduceVariants[] = {{"the least k", GreedyVariant::automatic, 1},
                                             {"k = 4", GreedyVariant::automatic, 4},
                                             {"k = 32", GreedyVariant::automatic, 32},
                                             {"k = 1000", GreedyVariant::automatic, 1000},
                                             {"without the matrix", GreedyVariant::automatic, 0}};
constexpr NmsVariant kSoftVariants[] = {{"one block", GreedyVariant::automatic, 0}};

std::span<const NmsVariant> nms_variants(NmsMethod method) {
  if (method == NmsMethod::greedy) return kGreedyVariants;
  if (method == NmsMethod::mapreduce) return kMapReduceVariants;
  return kSoftVariants;
}

// Where the variant's own would be too few.
int partitions_of(const NmsVariant& variant, int n) {
  return std::max(variant.partitions, mapreduce_nms_min_partitions(n));
}

size_t nms_scratch(NmsMethod method, const NmsVariant& variant, int n) {
  if (method == NmsMethod::greedy) return gpu::greedy_nms_scratch_bytes(n);
  if (method == NmsMethod::mapreduce)
    return variant.partitions == 0
               ? gpu::mapreduce_nms_scratch_bytes(n)
               : gpu::published::mapreduce_nms_scratch_bytes(n, partitions_of(variant, n));
  return gpu::soft_nms_scratch_bytes(n);
}

Status enqueue_nms(Work& work, const NmsVariant& variant, const Detection* boxes, int n,
                   const NmsOptions& options, const gpu::NmsOutput& output, const DeviceMemory& scratch,
                   size_t bytes) {
  if (options.method == NmsMethod::greedy)
    return gpu::enqueue_greedy_nms(work, boxes, n, options.rule, output, scratch.data(), bytes,
                                   variant.greedy);
  if (options.method == NmsMethod::mapreduce && variant.partitions == 0)
    return gpu::enqueue_mapreduce_nms(work, boxes, n, options.rule, output, scratch.data());
  if (options.method == NmsMethod::mapreduce)
    return gpu::published::enqueue_mapreduce_nms(work, boxes, n, options.rule, output, scratch.data(),
                                                 partitions_of(variant, n));
  const gpu::SoftNms soft{options.rule, options.method == NmsMethod::soft_gaussian, options.sigma,
                          options.min_score};
  return gpu::enqueue_soft_nms(work, boxes, n, soft, output, scratch.data());
}

}  // namespace

std::string why_no_cuda() {
  const Result<Gpu*> gpu = Gpu::get();
  return gpu ? "" : gpu.error().message();
}

int integral_variant_count() {
  return static_cast<int>(std::size(kIntegralVariants));
}

std::string integral_variant_name(int variant) {
  return kIntegralVariants[variant].name;
}

Status integral_on_cuda(int variant, const IntegralRequest& request, std::span<std::byte> in_bytes,
                        std::span<std::byte> out_bytes) {
  VANTAGE_TRY(check_integral_request(request));
  VANTAGE_ASSIGN(const DeviceMemory in, DeviceMemory::make(in_bytes.size(), offset_of(in_bytes)));
  VANTAGE_ASSIGN(const DeviceMemory out, DeviceMemory::make(out_bytes.size(), offset_of(out_bytes)));
  VANTAGE_TRY(upload(in_bytes.data(), in_bytes.size(), in));
  VANTAGE_TRY(upload(out_bytes.data(), out_bytes.size(), out));
  IntegralRequest on_device = request;
  on_device.in.first.data = in.data() + (static_cast<std::byte*>(request.in.first.data) - in_bytes.data());
  on_device.out.first.data =
      out.data() + (static_cast<std::byte*>(request.out.first.data) - out_bytes.data());
  VANTAGE_TRY(run_integral(kIntegralVariants[variant], on_device));
  return check(cudaMemcpy(out_bytes.data(), out.data(), out_bytes.size(), cudaMemcpyDeviceToHost),
               "download");
}

int nms_variant_count(NmsMethod method) {
  return static_cast<int>(nms_variants(method).size());
}

std::string nms_variant_name(NmsMethod method, int variant) {
  return nms_variants(method)[variant].name;
}

Result<NmsResult> nms_on_cuda(int number, std::span<const Detection> detections, const NmsOptions& options) {
  VANTAGE_TRY(check_nms_request(detections.size(), kNmsMaxDetectionsCuda, options));
  const NmsVariant& variant = nms_variants(options.method)[number];
  const auto n = static_cast<int>(detections.size());
  const size_t bytes = nms_scratch(options.method, variant, n), count = detections.size() + 1;
  VANTAGE_ASSIGN(const DeviceMemory boxes, DeviceMemory::make(detections.size_bytes()));
  VANTAGE_ASSIGN(const DeviceMemory kept, DeviceMemory::make(count * sizeof(int32_t)));
  VANTAGE_ASSIGN(const DeviceMemory scores, DeviceMemory::make(count * sizeof(float)));
  VANTAGE_ASSIGN(const DeviceMemory kept_count, DeviceMemory::make(sizeof(int32_t)));
  VANTAGE_ASSIGN(const DeviceMemory scratch, DeviceMemory::make(bytes));
  VANTAGE_TRY(upload(detections.data(), detections.size_bytes(), boxes));
  const gpu::NmsOutput output{kept.as<int32_t>(), kept_count.as<int32_t>(), scores.as<float>()};
  // Twice with one scratch, as callers do; poisoned before each.
  VANTAGE_TRY(run([&](Work& work) -> Status {
    VANTAGE_TRY(work.set_zero(scratch.data(), bytes));
    for (int i = 0; i < 2; ++i) {
      VANTAGE_TRY(work.fill(kept.data(), 0x7B, count * sizeof(int32_t)));
      VANTAGE_TRY(work.fill(kept_count.data(), 0x7B, sizeof(int32_t)));
      VANTAGE_TRY(
          enqueue_nms(work, variant, boxes.as<const Detection>(), n, options, output, scratch, bytes));
    }
    return {};
  }));
  int32_t found = 0;
  VANTAGE_TRY(
      check(cudaMemcpy(&found, kept_count.data(), sizeof(found), cudaMemcpyDeviceToHost), variant.name));
  if (found < 0 || found > n) return fail(ErrorKind::bad_data, "count " + std::to_string(found));
  NmsResult result;
  result.kept.resize(found);
  result.scores.resize(found);
  VANTAGE_TRY(check(cudaMemcpy(result.kept.data(), kept.data(), result.kept.size() * sizeof(int32_t),
                               cudaMemcpyDeviceToHost),
                    "download"));
  VANTAGE_TRY(check(cudaMemcpy(result.scores.data(), scores.data(), result.scores.size() * sizeof(float),
                               cudaMemcpyDeviceToHost),
                    "download"));
  return result;
}

}  // namespace vantage::test
