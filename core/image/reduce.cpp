#include "core/image/reduce.h"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace vantage {
namespace {

template <typename F>
Result<Image> reduced(const ImageView<const uint8_t>& from, int factor, BufferPool& pool, const F& combine) {
  const auto size = [factor](int pixels) { return (pixels + factor - 1) / factor; };
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, size(from.width), size(from.height), pool));
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  tbb::parallel_for(0, out.height, [&](int y) {
    const int below = std::min(from.height, (y + 1) * factor);
    for (int x = 0; x < out.width; ++x) {
      const int right = std::min(from.width, (x + 1) * factor);
      int sum = 0;
      for (int py = y * factor; py < below; ++py)
        for (int px = x * factor; px < right; ++px) sum += from.at(px, py);
      out.at(x, y) = combine(sum, (right - x * factor) * (below - y * factor));
    }
  });
  return image;
}

}  // namespace

Result<Image> reduced_mean(const ImageView<const uint8_t>& from, int factor, BufferPool& pool) {
  return reduced(from, factor, pool,
                 [](int sum, int count) { return static_cast<uint8_t>((sum + count / 2) / count); });
}

Result<Image> reduced_any(const ImageView<const uint8_t>& from, int factor, BufferPool& pool) {
  return reduced(from, factor, pool, [](int sum, int) { return static_cast<uint8_t>(sum > 0 ? 255 : 0); });
}

}  // namespace vantage
