#include "core/height_map/detail/edge_contrast.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace vantage::height_map {
namespace {

constexpr float kFlat = 8, kSmooth_px = 0.6f;
constexpr int kAround_px = 2;

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

// Gradients of the smoothed picture: two a pixel into `to`, their length into `lengths`.
void gradient_row(const ImageView<const float>& smooth, int y, float* to, float* lengths) {
  const int last = smooth.width - 1;
  const float* const row = smooth.row(y);
  const float *above = smooth.row(std::max(0, y - 1)),
              *below = smooth.row(std::min(smooth.height - 1, y + 1));
  const auto set = [&](int x, int left, int right) {
    const float gx = 0.5f * (row[right] - row[left]), gy = 0.5f * (below[x] - above[x]);
    to[2 * x] = gx, to[2 * x + 1] = gy;
    lengths[x] = std::sqrt(gx * gx + gy * gy);
  };
  set(0, 0, std::min(1, last));
  for (int x = 1; x < last; ++x) set(x, x - 1, x + 1);
  set(last, std::max(0, last - 1), last);
}

// Divides the gradients of a row by the most within kAround_px. `column` holds kAround_px more on either
// side.
void divide_row(const ImageView<const float>& lengths, int y, std::vector<float>& column, float* gradients) {
  const int width = lengths.width;
  float* const middle = column.data() + kAround_px;
  std::ranges::fill(column, 0.0f);
  for (int at = std::max(0, y - kAround_px); at <= std::min(lengths.height - 1, y + kAround_px); ++at) {
    const float* const row = lengths.row(at);
    for (int x = 0; x < width; ++x) middle[x] = std::max(middle[x], row[x]);
  }
  for (int x = 0; x < width; ++x) {
    float max = middle[x - kAround_px];
    for (int i = 1 - kAround_px; i <= kAround_px; ++i) max = std::max(max, middle[x + i]);
    const float share = 1 / (max + kFlat);
    gradients[2 * x] *= share, gradients[2 * x + 1] *= share;
  }
}

}  // namespace

Result<Image> edge_contrast(const ImageView<const uint8_t>& luma) {
  HostPool& pool = HostPool::shared();
  VANTAGE_ASSIGN(Image smooth, Image::make(ImageType::f32, luma.width, luma.height, pool));
  VANTAGE_ASSIGN(Image lengths, Image::make(ImageType::f32, luma.width, luma.height, pool));
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::f32, 2 * luma.width, luma.height, pool));
  const std::vector<float> weights = gaussian();
  const ImageView<float> smoothed = smooth.writable_view<float>(), length = lengths.writable_view<float>(),
                         to = image.writable_view<float>();
  const auto for_rows = [&](const auto& work) {
    tbb::parallel_for(tbb::blocked_range<int>(0, luma.height), work);
  };
  for_rows([&](const tbb::blocked_range<int>& rows) {
    std::vector<float> column(static_cast<size_t>(luma.width) + weights.size());
    for (int y = rows.begin(); y < rows.end(); ++y) smooth_row(luma, weights, y, column, smoothed.row(y));
  });
  for_rows([&](const tbb::blocked_range<int>& rows) {
    for (int y = rows.begin(); y < rows.end(); ++y) gradient_row(smoothed, y, to.row(y), length.row(y));
  });
  for_rows([&](const tbb::blocked_range<int>& rows) {
    std::vector<float> column(static_cast<size_t>(luma.width + 2 * kAround_px));
    for (int y = rows.begin(); y < rows.end(); ++y) divide_row(length, y, column, to.row(y));
  });
  return image;
}

}  // namespace vantage::height_map
