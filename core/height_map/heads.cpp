#include "core/height_map/heads.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/quantile.h"
#include "core/image/picture.h"
#include "core/primitives/integral_image.h"

namespace vantage {
namespace {

constexpr double kHeadRadius_m = 0.14;
constexpr double kHeadDepth_m = 0.25;

struct Sample {
  double x_m, y_m, height_m, area_m2;
  int x, y;
  bool taken = false;
};

// Pixels of one region, found by flooding.
class Regions {
 public:
  Regions(const ImageView<const uint8_t>& labels, const HeightLabels& scale, double step_m)
      : labels_(labels),
        scale_(scale),
        step_(static_cast<int>(step_m / scale.step_m + 1e-6)),
        seen_(static_cast<size_t>(labels.width) * static_cast<size_t>(labels.height)) {}

  // The region of (x, y), empty when it was given before or there is no head.
  std::vector<std::pair<int, int>> flood(int x, int y) {
    std::vector<std::pair<int, int>> region;
    if (!enter(x, y)) return region;
    region.emplace_back(x, y);
    for (size_t i = 0; i < region.size(); ++i) {
      const auto [px, py] = region[i];
      for (const auto& [dx, dy] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}}) {
        const int qx = px + dx, qy = py + dy;
        if (qx < 0 || qy < 0 || qx >= labels_.width || qy >= labels_.height) continue;
        if (std::abs(int{labels_.at(qx, qy)} - int{labels_.at(px, py)}) <= step_ && enter(qx, qy))
          region.emplace_back(qx, qy);
      }
    }
    return region;
  }

 private:
  bool enter(int x, int y) {
    const size_t at = static_cast<size_t>(y) * static_cast<size_t>(labels_.width) + static_cast<size_t>(x);
    if (labels_.at(x, y) == scale_.no_head() || seen_[at]) return false;
    seen_[at] = true;
    return true;
  }

  const ImageView<const uint8_t>& labels_;
  const HeightLabels& scale_;
  const int step_;
  std::vector<bool> seen_;
};

class HeadFinder {
 public:
  HeadFinder(const HeightMap& map, const ImageView<const uint8_t>& labels,
             const ImageView<const float>& slopes, const double* center,
             const HeightMapParameters& parameters)
      : scale_(map.scale), labels_(labels), slopes_(slopes), center_(center), parameters_(parameters) {}

  void add_region(const std::vector<std::pair<int, int>>& pixels, std::vector<HeightMapHead>& heads) const {
    std::vector<Sample> samples;
    for (const auto& [x, y] : pixels) samples.push_back(sample(x, y));
    std::stable_sort(samples.begin(), samples.end(),
                     [](const Sample& a, const Sample& b) { return a.height_m > b.height_m; });
    for (Sample& top : samples) {
      if (top.taken) continue;
      HeightMapHead head;
      head.x_m = top.x_m, head.y_m = top.y_m, head.height_m = top.height_m;
      for (int round = 0; round < 3; ++round) settle(samples, top.height_m, head);
      const bool large = head.area_m2 >= parameters_.head_area_m2;
      const double reach = large ? parameters_.head_distance_m : kHeadRadius_m;
      for (Sample& s : samples)
        if (std::hypot(s.x_m - head.x_m, s.y_m - head.y_m) <= reach) s.taken = true;
      top.taken = true;
      head.z_m = head.height_m - kHeadMiddle_m;
      if (large) heads.push_back(head);
    }
  }

 private:
  Sample sample(int x, int y) const {
    const double height = scale_.height_m(labels_.at(x, y)), down = height - center_[2];
    const auto slope = [&](int px, int py, int i) { return static_cast<double>(slopes_.at(2 * px + i, py)); };
    // The pixel's share of the horizontal plane, from its neighbours' slopes, turned towards the camera.
    const int left = std::max(x - 1, 0), right = std::min(x + 1, labels_.width - 1);
    const int above = std::max(y - 1, 0), below = std::min(y + 1, labels_.height - 1);
    const double ux = (slope(right, y, 0) - slope(left, y, 0)) / std::max(1, right - left);
    const double uy = (slope(right, y, 1) - slope(left, y, 1)) / std::max(1, right - left);
    const double vx = (slope(x, below, 0) - slope(x, above, 0)) / std::max(1, below - above);
    const double vy = (slope(x, below, 1) - slope(x, above, 1)) / std::max(1, below - above);
    const double sx = slope(x, y, 0), sy = slope(x, y, 1);
    const double flat = std::abs(ux * vy - uy * vx) * down * down;
    const double area = std::isfinite(flat) ? flat / std::sqrt(1 + sx * sx + sy * sy) : 0.0;
    return {center_[0] + down * sx, center_[1] + down * sy, height, area, x, y};
  }

  static void settle(const std::vector<Sample>& samples, double top_m, HeightMapHead& head) {
    double x = 0, y = 0, px = 0, py = 0, area = 0;
    std::vector<double> heights;
    for (const Sample& s : samples) {
      if (s.taken || s.height_m < top_m - kHeadDepth_m) continue;
      if (std::hypot(s.x_m - head.x_m, s.y_m - head.y_m) > kHeadRadius_m) continue;
      x += s.area_m2 * s.x_m, y += s.area_m2 * s.y_m;
      px += s.x, py += s.y;
      area += s.area_m2;
      heights.push_back(s.height_m);
    }
    if (heights.empty() || !(area > 0)) return;
    const double count = static_cast<double>(heights.size());
    head.x_m = x / area, head.y_m = y / area;
    head.height_m = quantile(std::move(heights), 0.9);
    head.x_px = px / count, head.y_px = py / count;
    head.area_m2 = area;
    head.pixels = static_cast<int>(heights.size());
  }

  const HeightLabels& scale_;
  const ImageView<const uint8_t>& labels_;
  const ImageView<const float>& slopes_;
  const double* const center_;
  const HeightMapParameters& parameters_;
};

}  // namespace

std::vector<HeightMapHead> find_heads(const HeightMap& map, const ImageView<const uint8_t>& labels,
                                      const ImageView<const float>& slopes, const double* center_in_world_m,
                                      const HeightMapParameters& parameters) {
  const HeadFinder finder(map, labels, slopes, center_in_world_m, parameters);
  Regions regions(labels, map.scale, parameters.head_step_m);
  std::vector<HeightMapHead> found;
  for (int y = 0; y < labels.height; ++y)
    for (int x = 0; x < labels.width; ++x)
      if (const auto region = regions.flood(x, y); !region.empty()) finder.add_region(region, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const HeightMapHead& a, const HeightMapHead& b) { return a.area_m2 > b.area_m2; });
  std::vector<HeightMapHead> heads;
  for (const HeightMapHead& head : found) {
    const bool apart = std::all_of(heads.begin(), heads.end(), [&](const HeightMapHead& other) {
      return std::hypot(head.x_m - other.x_m, head.y_m - other.y_m) > parameters.head_distance_m;
    });
    if (apart) heads.push_back(head);
  }
  return heads;
}

}  // namespace vantage

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
    shares[i] = scale * static_cast<float>(static_cast<int>(sum));
  }
}

}  // namespace vantage::height_map
