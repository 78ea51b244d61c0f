#include "core/carving/carving_kernel.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/carving/sample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/carving/carving_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops, which the compiler turns into vector code for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace vantage::carving::HWY_NAMESPACE {

// A table, because shifts by a different count per lane are missing from older instruction sets.
constexpr std::array<uint32_t, 32> kBit = [] {
  std::array<uint32_t, 32> bits{};
  for (uint32_t i = 0; i < 32; ++i) bits[i] = 1u << i;
  return bits;
}();

void make_quads(const uint8_t* top, const uint8_t* bottom, int width, uint32_t* quads) {
  for (int x = 0; x < width - 1; ++x)
    quads[x] = uint32_t{top[x]} | uint32_t{top[x + 1]} << 8 | uint32_t{bottom[x]} << 16 |
               uint32_t{bottom[x + 1]} << 24;
}

float add_votes(const PinholeCamera<float>& camera, const QuadImage& indicator, const VoxelBlock& block,
                float* HWY_RESTRICT sums, int32_t* HWY_RESTRICT seeing) {
  const PinholeCamera<float> c = camera;
  const QuadImage image = indicator;
  float px[kBlock], py[kBlock];
  int32_t offsets[kBlock], seen[kBlock];
  int32_t any = 0;
  for (int i = 0; i < kBlock; ++i) {
    const Pixel<float> p = project(c, block.x_in_world_m[i], block.y_in_world_m, block.z_in_world_m);
    const bool inside = p.in_front & support_inside(image.width, image.height, p.x, p.y);
    px[i] = inside ? p.x : 0.0f;
    py[i] = inside ? p.y : 0.0f;
    seen[i] = inside ? -1 : 0;
    any |= seen[i];
  }
  if (any)
    for (int i = 0; i < kBlock; ++i)
      offsets[i] = static_cast<int32_t>(py[i]) * image.pitch + static_cast<int32_t>(px[i]);
  for (int i = 0; i < kBlock && any; ++i) {
    const uint32_t quad = image.quads[offsets[i]] & static_cast<uint32_t>(seen[i]);
    const auto level = [quad](int shift) {
      return static_cast<float>(static_cast<int32_t>(quad >> shift & 255u));
    };
    const float fraction_x = px[i] - static_cast<float>(static_cast<int32_t>(px[i]));
    const float fraction_y = py[i] - static_cast<float>(static_cast<int32_t>(py[i]));
    sums[i] += bilinear(level(0), level(8), level(16), level(24), fraction_x, fraction_y);
  }
  for (int i = 0; i < kBlock; ++i) seeing[i] -= seen[i];
  // Sums are not negative, so their bit patterns sort as they do, and an integer maximum is vector code.
  int32_t largest = 0;
  for (int i = 0; i < kBlock; ++i) largest = std::max(largest, std::bit_cast<int32_t>(sums[i]));
  return std::bit_cast<float>(largest);
}

uint32_t compare_half(const float* sums, const int32_t* seeing, const VoteRule* rules) {
  uint32_t bits = 0;
  for (int i = 0; i < 32; ++i) bits |= sums[i] >= rules[seeing[i]].limit ? kBit[i] : 0u;
  return bits;
}

uint64_t compare_sums(const float* sums, const int32_t* seeing, const VoteRule* rules) {
  return compare_half(sums, seeing, rules) | uint64_t{compare_half(sums + 32, seeing + 32, rules)} << 32;
}

}  // namespace vantage::carving::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::carving {

HWY_EXPORT(make_quads);
HWY_EXPORT(add_votes);
HWY_EXPORT(compare_sums);

void make_quads(const uint8_t* top, const uint8_t* bottom, int width, uint32_t* quads) {
  HWY_DYNAMIC_DISPATCH(make_quads)(top, bottom, width, quads);
}

float add_votes(const PinholeCamera<float>& camera, const QuadImage& indicator, const VoxelBlock& block,
                float* sums, int32_t* seeing) {
  return HWY_DYNAMIC_DISPATCH(add_votes)(camera, indicator, block, sums, seeing);
}

uint64_t compare_sums(const float* sums, const int32_t* seeing, const VoteRule* rules) {
  return HWY_DYNAMIC_DISPATCH(compare_sums)(sums, seeing, rules);
}

}  // namespace vantage::carving
#endif
