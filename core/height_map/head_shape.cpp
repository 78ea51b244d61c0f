#include "core/height_map/head_shape.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/image/picture.h"

namespace vantage::height_map {
namespace {

// Edges of a picture for outline_search.h. Host memory.

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
    const float weight = weights[i + reach];
    for (int x = 0; x < width; ++x) middle[x] += weight * static_cast<float>(row[x]);
  }
  for (int i = 1; i <= reach; ++i) middle[-i] = middle[0], middle[width - 1 + i] = middle[width - 1];
  std::fill_n(to, width, 0.0f);
  for (int i = -reach; i <= reach; ++i) {
    const float weight = weights[i + reach];
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

// f32, two a pixel: g / (m + 8), g the gradient, in grey levels a pixel, of the picture smoothed by a
// Gaussian of 0.6 pixels (the border's pixels are repeated), m the length of the strongest one at most 2
// pixels away in x and y. On the middle of an edge it has a length near 1, whatever the edge's strength, and
// less next to it.
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

}  // namespace

}  // namespace vantage::height_map

namespace vantage {
namespace {

using height_map::EdgeView;
using height_map::HeadEllipsoid;
using height_map::kElongation;
using height_map::kTall;

constexpr double kRim = 1.3;
// How much too small outlines come out, their tops where they belong: edges within a head pull them inwards.
// Measured on rendered heads of 13 and 20 pixels (resources/docs/performance.md).
constexpr double kInset_m = 0.005;

std::array<double, 3> center_in_world_m(const PinholeCamera<double>& camera) {
  const double *r = camera.rotation_cam_from_world, *t = camera.translation_cam_from_world_m;
  std::array<double, 3> center;
  for (size_t i = 0; i < 3; ++i) center[i] = -(r[i] * t[0] + r[3 + i] * t[1] + r[6 + i] * t[2]);
  return center;
}

Result<EdgeView> edges_of(const OutlineView& from) {
  for (const ImageView<const uint8_t>& image : {from.luma, from.foreground})
    if (image.data && (image.width != from.camera.width_px || image.height != from.camera.height_px))
      return fail(ErrorKind::invalid_argument, "a picture or mask has another size than its calibration",
                  "height map");
  EdgeView view{cast_camera<float>(from.camera), {}, {}, {}};
  std::ranges::transform(center_in_world_m(from.camera), view.eye_m,
                         [](double v) { return static_cast<float>(v); });
  VANTAGE_ASSIGN(view.contrast, height_map::edge_contrast(from.luma));
  if (from.foreground.data) {
    VANTAGE_ASSIGN(view.foreground, height_map::ForegroundShare::make(from.foreground));
  }
  return view;
}

HeightMapHead fitted_head(HeightMapHead head, std::span<const EdgeView> views) {
  const float seed_z = static_cast<float>(head.height_m) - kTall * height_map::kSeedRadius_m;
  const HeadEllipsoid shape = height_map::search_outline(
      views, {static_cast<float>(head.x_m), static_cast<float>(head.y_m), seed_z, height_map::kSeedRadius_m});
  head.x_m = static_cast<double>(shape.x), head.y_m = static_cast<double>(shape.y);
  head.z_m = static_cast<double>(shape.z) - static_cast<double>(kTall) * kInset_m;
  head.height_m = static_cast<double>(shape.z + kTall * shape.radius);
  head.yaw_rad = static_cast<double>(shape.yaw);
  head.radius_m = static_cast<double>(shape.radius) + kInset_m;
  head.outline = static_cast<double>(height_map::outline_agreement(views, shape));
  return head;
}

}  // namespace

Result<HeadOutlines> HeadOutlines::make(std::span<const OutlineView> views) {
  std::vector<Result<EdgeView>> made(views.size());
  tbb::parallel_for(size_t{0}, views.size(), [&](size_t i) {
    if (views[i].luma.data) made[i] = edges_of(views[i]);
  });
  HeadOutlines outlines;
  for (size_t i = 0; i < views.size(); ++i) {
    if (!views[i].luma.data) continue;
    if (!made[i]) return fail(std::move(made[i]).error());
    outlines.views_.push_back(std::move(*made[i]));
  }
  return outlines;
}

std::vector<HeightMapHead> HeadOutlines::fit(const std::vector<HeightMapHead>& heads,
                                             const HeightMapParameters& parameters) const {
  std::vector<HeightMapHead> fitted(heads.size());
  tbb::parallel_for(size_t{0}, heads.size(), [&](size_t i) { fitted[i] = fitted_head(heads[i], views_); });
  std::erase_if(fitted, [&](const HeightMapHead& head) {
    return head.outline < std::max(1e-3, parameters.min_outline);  // 0: not seen by two views
  });
  const auto rank = [](const HeightMapHead& head) {
    return head.outline + static_cast<double>(height_map::kHigher) * head.height_m;
  };
  std::stable_sort(fitted.begin(), fitted.end(),
                   [&](const HeightMapHead& a, const HeightMapHead& b) { return rank(a) > rank(b); });
  std::vector<HeightMapHead> apart;
  for (const HeightMapHead& head : fitted)
    if (std::none_of(apart.begin(), apart.end(), [&](const HeightMapHead& other) {
          return std::hypot(head.x_m - other.x_m, head.y_m - other.y_m) < parameters.head_distance_m;
        }))
      apart.push_back(head);
  return apart;
}

namespace {

// A fitted head as one camera sees it.
class OutlinedHead {
 public:
  OutlinedHead(const HeightMapHead& head, const PinholeCamera<double>& camera)
      : rounding_({0, 0, 0, 1, static_cast<float>(head.yaw_rad), kElongation}),
        radius_m_(head.radius_m),
        eye_m_(center_in_world_m(camera)),
        from_(rounded(eye_m_[0] - head.x_m, eye_m_[1] - head.y_m, eye_m_[2] - head.z_m)) {
    const HeadEllipsoid rim{static_cast<float>(head.x_m),     static_cast<float>(head.y_m),
                            static_cast<float>(head.z_m),     static_cast<float>(kRim * head.radius_m),
                            static_cast<float>(head.yaw_rad), kElongation};
    const float eye_m[3] = {static_cast<float>(eye_m_[0]), static_cast<float>(eye_m_[1]),
                            static_cast<float>(eye_m_[2])};
    height_map::OutlineEllipse outline;
    if (!height_map::outline_of(cast_camera<float>(camera), eye_m, rim, outline)) return;
    constexpr float kMargin_px = 2;  // outline_of() is exact to less
    const float rx = outline.reach_x() + kMargin_px, ry = outline.reach_y() + kMargin_px;
    const auto within = [](float at, int size) {
      return static_cast<int>(std::clamp(at, 0.0f, static_cast<float>(size)));
    };
    left = within(outline.x - rx, camera.width_px), right = within(outline.x + rx + 1, camera.width_px);
    top = within(outline.y - ry, camera.height_px), bottom = within(outline.y + ry + 1, camera.height_px);
  }

  // Pixels around it; right and bottom are not of them.
  int left = 0, top = 0, right = 0, bottom = 0;

  // The height at which a pixel's ray enters the ellipsoid, or, outside it by no more than kRim, passes it
  // closest; NaN: neither.
  double surface_height_m(double slope_x, double slope_y) const {
    const std::array<double, 3> along = rounded(slope_x, slope_y, 1);
    const double a = dot(along, along), b = dot(along, from_), c = dot(from_, from_);
    const double closest = c - b * b / a;  // squared, in radii
    if (!(closest < kRim * kRim)) return std::numeric_limits<double>::quiet_NaN();
    // The camera looks down: what it meets first is the highest.
    return eye_m_[2] + (-b + std::sqrt(std::max(0.0, b * b - a * (c - 1)))) / a;
  }

 private:
  static double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  // In radii.
  std::array<double, 3> rounded(double x, double y, double z) const {
    const auto [rx, ry, rz] = rounding_(static_cast<float>(x / radius_m_), static_cast<float>(y / radius_m_),
                                        static_cast<float>(z / radius_m_));
    return {double{rx}, double{ry}, double{rz}};
  }

  height_map::Rounding rounding_;
  double radius_m_;
  std::array<double, 3> eye_m_, from_;
};

}  // namespace

void draw_shapes(std::span<const HeightMapHead> heads, const PinholeCamera<double>& camera,
                 const ImageView<const float>& slopes, const ImageView<float>& heights_m) {
  std::vector<OutlinedHead> seen;
  for (const HeightMapHead& head : heads) seen.emplace_back(head, camera);
  tbb::parallel_for(0, heights_m.height, [&](int y) {
    std::vector<double> highest;  // of the row; filled when a head reaches it
    for (const OutlinedHead& head : seen) {
      if (y < head.top || y >= head.bottom) continue;
      highest.resize(heights_m.width);
      for (int x = head.left; x < head.right; ++x) {
        const double height = head.surface_height_m(static_cast<double>(slopes.at(2 * x, y)),
                                                    static_cast<double>(slopes.at(2 * x + 1, y)));
        if (double& max = highest[x]; height > max) max = height;
      }
    }
    for (size_t x = 0; x < highest.size(); ++x)
      if (highest[x] > 0) heights_m.row(y)[x] = static_cast<float>(highest[x]);
  });
}

}  // namespace vantage
