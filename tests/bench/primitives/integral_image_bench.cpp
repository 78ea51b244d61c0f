// The CPU's integral images on one and two threads, in turns with cv::integral.
#include <cstring>
#include <functional>
#include <random>
#include <type_traits>

#include "core/primitives/integral_image.h"
#include "tests/bench/primitives/report.h"
#include "tests/bench/timing.h"
#ifdef VANTAGE_WITH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace vantage::bench {
namespace {

// Bytes over the time memcpy takes for the bytes it reads and writes, in the same run.
double copy_bytes_per_us() {
  std::vector<char> from(size_t{256} << 20, 1), to(from.size());
  return 2.0 * static_cast<double>(from.size()) /
         times_in_turn({[&] { std::memcpy(to.data(), from.data(), from.size()); }}).front().median_us;
}

#ifdef VANTAGE_WITH_OPENCV
// For the types that cv::integral takes or gives; it works on one thread.
template <typename T>
constexpr int kDepth = -1;
template <>
constexpr int kDepth<uint8_t> = CV_8U;
template <>
constexpr int kDepth<int32_t> = CV_32S;
template <>
constexpr int kDepth<float> = CV_32F;
template <>
constexpr int kDepth<double> = CV_64F;
// But it has no sums of 32-bit integers.
template <typename In, typename Out>
constexpr bool kHasPeer = kDepth<In> >= 0 && kDepth<Out> >= 0 && !std::is_same_v<In, int32_t>;
#endif

template <typename In, typename Out>
void measure(Report& report, const char* types, int width, int height, double bytes_per_us) {
  const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height);
  std::vector<In> in(count);
  std::mt19937 random(1);
  for (In& value : in) value = static_cast<In>(random() % 256);
  // One larger each way, as cv::integral gives it.
  std::vector<Out> out(static_cast<size_t>(width + 1) * static_cast<size_t>(height + 1));
  const ImageView<const In> from{in.data(), width, height, static_cast<size_t>(width) * sizeof(In)};
  const ImageView<Out> to{out.data(), width + 1, height + 1, static_cast<size_t>(width + 1) * sizeof(Out)};
  const double limit = static_cast<double>(count * (sizeof(In) + sizeof(Out))) / bytes_per_us;
  const std::string input = std::string(types) + ' ' + std::to_string(width) + " x " + std::to_string(height);
  std::vector<const char*> methods;
  std::vector<std::function<void()>> calls;
#ifdef VANTAGE_WITH_OPENCV
  if constexpr (kHasPeer<In, Out>) {
    methods.push_back("cv::integral");
    calls.emplace_back([source = cv::Mat(height, width, kDepth<In>, in.data()),
                        sums = cv::Mat(height + 1, width + 1, kDepth<Out>, out.data())]() mutable {
      cv::integral(source, sums, kDepth<Out>);
    });
  }
#endif
  for (const int threads : {1, 2}) {
    methods.push_back(threads == 1 ? "ours, 1 thread" : "ours, 2 threads");
    calls.emplace_back([&from, &to, threads] {
      static_cast<void>(integral_image_cpu(from, to, IntegralKind::exclusive, threads));
    });
  }
  const std::vector<HostTime> times = times_in_turn(calls);
  for (size_t i = 0; i < times.size(); ++i)
    report.add(
        {"integral image, CPU (exclusive)", input, methods[i], times[i].median_us, limit, times[i].min_us});
}

}  // namespace

void measure_integral_cpu(Report& report) {
  const double bytes_per_us = copy_bytes_per_us();
  report.note("host copy " + std::to_string(bytes_per_us * 1e-3) + " GB/s (read and written, one thread)");
  constexpr int kSizes[][2] = {{640, 480}, {1920, 1080}, {4096, 4096}};
  for (const auto& [width, height] : kSizes) {
    measure<uint8_t, int32_t>(report, "u8 -> s32", width, height, bytes_per_us);
    measure<uint8_t, float>(report, "u8 -> f32", width, height, bytes_per_us);
    measure<float, float>(report, "f32 -> f32", width, height, bytes_per_us);
    measure<double, double>(report, "f64 -> f64", width, height, bytes_per_us);
    measure<uint8_t, uint64_t>(report, "u8 -> u64", width, height, bytes_per_us);
    measure<int32_t, int32_t>(report, "s32 -> s32", width, height, bytes_per_us);
  }
}

}  // namespace vantage::bench
