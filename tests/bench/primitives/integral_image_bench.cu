// Integral images on a GPU: every algorithm, type and size, against the copy bandwidth of the same device.
#include <memory>
#include <string>

#include "gpu/primitives/integral_image/integral_image.h"
#include "gpu/primitives/published/integral.h"
#include "tests/bench/primitives/device_timing.cuh"
#include "tests/bench/primitives/npp_peer.h"
#include "tests/bench/primitives/report.h"

namespace vantage::bench {
namespace {

constexpr size_t kBeyondCacheBytes = size_t{400} << 20;

struct TypePair {
  IntegralType in, out;
};
constexpr TypePair kTypes[] = {
    {IntegralType::u8, IntegralType::u32},  {IntegralType::u8, IntegralType::s32},
    {IntegralType::u8, IntegralType::f32},  {IntegralType::u8, IntegralType::u64},
    {IntegralType::s32, IntegralType::s32}, {IntegralType::u32, IntegralType::u32},
    {IntegralType::f32, IntegralType::f32}, {IntegralType::f64, IntegralType::f64}};

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{640, 480},   {1024, 1024}, {1920, 1080},  {2048, 2048},
                           {4096, 4096}, {8192, 8192}, {20000, 20000}};

__global__ void fill_words(uint32_t* words, size_t count, bool as_float, bool as_double) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x) {
    uint32_t h = static_cast<uint32_t>(i) * 2654435761u + 12345u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    if (as_float) h = __float_as_uint(static_cast<float>(h >> 8) * 0x1p-24f);
    if (as_double && i % 2 == 1) h = 0x3ff00000u | h >> 12;  // the high half of a number in [1, 2)
    words[i] = h;
  }
}

void fill_memory(const DeviceArray& memory, IntegralType type) {
  run_and_wait([&](gpu::Work& work) {
    return launch(work, "fill_words", {dim3(1024), dim3(256)}, fill_words,
                  reinterpret_cast<uint32_t*>(memory.data()), memory.bytes() / 4, type == IntegralType::f32,
                  type == IntegralType::f64);
  });
}

// Several pictures of one kind, one after the other in memory, and the scratch.
class Subject {
 public:
  Subject(const TypePair& types, const Size& size, IntegralKind kind)
      : in_size_(integral_type_size_bytes(types.in)), out_size_(integral_type_size_bytes(types.out)) {
    const int larger = kind == IntegralKind::exclusive ? 1 : 0;
    request_ = {types.in, types.out, kind, 1, {}, {}};
    const size_t in_stride = padded(static_cast<size_t>(size.width) * in_size_);
    const size_t out_stride = padded(static_cast<size_t>(size.width + larger) * out_size_);
    in_bytes_ = in_stride * static_cast<size_t>(size.height);
    out_bytes_ = out_stride * static_cast<size_t>(size.height + larger);
    sets_ = static_cast<int>(std::clamp<size_t>(kBeyondCacheBytes / (in_bytes_ + out_bytes_), 1, 48));
    in_ = std::make_unique<DeviceArray>(in_bytes_ * static_cast<size_t>(sets_));
    out_ = std::make_unique<DeviceArray>(out_bytes_ * static_cast<size_t>(sets_));
    fill_memory(*in_, types.in);
    request_.in.first = {in_->data(), size.width, size.height, in_stride};
    request_.out.first = {out_->data(), size.width + larger, size.height + larger, out_stride};
  }

  IntegralRequest request(int set) const {
    IntegralRequest r = request_;
    r.in.first.data = in_->data() + in_bytes_ * static_cast<size_t>(set);
    r.out.first.data = out_->data() + out_bytes_ * static_cast<size_t>(set);
    return r;
  }
  int sets() const { return sets_; }
  int runs() const { return std::max(sets_, in_bytes_ + out_bytes_ > (size_t{1} << 30) ? 2 : 8); }
  double counted_bytes() const {
    return static_cast<double>(request_.in.first.width) * request_.in.first.height *
           static_cast<double>(in_size_ + out_size_);
  }

 private:
  static size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }
  size_t in_size_, out_size_, in_bytes_ = 0, out_bytes_ = 0;
  int sets_ = 1;
  IntegralRequest request_;
  std::unique_ptr<DeviceArray> in_, out_;
};

struct Method {
  IntegralAlgorithm algorithm;
  WarpScan scan;
  unsigned passes;
  const char* name;
};
constexpr Method kMethods[] = {
    {IntegralAlgorithm::single_pass, WarpScan::kogge_stone, 3, "single pass"},
    {IntegralAlgorithm::brlt_scan_row, WarpScan::kogge_stone, 3, "BRLT-ScanRow"},
    {IntegralAlgorithm::brlt_scan_row, WarpScan::kogge_stone, 1, "BRLT-ScanRow, pass 1"},
    {IntegralAlgorithm::brlt_scan_row, WarpScan::kogge_stone, 2, "BRLT-ScanRow, pass 2"},
    {IntegralAlgorithm::scan_row_brlt, WarpScan::kogge_stone, 3, "ScanRow-BRLT, Kogge-Stone"},
    {IntegralAlgorithm::scan_row_brlt, WarpScan::ladner_fischer, 3, "ScanRow-BRLT, Ladner-Fischer"},
    {IntegralAlgorithm::scan_row_brlt, WarpScan::kogge_stone, 1, "ScanRow-BRLT, K-S, pass 1"},
    {IntegralAlgorithm::scan_row_brlt, WarpScan::kogge_stone, 2, "ScanRow-BRLT, K-S, pass 2"},
    {IntegralAlgorithm::scan_row_column, WarpScan::kogge_stone, 3, "ScanRowColumn, Kogge-Stone"},
    {IntegralAlgorithm::scan_row_column, WarpScan::ladner_fischer, 3, "ScanRowColumn, Ladner-Fischer"},
    {IntegralAlgorithm::scan_row_column, WarpScan::kogge_stone, 1, "ScanRowColumn, K-S, ScanRow"},
    {IntegralAlgorithm::scan_row_column, WarpScan::kogge_stone, 2, "ScanRowColumn, K-S, ScanColumn"}};

double time_of(const Subject& subject, const Method& method) {
  const bool ours = method.algorithm == IntegralAlgorithm::single_pass;
  const IntegralRequest first = subject.request(0);
  const DeviceArray scratch(ours ? gpu::integral_scratch_bytes(Gpu::get().context->limits(), first)
                                 : gpu::published::integral_scratch_bytes(first, method.algorithm));
  run_and_wait([&](gpu::Work& work) { return work.set_zero(scratch.data(), scratch.bytes()); });
  return device_time_us(
      [&](gpu::Work& work, int set) {
        const IntegralRequest request = subject.request(set);
        return ours ? gpu::enqueue_integral_image(work, request, scratch.data())
                    : gpu::published::enqueue_integral_image(work, request, method.algorithm, method.scan,
                                                             scratch.data(), method.passes);
      },
      subject.sets(), subject.runs());
}

// Sixteen bytes a thread: cudaMemcpyAsync inside a graph reached two thirds of this on an H200.
__global__ void copy_packs(const uint4* from, uint4* to) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  __stcs(to + i, __ldcs(from + i));
}

double copy_bytes_per_us(Report& report) {
  const DeviceArray from(size_t{2} << 30), to(from.bytes());
  fill_memory(from, IntegralType::u8);
  const double time = device_time_us(
      [&](gpu::Work& work, int) {
        return launch(
            work, "copy_packs", {dim3(static_cast<unsigned>(from.bytes() / sizeof(uint4) / 256)), dim3(256)},
            copy_packs, reinterpret_cast<const uint4*>(from.data()), reinterpret_cast<uint4*>(to.data()));
      },
      1, 4);
  const double rate = 2.0 * static_cast<double>(from.bytes()) / time;
  report.note("device copy " + std::to_string(rate * 1e-6) + " TB/s (read and written)");
  return rate;
}

std::string describe(const TypePair& types, const Size& size) {
  return std::string(integral_type_name(types.in)) + " -> " + std::string(integral_type_name(types.out)) +
         ' ' + std::to_string(size.width) + " x " + std::to_string(size.height);
}

void measure_npp(Report& report, const TypePair& types, const Size& size, double bytes_per_us) {
  const bool real = types.out == IntegralType::f32;
  if (types.in != IntegralType::u8 || !(real || types.out == IntegralType::s32)) return;
  const Subject subject(types, size, IntegralKind::exclusive);
  bool accepted = true;
  const double time = device_time_us(
      [&](gpu::Work& work, int set) -> Status {
        const IntegralRequest r = subject.request(set);
        const auto call = real ? npp_integral_u8_f32 : npp_integral_u8_s32;
        accepted = call(work.stream().handle(), r.in.first.data, r.in.first.stride_bytes, r.out.first.data,
                        r.out.first.stride_bytes, size.width, size.height) &&
                   accepted;
        return {};
      },
      subject.sets(), subject.runs());
  report.add({"integral image, CUDA", describe(types, size), accepted ? "NPP (exclusive)" : "NPP refused",
              time, subject.counted_bytes() / bytes_per_us});
}

}  // namespace

void measure_integral_cuda(Report& report) {
  if (!device_answers()) return;
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "device");
  report.note(std::string(properties.name) + ", " + std::to_string(properties.multiProcessorCount) +
              " multiprocessors, " + std::to_string(Gpu::get().context->limits().memory_bytes_per_clock) +
              " bytes a clock stated; " + (npp_available() ? "NPP measured too" : "built without NPP"));
  const double bytes_per_us = copy_bytes_per_us(report);
  for (const TypePair& types : kTypes)
    for (const Size& size : kSizes) {
      const Subject subject(types, size, IntegralKind::inclusive);
      for (const Method& method : kMethods) {
        // The passes alone where they tell something new: two types, three sizes.
        const bool sweep =
            (types.out == IntegralType::u32 && types.in == IntegralType::u8) || types.in == IntegralType::f32;
        if (method.passes != 3 &&
            !(sweep && (size.width == 1024 || size.width == 4096 || size.width == 8192)))
          continue;
        // A pass alone moves other bytes than the whole.
        const double limit = method.passes == 3 ? subject.counted_bytes() / bytes_per_us : 0;
        report.add(
            {"integral image, CUDA", describe(types, size), method.name, time_of(subject, method), limit});
      }
      const Subject exclusive(types, size, IntegralKind::exclusive);
      report.add({"integral image, CUDA", describe(types, size), "single pass, exclusive",
                  time_of(exclusive, kMethods[0]), exclusive.counted_bytes() / bytes_per_us});
    }
}

void measure_npp_cuda(Report& report) {
  if (!npp_available() || !device_answers()) return;
  const double bytes_per_us = copy_bytes_per_us(report);
  for (const TypePair& types : kTypes)
    for (const Size& size : kSizes) measure_npp(report, types, size, bytes_per_us);
}

}  // namespace vantage::bench
