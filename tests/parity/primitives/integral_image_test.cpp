// Integral images: the definition in double against the CPU and every CUDA implementation.
// Integers must be equal (modulo 2^32 or 2^64), u8 -> f32 the exact sum rounded to nearest, f32 and f64
// within integral_error_factor() of the definition.
#include "core/primitives/integral_image.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "core/algorithms.h"
#include "tests/parity/primitives/device_rows.h"
#include "tests/reference/integral_image.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

constexpr std::byte kGuard{0xA5};
constexpr size_t kGuardBytes = 256;

template <typename T>
T random_value(std::mt19937& random) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(-10.0 +
                          40.0 * 0x1p-32 * random());  // std's distribution takes longer than the sums
  } else {
    return static_cast<T>(random());  // the whole range, so that 32-bit sums wrap
  }
}

// Pictures in guarded memory, with padded and possibly misaligned rows.
template <typename T>
struct Pictures {
  Pictures(int width, int height, int count, size_t padding, size_t offset)
      : width(width),
        height(height),
        count(count),
        stride((static_cast<size_t>(width) + padding) * sizeof(T)) {
    distance = stride * static_cast<size_t>(height) + 3 * sizeof(T);
    begin = kGuardBytes + offset * sizeof(T);
    memory.assign(begin + distance * static_cast<size_t>(count) + kGuardBytes, kGuard);
    base = memory.data();
  }
  ImageView<T> view(int i) {
    return {reinterpret_cast<T*>(base + begin + distance * static_cast<size_t>(i)), width, height, stride};
  }
  IntegralBatch batch() { return {{base + begin, width, height, stride}, distance}; }
  // Everything but the elements themselves is as it was.
  bool guards_intact() {
    std::vector<std::byte> copy = memory;
    for (int i = 0; i < count; ++i)
      for (int y = 0; y < height; ++y)
        std::memset(copy.data() + begin + distance * static_cast<size_t>(i) + stride * static_cast<size_t>(y),
                    static_cast<int>(kGuard), static_cast<size_t>(width) * sizeof(T));
    return std::all_of(copy.begin(), copy.end(), [](std::byte b) { return b == kGuard; });
  }

  int width, height, count;
  size_t stride, distance = 0, begin = 0;
  std::vector<std::byte> memory;
  std::byte* base = nullptr;
};

template <typename In, typename Out>
void expect_sums(ImageView<const Out> out, const reference::IntegralSums<In>& expected) {
  [[maybe_unused]] double factor = 0;
  if constexpr (std::is_floating_point_v<In>) factor = integral_error_factor<In>(out.width, out.height);
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const Out value = out.at(x, y);
      // An assertion for each of these elements takes most of the test's time.
      if constexpr (std::is_floating_point_v<In>) {
        const double bound = factor * expected.magnitude(x, y) + 1e-300;
        const double distance = std::abs(static_cast<double>(value) - expected.at(x, y));
        if (!(distance <= bound)) FAIL() << distance << " from the sum at " << x << "," << y;
      } else if (value != static_cast<Out>(expected.at(x, y))) {
        FAIL() << value << " in place of " << expected.at(x, y) << " at " << x << "," << y;
      }
    }
}

struct Shape {
  int width, height, count;
  size_t padding, offset;
};

template <typename In, typename Out>
class IntegralCase {
 public:
  IntegralCase(const Shape& s, IntegralKind kind, int larger, std::mt19937& random)
      : in_(s.width, s.height, s.count, s.padding, s.offset),
        // Rows one longer begin as well, or as badly, aligned as the others.
        out_(s.width + larger, s.height + larger, s.count, s.padding + 15 * static_cast<size_t>(larger),
             s.offset) {
    request_ = {type_of<In>(), type_of<Out>(), kind, s.count, in_.batch(), out_.batch()};
    for (int i = 0; i < s.count; ++i) {
      const ImageView<In> view = in_.view(i);
      for (int y = 0; y < s.height; ++y)
        for (int x = 0; x < s.width; ++x) view.at(x, y) = random_value<In>(random);
      expected_.push_back(reference::integral_image<In>(ImageView<const In>(view), kind, s.width + larger,
                                                        s.height + larger));
    }
  }

  template <typename Run>
  void check(const Run& run) {
    for (int i = 0; i < out_.count; ++i) {
      const ImageView<Out> view = out_.view(i);
      for (int y = 0; y < view.height; ++y)
        std::memset(view.row(y), 0x7B, sizeof(Out) * static_cast<size_t>(view.width));
    }
    const Status status = run(request_, in_, out_);
    ASSERT_TRUE(status) << status.error().message();
    for (int i = 0; i < out_.count; ++i)
      ASSERT_NO_FATAL_FAILURE((expect_sums<In, Out>(ImageView<const Out>(out_.view(i)), expected_[i])))
          << "picture " << i;
    EXPECT_TRUE(out_.guards_intact());
  }

 private:
  template <typename T>
  static IntegralType type_of() {
    if (std::is_same_v<T, uint8_t>) return IntegralType::u8;
    if (std::is_same_v<T, int32_t>) return IntegralType::s32;
    if (std::is_same_v<T, uint32_t>) return IntegralType::u32;
    if (std::is_same_v<T, uint64_t>) return IntegralType::u64;
    return std::is_same_v<T, float> ? IntegralType::f32 : IntegralType::f64;
  }
  Pictures<In> in_;
  Pictures<Out> out_;
  IntegralRequest request_;
  std::vector<reference::IntegralSums<In>> expected_;
};

template <typename In, typename Out>
struct Types {
  using Input = In;
  using Output = Out;
};

template <typename T>
class IntegralImageParity : public ::testing::Test {};
using AllTypes = ::testing::Types<Types<uint8_t, int32_t>, Types<uint8_t, uint32_t>, Types<uint8_t, float>,
                                  Types<uint8_t, uint64_t>, Types<int32_t, int32_t>,
                                  Types<uint32_t, uint32_t>, Types<float, float>, Types<double, double>>;
TYPED_TEST_SUITE(IntegralImageParity, AllTypes);

std::vector<Shape> shapes() {
  return {{1, 1, 1, 0, 0},      {1, 7, 1, 3, 1},      {13, 1, 1, 0, 0},     {31, 33, 1, 1, 3},
          {64, 64, 2, 0, 0},    {127, 65, 1, 1, 0},   {256, 64, 1, 0, 0},   {257, 129, 3, 7, 2},
          {1, 700, 1, 0, 0},    {5000, 1, 1, 0, 0},   {640, 480, 1, 0, 0},  {1031, 517, 1, 5, 1},
          {2048, 130, 1, 0, 0}, {130, 2100, 1, 6, 0}, {520, 1700, 2, 0, 0}, {1024, 512, 1, 0, 0},
          {512, 192, 2, 4, 3}};
}

// Each picture goes through every implementation, run(i, ...), for its making and the reference take longest.
template <typename In, typename Out, typename Run>
void check_all(const std::vector<std::string>& names, const Run& run) {
  std::mt19937 random(test::test_seed());
  for (const Shape& s : shapes())
    for (const int form : {0, 1, 2}) {
      SCOPED_TRACE(std::to_string(s.width) + "x" + std::to_string(s.height) + " x" + std::to_string(s.count) +
                   " form " + std::to_string(form));
      IntegralCase<In, Out> one(s, form == 0 ? IntegralKind::inclusive : IntegralKind::exclusive, form == 2,
                                random);
      for (size_t i = 0; i < names.size(); ++i) {
        SCOPED_TRACE(names[i]);
        ASSERT_NO_FATAL_FAILURE(
            one.check([&](const auto& request, auto& in, auto& out) { return run(i, request, in, out); }));
      }
    }
}

TYPED_TEST(IntegralImageParity, Cpu) {
  BackendRegistry registry;
  register_integral_image_cpu(registry);
  std::vector<std::unique_ptr<IntegralImage>> integrals;
  std::vector<std::string> names;
  for (const int threads : {1, 2, 5}) {
    auto integral = registry.create<IntegralImage>(Device::cpu, {}, {threads});
    ASSERT_TRUE(integral);
    integrals.push_back(std::move(*integral));
    names.push_back(std::to_string(threads) + " threads");
  }
  check_all<typename TypeParam::Input, typename TypeParam::Output>(
      names,
      [&](size_t i, const IntegralRequest& request, auto&, auto&) { return integrals[i]->run(request); });
}

TYPED_TEST(IntegralImageParity, Cuda) {
  if (const std::string why = test::why_no_cuda(); !why.empty()) GTEST_SKIP() << "no CUDA rows: " << why;
  using In = typename TypeParam::Input;
  using Out = typename TypeParam::Output;
  std::mt19937 random(test::test_seed());
  // More tiles than blocks, so that blocks work on one tile while the next is loaded; rows that begin
  // anywhere and rows that are moved 16 bytes at a time.
  IntegralCase<In, Out> large({2309, 2200, 1, 0, 0}, IntegralKind::inclusive, 0, random);
  IntegralCase<In, Out> large_aligned({2320, 2200, 1, 0, 0}, IntegralKind::inclusive, 0, random);
  // So many rows of tiles that they work in groups; several pictures.
  IntegralCase<In, Out> high({200, 9000, 2, 8, 0}, IntegralKind::exclusive, 1, random);
  std::vector<std::string> names;
  for (int variant = 0; variant < test::integral_variant_count(); ++variant)
    names.push_back(test::integral_variant_name(variant));
  const auto run = [](size_t variant, const IntegralRequest& request, auto& in, auto& out) {
    return test::integral_on_cuda(static_cast<int>(variant), request, in.memory, out.memory);
  };
  check_all<In, Out>(names, run);
  for (size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const auto run_one = [&](const auto& request, auto& in, auto& out) { return run(i, request, in, out); };
    large.check(run_one);
    large_aligned.check(run_one);
    high.check(run_one);
  }
}

// A few tiles of every algorithm: little enough for compute-sanitizer's racecheck.
TYPED_TEST(IntegralImageParity, CudaFewTiles) {
  if (const std::string why = test::why_no_cuda(); !why.empty()) GTEST_SKIP() << "no CUDA rows: " << why;
  std::mt19937 random(test::test_seed());
  for (const Shape& shape : {Shape{257, 129, 1, 7, 2}, Shape{1030, 520, 1, 0, 0}}) {
    IntegralCase<typename TypeParam::Input, typename TypeParam::Output> one(shape, IntegralKind::inclusive, 0,
                                                                            random);
    for (int variant = 0; variant < test::integral_variant_count(); ++variant) {
      SCOPED_TRACE(test::integral_variant_name(variant));
      one.check([&](const IntegralRequest& request, auto& in, auto& out) {
        return test::integral_on_cuda(variant, request, in.memory, out.memory);
      });
    }
  }
}

// The same for the tiles of larger and of large pictures: rows that begin anywhere and rows moved 16 bytes at
// a time, and so many rows of tiles that they work in groups, in several pictures.
TYPED_TEST(IntegralImageParity, CudaLargeTiles) {
  if (const std::string why = test::why_no_cuda(); !why.empty()) GTEST_SKIP() << "no CUDA rows: " << why;
  using Case = IntegralCase<typename TypeParam::Input, typename TypeParam::Output>;
  std::mt19937 random(test::test_seed());
  constexpr int kSinglePass = 0;
  const auto run = [&](const IntegralRequest& request, auto& in, auto& out) {
    return test::integral_on_cuda(kSinglePass, request, in.memory, out.memory);
  };
  for (const Shape& shape : {Shape{2320, 1300, 1, 0, 0},
                             {2912, 2901, 1, 0, 0},
                             {2901, 2912, 1, 0, 0},
                             {4096, 2800, 1, 0, 0},
                             {4130, 4120, 1, 0, 0}}) {
    SCOPED_TRACE(shape.width);
    Case(shape, IntegralKind::inclusive, 0, random).check(run);
    Case(shape, IntegralKind::exclusive, 1, random).check(run);
  }
  Case({480, 9001, 2, 8, 0}, IntegralKind::exclusive, 1, random).check(run);
  Case({2304, 3840, 2, 0, 0}, IntegralKind::exclusive, 1, random).check(run);
  Case({9000, 40, 1, 0, 0}, IntegralKind::inclusive, 0, random).check(run);
  // Whole tiles, so that the last column and row of the larger output lie beyond them.
  for (const Shape& shape : {Shape{2304, 1536, 1, 0, 0}, {2304, 3840, 1, 0, 0}, {1280, 1280, 2, 3, 1}})
    for (const int larger : {0, 1}) {
      SCOPED_TRACE(std::to_string(shape.height) + (larger ? " larger" : ""));
      Case(shape, IntegralKind::exclusive, larger, random).check(run);
    }
}

// Bits do not depend on the number of threads, wherever the strips end.
TEST(IntegralImage, SameBitsWithAnyThreadCount) {
  std::mt19937 random(test::test_seed());
  const int width = 3011, height = 333;
  std::vector<float> in(static_cast<size_t>(width * height)), one(in.size()), many(in.size());
  for (float& value : in) value = random_value<float>(random);
  const size_t stride = static_cast<size_t>(width) * sizeof(float);
  const ImageView<const float> from{in.data(), width, height, stride};
  ASSERT_TRUE(integral_image_cpu(from, ImageView<float>{one.data(), width, height, stride},
                                 IntegralKind::inclusive, 1));
  for (const int threads : {2, 3, 4, 7}) {
    ASSERT_TRUE(integral_image_cpu(from, ImageView<float>{many.data(), width, height, stride},
                                   IntegralKind::inclusive, threads));
    EXPECT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0) << threads << " threads";
  }
}

// A sum above 2^32 in u8 -> f32 (the slow, exact path) and u8 -> u64; u8 -> u32 wraps.
TEST(IntegralImage, SumsBeyond32Bits) {
  const int width = 5000, height = 3500;
  const std::vector<uint8_t> in(static_cast<size_t>(width) * height, 255);
  std::vector<float> real(in.size());
  std::vector<uint64_t> wide(in.size());
  std::vector<uint32_t> wrapped(in.size());
  const ImageView<const uint8_t> from{in.data(), width, height, static_cast<size_t>(width)};
  const auto view = [&](auto& v) {
    using T = typename std::remove_reference_t<decltype(v)>::value_type;
    return ImageView<T>{v.data(), width, height, width * sizeof(T)};
  };
  ASSERT_TRUE(integral_image_cpu(from, view(real), IntegralKind::inclusive));
  ASSERT_TRUE(integral_image_cpu(from, view(wide), IntegralKind::inclusive));
  ASSERT_TRUE(integral_image_cpu(from, view(wrapped), IntegralKind::inclusive));
  for (int y = 0; y < height; y += 97)
    for (int x = 0; x < width; x += 89) {
      const uint64_t expected = uint64_t{255} * static_cast<uint64_t>(x + 1) * static_cast<uint64_t>(y + 1);
      ASSERT_EQ(view(wide).at(x, y), expected);
      ASSERT_EQ(view(real).at(x, y), static_cast<float>(expected));
      ASSERT_EQ(view(wrapped).at(x, y), static_cast<uint32_t>(expected));
    }
  EXPECT_GT(wide.back(), uint64_t{1} << 32);
}

// u8 -> f32 while sums pass 2^31 but not 2^32, in one strip and in several: rounded once, from either half.
TEST(IntegralImage, RealSumsOfBytesBeyond31Bits) {
  const int width = 4099, height = 4001;
  const std::vector<uint8_t> in(static_cast<size_t>(width) * height, 255);
  std::vector<float> out(in.size());
  const ImageView<const uint8_t> from{in.data(), width, height, static_cast<size_t>(width)};
  const ImageView<float> sums{out.data(), width, height, width * sizeof(float)};
  for (const int threads : {1, 3}) {
    std::fill(out.begin(), out.end(), -1.0f);
    ASSERT_TRUE(integral_image_cpu(from, sums, IntegralKind::inclusive, threads));
    for (int y = 0; y < height; y += 7)
      for (int x = 0; x < width; x += 11) {
        const uint64_t exact = uint64_t{255} * static_cast<uint64_t>(x + 1) * static_cast<uint64_t>(y + 1);
        ASSERT_EQ(sums.at(x, y), static_cast<float>(exact))
            << x << ", " << y << ", " << threads << " threads";
      }
  }
  EXPECT_GT(out.back(), 0x1p31f);
  EXPECT_LT(out.back(), 0x1p32f);
}

TEST(IntegralImage, NanStaysInTheRectanglesThatHoldIt) {
  const int n = 37;
  std::vector<float> in(n * n, 1.0f), out(n * n);
  in[11 * n + 20] = std::nanf("");
  const size_t stride = n * sizeof(float);
  ASSERT_TRUE(integral_image_cpu(ImageView<const float>{in.data(), n, n, stride},
                                 ImageView<float>{out.data(), n, n, stride}, IntegralKind::inclusive));
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) ASSERT_EQ(std::isnan(out[y * n + x]), x >= 20 && y >= 11) << x << "," << y;
}

TEST(IntegralImage, WrongRequestsAreRefused) {
  std::vector<uint8_t> in(64);
  std::vector<int32_t> out(81);
  const ImageView<const uint8_t> from{in.data(), 8, 8, 8};
  const auto refused = [&](ImageView<int32_t> to, IntegralKind kind) {
    const Status status = integral_image_cpu(from, to, kind);
    return !status && status.error().kind == ErrorKind::invalid_argument;
  };
  EXPECT_TRUE(refused({out.data(), 7, 8, 32}, IntegralKind::inclusive));
  EXPECT_TRUE(refused({out.data(), 9, 9, 36}, IntegralKind::inclusive));
  EXPECT_TRUE(refused({out.data(), 8, 8, 31}, IntegralKind::inclusive));
  EXPECT_TRUE(refused({nullptr, 8, 8, 32}, IntegralKind::inclusive));
  EXPECT_FALSE(refused({out.data(), 9, 9, 36}, IntegralKind::exclusive));
  IntegralRequest request{IntegralType::f32, IntegralType::f64, IntegralKind::inclusive, 1, {}, {}};
  EXPECT_FALSE(check_integral_request(request));
}

TEST(IntegralImage, EmptyPicturesAreFine) {
  EXPECT_TRUE(integral_image_cpu(ImageView<const float>{nullptr, 0, 5, 0}, ImageView<float>{nullptr, 0, 5, 0},
                                 IntegralKind::inclusive));
  float zero = 9;
  EXPECT_TRUE(integral_image_cpu(ImageView<const float>{nullptr, 0, 0, 0}, ImageView<float>{&zero, 1, 1, 4},
                                 IntegralKind::exclusive));
  EXPECT_EQ(zero, 0);
}

}  // namespace
}  // namespace vantage
