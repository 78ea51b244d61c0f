#include "core/height_map/foreground_share.h"

#include <algorithm>
#include <cmath>

#include "core/image/grown.h"
#include "core/primitives/integral_image.h"

namespace vantage::height_map {
namespace {

constexpr float kWhole = 255;  // what a pixel of foreground adds

}  // namespace

Result<ForegroundShare> ForegroundShare::make(const ImageView<const uint8_t>& mask) {
  HostPool& pool = HostPool::shared();
  VANTAGE_ASSIGN(const Image larger, grown(mask, 1, pool));
  ForegroundShare share;
  VANTAGE_ASSIGN(share.sums_, Image::make(ImageType::u32, mask.width + 1, mask.height + 1, pool));
  VANTAGE_TRY(integral_image_cpu(larger.view<uint8_t>(), share.sums_.writable_view<uint32_t>(),
                                 IntegralKind::exclusive));
  return share;
}

float ForegroundShare::around(float x, float y, float reach_x, float reach_y) const {
  if (!known()) return 1;
  const ImageView<const uint32_t> sums = sums_.view<uint32_t>();
  const auto edge = [](float at, int size) {
    return static_cast<int>(std::clamp(std::ceil(at), 0.0f, static_cast<float>(size)));
  };
  const int left = edge(x - reach_x, sums.width - 1), right = edge(x + reach_x, sums.width - 1);
  const int top = edge(y - reach_y, sums.height - 1), bottom = edge(y + reach_y, sums.height - 1);
  const int pixels = (right - left) * (bottom - top);
  if (pixels <= 0) return 1;
  const uint32_t sum =
      sums.at(right, bottom) - sums.at(left, bottom) - sums.at(right, top) + sums.at(left, top);
  return static_cast<float>(sum) / (kWhole * static_cast<float>(pixels));
}

void ForegroundShare::around_pixels(int x, int y, float reach_x, float reach_y,
                                    std::span<float> shares) const {
  const auto edge = [](float offset) { return static_cast<int>(std::ceil(offset)); };
  const int left = edge(-reach_x), right = edge(reach_x), top = edge(-reach_y), bottom = edge(reach_y);
  const int pixels = (right - left) * (bottom - top);
  if (!known() || pixels <= 0) {
    std::ranges::fill(shares, 1.0f);
    return;
  }
  const ImageView<const uint32_t> sums = sums_.view<uint32_t>();
  const uint32_t *above = sums.row(y + top) + x, *below = sums.row(y + bottom) + x;
  const float scale = 1 / (kWhole * static_cast<float>(pixels));
  for (int i = 0; i < static_cast<int>(shares.size()); ++i) {
    const uint32_t sum = below[i + right] - below[i + left] - above[i + right] + above[i + left];
    shares[static_cast<size_t>(i)] = scale * static_cast<float>(static_cast<int>(sum));
  }
}

}  // namespace vantage::height_map
