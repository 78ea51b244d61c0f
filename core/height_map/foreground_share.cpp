#include "core/height_map/foreground_share.h"

#include <algorithm>
#include <cmath>

#include "core/image/grown.h"
#include "core/primitives/integral_image.h"

namespace vantage::height_map {

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
  if (!sums_) return 1;
  const ImageView<const uint32_t> sums = sums_.view<uint32_t>();
  const auto edge = [](float at, int size) {
    return static_cast<int>(std::clamp(std::ceil(at), 0.0f, static_cast<float>(size)));
  };
  const int left = edge(x - reach_x, sums.width - 1), right = edge(x + reach_x, sums.width - 1);
  const int top = edge(y - reach_y, sums.height - 1), bottom = edge(y + reach_y, sums.height - 1);
  const int pixels = (right - left) * (bottom - top);
  if (pixels <= 0) return 1;
  constexpr float kWhole = 255;
  const uint32_t sum =
      sums.at(right, bottom) - sums.at(left, bottom) - sums.at(right, top) + sums.at(left, top);
  return static_cast<float>(sum) / (kWhole * static_cast<float>(pixels));
}

}  // namespace vantage::height_map
