// Integral images (summed-area tables): J(x, y) = sum of I over the rectangle from (0, 0) to (x, y).
//   inclusive: J(x, y) = sum_{j <= y, i <= x} I(i, j), output as large as the input
//   exclusive: J(x, y) = sum_{j <  y, i <  x} I(i, j): the output is as large as the input (P. Chen et al.,
//              "Efficient Algorithms for the Summed Area Tables Primitive on GPUs", equation 2) or one larger
// Element types (input -> output): u8 -> s32, u32, f32, u64; s32 -> s32; u32 -> u32; f32 -> f32; f64 -> f64.
// Integers are exact modulo 2^32 (2^64): a box sum is right as long as the box sum itself fits, even where J
// has wrapped round. u8 -> f32 is the exact sum, rounded once to nearest: all implementations give equal
// bits. f32 and f64 sums depend on the order of the additions, which each implementation keeps fixed: the
// same bits on the same device, with any thread count. For all of them
//   |J - exact| <= integral_error_factor<T>(width, height) * (sum of |I| over the rectangle).
// NaN and infinity spread to every sum that contains them, as in IEEE addition. Sizes: 0 x 0 (nothing is
// written) to 65,536 x 65,536, any stride and any alignment that suits the element. Input and output must not
// overlap. Rows are written up to the width only; padding is left alone. Box sums, limits of the speed:
// resources/docs/algorithms/integral-image.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/image/backend/registry.h"
#include "core/image/image_view.h"

namespace vantage {

enum class IntegralKind : uint8_t { inclusive, exclusive };

inline constexpr int kIntegralMaxSide = 65536;

// A strict bound on the longest chain of additions of any implementation here: row by row on the CPU
// (groups of 2 or 4 along the row, then one addition a row), tiles on a GPU (shorter).
template <typename T>
double integral_error_factor(int width, int height) {
  const double unit_roundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  const double depth = width / 2.0 + height + 64.0;
  return depth * unit_roundoff / (1.0 - depth * unit_roundoff);
}

// One picture on the CPU. threads: 0 = as many as oneTBB allows, 1 = the caller's thread alone; the result
// does not depend on it. Errors (invalid_argument): sizes that do not fit `kind`, a stride shorter than a
// row, a side above kIntegralMaxSide.
template <typename In, typename Out>
Status integral_image_cpu(ImageView<const In> in, ImageView<Out> out, IntegralKind kind, int threads = 0);

// A picture whose element type is known at run time; `data` is a host or a device address.
enum class IntegralType : uint8_t { u8, s32, u32, u64, f32, f64 };
std::string_view integral_type_name(IntegralType type);  // "u8"
size_t integral_type_size_bytes(IntegralType type);

struct IntegralPlane {
  void* data = nullptr;
  int width = 0, height = 0;
  size_t stride_bytes = 0;
};

// A batch of equally large pictures at a fixed distance in memory.
struct IntegralBatch {
  IntegralPlane first;
  size_t distance_bytes = 0;  // from one picture to the next; unused for a single one
};

struct IntegralRequest {
  IntegralType in_type = IntegralType::u8, out_type = IntegralType::s32;
  IntegralKind kind = IntegralKind::inclusive;
  int count = 1;          // pictures in the batch
  IntegralBatch in, out;  // in.first.data is only read
};

// The same for every implementation: what integral_image_cpu() checks, for a whole batch.
Status check_integral_request(const IntegralRequest& request);

// The ways there are on a GPU: our own, and the published ones that it is measured against (P. Chen et al.,
// section IV).
enum class IntegralAlgorithm : uint8_t { single_pass, scan_row_brlt, brlt_scan_row, scan_row_column };
// How the lanes of a warp are summed, of scan_row_brlt and scan_row_column: P. Kogge and H. Stone, 1973; R.
// Ladner and M. Fischer, 1980. BRLT-ScanRow scans serially, the single pass in its own way.
enum class WarpScan : uint8_t { kogge_stone, ladner_fischer };

// Memory: host addresses for Device::cpu, addresses on BackendContext::device_index for Device::cuda. run()
// returns when the output is complete.
class IntegralImage {
 public:
  static constexpr std::string_view kAlgorithm = "integral image";
  struct Arguments {
    int threads = 0;  // CPU only
    // CUDA only; empty: the single pass, and Kogge and Stone's scan. Making one fails with unsupported for
    // either on the CPU, with invalid_argument for a scan of an algorithm that has no choice.
    std::optional<IntegralAlgorithm> algorithm = {};
    std::optional<WarpScan> scan = {};
  };
  virtual ~IntegralImage() = default;
  virtual Status run(const IntegralRequest& request) = 0;
};

}  // namespace vantage
