#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/algorithms.h"
#include "core/primitives/detail/integral_rows.h"
#include "core/primitives/integral_image.h"

namespace vantage {
namespace {

using integral::RowStep;

constexpr int kMinStripColumns = 256;  // narrower strips wait more than they work
constexpr int kRowsAStep = 32;  // a hand-over to the next strip costs as much as thousands of additions
constexpr size_t kMinParallelBytes = size_t{2} << 20;  // of sums; below, threads cost more than they gain

template <typename T>
constexpr IntegralType integral_type_of() {
  if constexpr (std::is_same_v<T, uint8_t>) return IntegralType::u8;
  if constexpr (std::is_same_v<T, int32_t>) return IntegralType::s32;
  if constexpr (std::is_same_v<T, uint32_t>) return IntegralType::u32;
  if constexpr (std::is_same_v<T, uint64_t>) return IntegralType::u64;
  if constexpr (std::is_same_v<T, float>) return IntegralType::f32;
  if constexpr (std::is_same_v<T, double>) return IntegralType::f64;
}

template <typename In, typename Out>
IntegralRequest request_of(const ImageView<const In>& in, const ImageView<Out>& out, IntegralKind kind) {
  IntegralRequest request{integral_type_of<In>(), integral_type_of<Out>(), kind, 1, {}, {}};
  request.in.first = {const_cast<In*>(in.data), in.width, in.height, in.stride_bytes};
  request.out.first = {out.data, out.width, out.height, out.stride_bytes};
  return request;
}

// How far a strip has come, for the strip to its right.
template <typename Acc>
struct alignas(64) StripProgress {  // a cache line of its own: two threads look at neighbours all the time
  std::vector<Acc> carries;         // of each row, at this strip's end
  std::atomic<int> rows_done{0};
};

void wait_for_rows(const std::atomic<int>& rows_done, int rows) {
  for (int tries = 0; rows_done.load(std::memory_order_acquire) < rows; ++tries)
    if (tries > 64) std::this_thread::yield();
}

// The source and destination of the sums: `out` is as large as `in`; of the exclusive form, it is the part
// below its first row and to the right of its first column.
template <typename In, typename Out>
struct Sums {
  ImageView<const In> in;
  ImageView<Out> out;
  IntegralKind kind;
};

// For bytes: the largest sum that so many more rows can reach, up to a column.
uint64_t largest_sum(uint32_t in_rows_above, int columns, int rows) {
  return in_rows_above + uint64_t{255} * static_cast<uint64_t>(columns) * static_cast<uint64_t>(rows);
}

// One strip of columns from top to bottom. It needs, row by row, what is known of the columns to its left.
template <typename In, typename Out, typename Acc>
void run_strip(const Sums<In, Out>& sums, int begin, int end, const StripProgress<Acc>* left,
               StripProgress<Acc>* own) {
  const ImageView<const In>& in = sums.in;
  std::vector<Acc> above(static_cast<size_t>(end - begin), Acc{0});
  std::array<Acc, kRowsAStep> carry;
  uint32_t largest = 0;  // of bytes: the sums of the rows so far
  for (int y = 0; y < in.height; y += kRowsAStep) {
    const int rows = std::min(kRowsAStep, in.height - y), done = y + rows;
    const RowStep<In, Out, Acc> step{{in.row(y) + begin, end - begin, rows, in.stride_bytes},
                                     {sums.out.row(y) + begin, end - begin, rows, sums.out.stride_bytes},
                                     above.data(),
                                     carry.data(),
                                     largest_sum(largest, end, rows) >> 31 == 0};
    carry.fill(Acc{0});
    if (left) {
      wait_for_rows(left->rows_done, done);
      std::copy_n(left->carries.begin() + y, rows, carry.begin());
    } else if (sums.kind == IntegralKind::exclusive) {
      for (int r = 0; r < rows; ++r) step.out.row(r)[-1] = Out{0};
    }
    add_rows(step);
    if constexpr (std::is_same_v<In, uint8_t>) largest = static_cast<uint32_t>(carry[rows - 1]);
    if (!own) continue;
    std::copy_n(carry.begin(), rows, own->carries.begin() + y);
    own->rows_done.store(done, std::memory_order_release);
  }
}

// Strips side by side, each behind the one to its left by a few rows: every element is read and written once.
// A strip is begun only after the one to its left has been, by a thread that never waits for one further
// right, so the leftmost unfinished strip always moves on.
template <typename In, typename Out, typename Acc>
void run_strips(const Sums<In, Out>& sums, int threads) {
  const ImageView<const In>& in = sums.in;
  if (in.width == 0 || in.height == 0) return;
  if (threads == 0) threads = oneapi::tbb::this_task_arena::max_concurrency();
  if (sizeof(Out) * static_cast<size_t>(in.width) * static_cast<size_t>(in.height) < kMinParallelBytes)
    threads = 1;
  const int strips = std::clamp(in.width / kMinStripColumns, 1, threads);
  if (strips == 1) return run_strip<In, Out, Acc>(sums, 0, in.width, nullptr, nullptr);
  const int blocks = in.width / integral::kStripAlignment;
  std::vector<StripProgress<Acc>> progress(static_cast<size_t>(strips));
  for (StripProgress<Acc>& strip : progress) strip.carries.resize(in.height);
  const auto strip_begin = [&](int strip) { return blocks * strip / strips * integral::kStripAlignment; };
  std::atomic<int> next{0};
  const auto take_strip = [&](int) {
    const int strip = next.fetch_add(1);
    const auto s = static_cast<size_t>(strip);
    run_strip(sums, strip_begin(strip), strip + 1 == strips ? in.width : strip_begin(strip + 1),
              strip > 0 ? &progress[s - 1] : nullptr, &progress[s]);
  };
  oneapi::tbb::parallel_for(0, strips, take_strip, oneapi::tbb::simple_partitioner());
}

template <typename In, typename Out>
void dispatch_sums(const Sums<In, Out>& sums, int threads) {
  const ImageView<const In>& in = sums.in;
  if constexpr (std::is_same_v<In, uint8_t> && std::is_same_v<Out, float>) {
    const bool fits =
        uint64_t{255} * static_cast<uint64_t>(in.width) * static_cast<uint64_t>(in.height) >> 32 == 0;
    if (fits) return run_strips<uint8_t, float, uint32_t>(sums, threads);
    run_strips<uint8_t, float, uint64_t>(sums, threads);
  } else if constexpr (std::is_same_v<Out, int32_t>) {
    // Unsigned, so that wrapping round is defined.
    using Unsigned = std::conditional_t<std::is_same_v<In, int32_t>, uint32_t, In>;
    const ImageView<Out>& out = sums.out;
    run_strips<Unsigned, uint32_t, uint32_t>(
        {{reinterpret_cast<const Unsigned*>(in.data), in.width, in.height, in.stride_bytes},
         {reinterpret_cast<uint32_t*>(out.data), out.width, out.height, out.stride_bytes},
         sums.kind},
        threads);
  } else {
    run_strips<In, Out, Out>(sums, threads);
  }
}

}  // namespace

template <typename In, typename Out>
Status integral_image_cpu(ImageView<const In> in, ImageView<Out> out, IntegralKind kind, int threads) {
  VANTAGE_TRY(check_integral_request(request_of(in, out, kind)));
  if (out.width == 0 || out.height == 0) return {};
  try {
    if (kind == IntegralKind::inclusive) {
      dispatch_sums<In, Out>({in, out, kind}, threads);
      return {};
    }
    // Exclusive is inclusive one step to the lower right, below a row and next to a column of zeros.
    std::fill_n(out.row(0), out.width, Out{0});
    in.width = out.width - 1;
    in.height = out.height - 1;
    if (in.width == 0)
      for (int y = 1; y < out.height; ++y) out.row(y)[0] = Out{0};
    if (in.width == 0 || in.height == 0) return {};
    const ImageView<Out> shifted{out.row(1) + 1, in.width, in.height, out.stride_bytes};
    dispatch_sums<In, Out>({in, shifted, kind}, threads);
    return {};
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::out_of_memory, "no memory for a row of sums", "integral image",
                "Close other programs or process smaller pictures.");
  }
}

template Status integral_image_cpu(ImageView<const uint8_t>, ImageView<int32_t>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const uint8_t>, ImageView<uint32_t>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const uint8_t>, ImageView<float>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const uint8_t>, ImageView<uint64_t>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const int32_t>, ImageView<int32_t>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const uint32_t>, ImageView<uint32_t>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const float>, ImageView<float>, IntegralKind, int);
template Status integral_image_cpu(ImageView<const double>, ImageView<double>, IntegralKind, int);

namespace {

template <typename In, typename Out>
Status run_batch(const IntegralRequest& request, int threads) {
  const IntegralPlane &in = request.in.first, &out = request.out.first;
  for (int i = 0; i < request.count; ++i) {
    const auto step = static_cast<size_t>(i);
    const auto* from = static_cast<const std::byte*>(in.data) + step * request.in.distance_bytes;
    auto* to = static_cast<std::byte*>(out.data) + step * request.out.distance_bytes;
    VANTAGE_TRY(integral_image_cpu(
        ImageView<const In>{reinterpret_cast<const In*>(from), in.width, in.height, in.stride_bytes},
        ImageView<Out>{reinterpret_cast<Out*>(to), out.width, out.height, out.stride_bytes}, request.kind,
        threads));
  }
  return {};
}

class CpuIntegralImage final : public IntegralImage {
 public:
  explicit CpuIntegralImage(int threads) : threads_(threads) {}

  Status run(const IntegralRequest& request) override {
    VANTAGE_TRY(check_integral_request(request));
    switch (request.in_type) {
      case IntegralType::s32:
        return run_batch<int32_t, int32_t>(request, threads_);
      case IntegralType::u32:
        return run_batch<uint32_t, uint32_t>(request, threads_);
      case IntegralType::f32:
        return run_batch<float, float>(request, threads_);
      case IntegralType::f64:
        return run_batch<double, double>(request, threads_);
      default:
        return run_bytes(request);
    }
  }

 private:
  Status run_bytes(const IntegralRequest& request) {
    switch (request.out_type) {
      case IntegralType::s32:
        return run_batch<uint8_t, int32_t>(request, threads_);
      case IntegralType::u32:
        return run_batch<uint8_t, uint32_t>(request, threads_);
      case IntegralType::f32:
        return run_batch<uint8_t, float>(request, threads_);
      default:
        return run_batch<uint8_t, uint64_t>(request, threads_);
    }
  }
  int threads_;
};

}  // namespace

void register_integral_image_cpu(BackendRegistry& registry) {
  registry.add<IntegralImage>(
      Device::cpu,
      [](const BackendContext&,
         const IntegralImage::Arguments& arguments) -> Result<std::unique_ptr<IntegralImage>> {
        if (arguments.algorithm || arguments.scan)
          return fail(ErrorKind::unsupported, "integral images have one algorithm on the CPU, row by row",
                      "integral image", "Leave algorithm and scan out, or choose a GPU.");
        return std::make_unique<CpuIntegralImage>(arguments.threads);
      });
}

}  // namespace vantage
