#include "core/metrics/masks/mask_painting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/geometry/ignored_region.h"

namespace vantage {
namespace {

constexpr double kMinRadius_px = 0.5;

uint8_t value_of(Paint paint) {
  return paint == Paint::add ? kInMask : uint8_t{0};
}

struct PixelAt {
  int x = 0, y = 0;
};

// The pixel there; outside the picture where it has none.
PixelAt pixel_at(const Eigen::Vector2d& at_px) {
  return {static_cast<int>(std::lround(std::clamp(at_px.x(), -1e6, 1e6))),
          static_cast<int>(std::lround(std::clamp(at_px.y(), -1e6, 1e6)))};
}

bool is_within(const ImageView<uint8_t>& mask, const PixelAt& at) {
  return at.x >= 0 && at.y >= 0 && at.x < mask.width && at.y < mask.height;
}

// Whole pixels from the first centre at or above `low` to the last at or below `high`, within 0 to size - 1.
std::pair<int, int> centres_between(double low, double high, int size) {
  return {static_cast<int>(std::ceil(std::clamp(low, 0.0, static_cast<double>(size)))),
          static_cast<int>(std::floor(std::clamp(high, -1.0, static_cast<double>(size - 1))))};
}

// Every pixel that `takes` connects to the first by its sides. `takes` may be called repeatedly, and must
// return false for pixels that were `put`.
template <typename Takes, typename Put>
int64_t flood(PixelAt first, const Takes& takes, const Put& put) {
  std::vector<PixelAt> open = {first};
  int64_t pixels = 0;
  while (!open.empty()) {
    const PixelAt at = open.back();
    open.pop_back();
    if (!takes(at)) continue;
    put(at);
    ++pixels;
    for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)})
      open.push_back({at.x + dx, at.y + dy});
  }
  return pixels;
}

std::array<double, 3> mean_color(const ImageView<const uint8_t>& rgb, const PixelAt& at) {
  std::array<double, 3> sum{};
  int count = 0;
  for (int y = std::max(0, at.y - 1); y <= std::min(rgb.height - 1, at.y + 1); ++y)
    for (int x = std::max(0, at.x - 1); x <= std::min(rgb.width / 3 - 1, at.x + 1); ++x, ++count)
      for (size_t c = 0; c < 3; ++c) sum[c] += rgb.row(y)[3 * x + static_cast<int>(c)];
  for (double& one : sum) one /= count;
  return sum;
}

}  // namespace

Result<Image> empty_mask(int width, int height, BufferPool& pool) {
  VANTAGE_ASSIGN(Image mask, Image::make(ImageType::u8, width, height, pool));
  const ImageView<uint8_t> rows = mask.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y) std::memset(rows.row(y), 0, static_cast<size_t>(width));
  return mask;
}

Result<Image> mask_of(const ImageView<const uint8_t>& gray, BufferPool& pool) {
  VANTAGE_ASSIGN(Image mask, Image::make(ImageType::u8, gray.width, gray.height, pool));
  const ImageView<uint8_t> rows = mask.writable_view<uint8_t>();
  for (int y = 0; y < gray.height; ++y)
    std::transform(gray.row(y), gray.row(y) + gray.width, rows.row(y),
                   [](uint8_t level) { return level > kMaskThreshold ? kInMask : uint8_t{0}; });
  return mask;
}

void paint_stroke(const ImageView<uint8_t>& mask, const Eigen::Vector2d& from_px,
                  const Eigen::Vector2d& to_px, double radius_px, Paint paint) {
  const double radius = std::max(radius_px, kMinRadius_px);
  const Eigen::Vector2d along = to_px - from_px;
  const double length2 = along.squaredNorm();
  const uint8_t value = value_of(paint);
  const auto [top, bottom] = centres_between(std::min(from_px.y(), to_px.y()) - radius,
                                             std::max(from_px.y(), to_px.y()) + radius, mask.height);
  const auto [left, right] = centres_between(std::min(from_px.x(), to_px.x()) - radius,
                                             std::max(from_px.x(), to_px.x()) + radius, mask.width);
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      const Eigen::Vector2d here = Eigen::Vector2d(x, y) - from_px;
      const double share = length2 > 0 ? std::clamp(here.dot(along) / length2, 0.0, 1.0) : 0;
      if ((here - share * along).squaredNorm() <= radius * radius) mask.row(y)[x] = value;
    }
}

void paint_polygon(const ImageView<uint8_t>& mask, std::span<const Eigen::Vector2d> corners_px, Paint paint) {
  for_rows_in_polygon(corners_px, mask.width, mask.height, [&](int y, int left, int right) {
    std::fill(mask.row(y) + left, mask.row(y) + right + 1, value_of(paint));
  });
}

int64_t fill_area(const ImageView<uint8_t>& mask, const Eigen::Vector2d& at_px, Paint paint) {
  const PixelAt first = pixel_at(at_px);
  const uint8_t value = value_of(paint);
  return flood(
      first, [&](const PixelAt& at) { return is_within(mask, at) && mask.row(at.y)[at.x] != value; },
      [&](const PixelAt& at) { mask.row(at.y)[at.x] = value; });
}

int64_t grow_by_color(const ImageView<uint8_t>& mask, const ImageView<const uint8_t>& rgb,
                      const Eigen::Vector2d& at_px, double tolerance, int reach_px, Paint paint) {
  const PixelAt first = pixel_at(at_px);
  if (!is_within(mask, first) || rgb.width != 3 * mask.width || rgb.height != mask.height) return 0;
  const std::array<double, 3> wanted = mean_color(rgb, first);
  const uint8_t value = value_of(paint);
  std::vector<bool> seen(static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height));
  const auto index = [&](const PixelAt& at) {
    return static_cast<size_t>(at.y) * static_cast<size_t>(mask.width) + static_cast<size_t>(at.x);
  };
  const auto takes = [&](const PixelAt& at) {
    if (!is_within(mask, at) || std::abs(at.x - first.x) > reach_px || std::abs(at.y - first.y) > reach_px ||
        seen[index(at)])
      return false;
    double distance2 = 0;
    for (int c = 0; c < 3; ++c) {
      const double difference = rgb.row(at.y)[3 * at.x + c] - wanted[c];
      distance2 += difference * difference;
    }
    return distance2 <= tolerance * tolerance;
  };
  return flood(first, takes, [&](const PixelAt& at) {
    seen[index(at)] = true;
    mask.row(at.y)[at.x] = value;
  });
}

}  // namespace vantage
