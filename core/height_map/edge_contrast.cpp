#include "core/height_map/edge_contrast.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace vantage::height_map {
namespace {

constexpr float kFlat = 8, kSmooth_px = 0.6f;

std::vector<float> gaussian() {
  const int reach = static_cast<int>(std::ceil(3 * kSmooth_px));
  std::vector<float> weights;
  float sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    weights.push_back(std::exp(-0.5f * static_cast<float>(i * i) / (kSmooth_px * kSmooth_px)));
    sum += weights.back();
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

// A row of the smoothed picture; the border pixel is repeated. `column` holds a pixel more on either side.
void smooth_row(const ImageView<const uint8_t>& luma, const std::vector<float>& weights, int y,
                std::vector<float>& column, float* to) {
  const int reach = static_cast<int>(weights.size()) / 2, width = luma.width;
  float* const middle = column.data() + reach;
  std::fill_n(middle, width, 0.0f);
  for (int i = -reach; i <= reach; ++i) {
    const uint8_t* const row = luma.row(std::clamp(y + i, 0, luma.height - 1));
    const float weight = weights[static_cast<size_t>(i + reach)];
    for (int x = 0; x < width; ++x) middle[x] += weight * static_cast<float>(row[x]);
  }
  for (int i = 1; i <= reach; ++i) middle[-i] = middle[0], middle[width - 1 + i] = middle[width - 1];
  std::fill_n(to, width, 0.0f);
  for (int i = -reach; i <= reach; ++i) {
    const float weight = weights[static_cast<size_t>(i + reach)];
    for (int x = 0; x < width; ++x) to[x] += weight * middle[x + i];
  }
}

void contrast_row(const ImageView<const float>& smooth, int y, float* to) {
  const int last = smooth.width - 1;
  const float* const row = smooth.row(y);
  const float *above = smooth.row(std::max(0, y - 1)),
              *below = smooth.row(std::min(smooth.height - 1, y + 1));
  const auto set = [&](int x, int left, int right) {
    const float gx = 0.5f * (row[right] - row[left]), gy = 0.5f * (below[x] - above[x]);
    const float share = 1 / (std::sqrt(gx * gx + gy * gy) + kFlat);
    to[2 * x] = share * gx, to[2 * x + 1] = share * gy;
  };
  set(0, 0, std::min(1, last));
  for (int x = 1; x < last; ++x) set(x, x - 1, x + 1);
  set(last, std::max(0, last - 1), last);
}

}  // namespace

Result<Image> edge_contrast(const ImageView<const uint8_t>& luma) {
  VANTAGE_ASSIGN(Image smooth, Image::make(ImageType::f32, luma.width, luma.height, HostPool::shared()));
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::f32, 2 * luma.width, luma.height, HostPool::shared()));
  const std::vector<float> weights = gaussian();
  const ImageView<float> from = smooth.writable_view<float>(), to = image.writable_view<float>();
  const tbb::blocked_range<int> all(0, luma.height);
  tbb::parallel_for(all, [&](const tbb::blocked_range<int>& rows) {
    std::vector<float> column(static_cast<size_t>(luma.width) + weights.size());
    for (int y = rows.begin(); y < rows.end(); ++y) smooth_row(luma, weights, y, column, from.row(y));
  });
  tbb::parallel_for(all, [&](const tbb::blocked_range<int>& rows) {
    for (int y = rows.begin(); y < rows.end(); ++y) contrast_row(from, y, to.row(y));
  });
  return image;
}

}  // namespace vantage::height_map
