#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "gpu/primitives/integral_image.cuh"
#include "gpu/primitives/nms.cuh"
#include "gpu/primitives/published/nms_mapreduce.cuh"
#include "tests/parity/primitives/device_rows.h"

namespace vantage::test {
namespace {

using gpu::GreedyVariant;

Status check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return {};
  return fail(ErrorKind::invalid_argument, std::string(what) + ": " + cudaGetErrorString(code));
}

// Device memory with `offset` bytes before the part used, so that addresses have the host's alignment.
class DeviceMemory {
 public:
  static Result<DeviceMemory> make(size_t bytes, size_t offset = 0) {
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

// Twice with one scratch, as callers do; the first run's output must be overwritten by the second's.
Status run_integral(const IntegralVariant& variant, const IntegralRequest& request) {
  const size_t bytes = gpu::integral_scratch_bytes(request, variant.algorithm);
  VANTAGE_ASSIGN(const DeviceMemory scratch, DeviceMemory::make(bytes));
  VANTAGE_TRY(check(cudaMemset(scratch.data(), 0x5C, bytes), "cudaMemset"));
  VANTAGE_TRY(
      check(gpu::integral_prepare_scratch(nullptr, request, variant.algorithm, scratch.data()), "prepare"));
  for (int i = 0; i < 2; ++i)
    VANTAGE_TRY(check(gpu::integral_image(nullptr, request, variant.algorithm, variant.scan, scratch.data()),
                      variant.name));
  return check(cudaDeviceSynchronize(), variant.name);
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

cudaError_t enqueue_nms(const NmsVariant& variant, const Detection* boxes, int n, const NmsOptions& options,
                        const gpu::NmsOutput& output, const DeviceMemory& scratch, size_t bytes) {
  if (options.method == NmsMethod::greedy)
    return gpu::greedy_nms(nullptr, boxes, n, options.rule, output, scratch.data(), bytes, variant.greedy);
  if (options.method == NmsMethod::mapreduce && variant.partitions == 0)
    return gpu::mapreduce_nms(nullptr, boxes, n, options.rule, output, scratch.data());
  if (options.method == NmsMethod::mapreduce)
    return gpu::published::mapreduce_nms(nullptr, boxes, n, options.rule, output, scratch.data(),
                                         partitions_of(variant, n));
  const gpu::SoftNms soft{options.rule, options.method == NmsMethod::soft_gaussian, options.sigma,
                          options.min_score};
  return gpu::soft_nms(nullptr, boxes, n, soft, output, scratch.data());
}

}  // namespace

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) return cudaGetErrorString(code);
  return count > 0 ? "" : "no device";
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
  VANTAGE_TRY(
      check(cudaMemcpy(in.data(), in_bytes.data(), in_bytes.size(), cudaMemcpyHostToDevice), "upload"));
  VANTAGE_TRY(
      check(cudaMemcpy(out.data(), out_bytes.data(), out_bytes.size(), cudaMemcpyHostToDevice), "upload"));
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
  return nms_variants(method)[static_cast<size_t>(variant)].name;
}

Result<NmsResult> nms_on_cuda(int number, std::span<const Detection> detections, const NmsOptions& options) {
  VANTAGE_TRY(check_nms_request(detections.size(), kNmsMaxDetectionsCuda, options));
  const NmsVariant& variant = nms_variants(options.method)[static_cast<size_t>(number)];
  const auto n = static_cast<int>(detections.size());
  const size_t bytes = nms_scratch(options.method, variant, n), count = detections.size() + 1;
  VANTAGE_ASSIGN(const DeviceMemory boxes, DeviceMemory::make(detections.size_bytes()));
  VANTAGE_ASSIGN(const DeviceMemory kept, DeviceMemory::make(count * sizeof(int32_t)));
  VANTAGE_ASSIGN(const DeviceMemory scores, DeviceMemory::make(count * sizeof(float)));
  VANTAGE_ASSIGN(const DeviceMemory kept_count, DeviceMemory::make(sizeof(int32_t)));
  VANTAGE_ASSIGN(const DeviceMemory scratch, DeviceMemory::make(bytes));
  VANTAGE_TRY(check(gpu::nms_prepare_scratch(nullptr, scratch.data(), bytes), "prepare"));
  VANTAGE_TRY(
      check(cudaMemcpy(boxes.data(), detections.data(), detections.size_bytes(), cudaMemcpyHostToDevice),
            "upload"));
  const gpu::NmsOutput output{kept.as<int32_t>(), kept_count.as<int32_t>(), scores.as<float>()};
  // Twice with one scratch, as callers do; poisoned before each.
  for (int i = 0; i < 2; ++i) {
    VANTAGE_TRY(check(cudaMemset(kept.data(), 0x7B, count * sizeof(int32_t)), "cudaMemset"));
    VANTAGE_TRY(check(cudaMemset(kept_count.data(), 0x7B, sizeof(int32_t)), "cudaMemset"));
    VANTAGE_TRY(check(enqueue_nms(variant, boxes.as<const Detection>(), n, options, output, scratch, bytes),
                      variant.name));
  }
  int32_t found = 0;
  VANTAGE_TRY(
      check(cudaMemcpy(&found, kept_count.data(), sizeof(found), cudaMemcpyDeviceToHost), variant.name));
  if (found < 0 || found > n) return fail(ErrorKind::bad_data, "count " + std::to_string(found));
  NmsResult result;
  result.kept.resize(static_cast<size_t>(found));
  result.scores.resize(static_cast<size_t>(found));
  VANTAGE_TRY(check(cudaMemcpy(result.kept.data(), kept.data(), result.kept.size() * sizeof(int32_t),
                               cudaMemcpyDeviceToHost),
                    "download"));
  VANTAGE_TRY(check(cudaMemcpy(result.scores.data(), scores.data(), result.scores.size() * sizeof(float),
                               cudaMemcpyDeviceToHost),
                    "download"));
  return result;
}

}  // namespace vantage::test
