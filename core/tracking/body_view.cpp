#include "core/tracking/body_view.h"

#include <algorithm>
#include <cmath>

namespace vantage::people_detail {
namespace {

// Half the width of a body over its height, seen from any side: between the front and the side view of a
// walking adult (R. Drillis, R. Contini, "Body segment parameters", 1966). Fractions of the height.
struct Slice {
  double bottom, top, half_width;
};
constexpr Slice kSlices[] = {{0.00, 0.10, 0.075}, {0.10, 0.25, 0.070}, {0.25, 0.45, 0.075},
                             {0.45, 0.60, 0.095}, {0.60, 0.75, 0.100}, {0.75, 0.85, 0.105},
                             {0.85, 0.90, 0.045}, {0.90, 1.00, 0.048}};

double depth_of(const PinholeCamera<double>& c, double x, double y, double z) {
  const double* r = c.rotation_cam_from_world;
  return r[6] * x + r[7] * y + r[8] * z + c.translation_cam_from_world_m[2];
}

void add_slice(Outline& outline, const ReducedMask& mask, Pixel<double> low, Pixel<double> high,
               double half_width_px) {
  const double scale = 1.0 / mask.step;
  const double top = std::min(low.y, high.y) * scale, bottom = std::max(low.y, high.y) * scale;
  // Far outside a picture lines are left out of the area too; nothing useful is seen of such a body.
  const int first = static_cast<int>(std::floor(std::clamp(top, -1e4, 1e4) + 0.5));
  const int last = static_cast<int>(std::floor(std::clamp(bottom, -1e4, 1e4) + 0.5));
  for (int y = first; y < last; ++y) {
    const double share = bottom > top ? (y - top) / (bottom - top) : 0;
    const Pixel<double>& upper = low.y < high.y ? low : high;
    const Pixel<double>& lower = low.y < high.y ? high : low;
    const double middle = std::clamp((upper.x + share * (lower.x - upper.x)) * scale, -1e4, 1e4);
    const int begin = static_cast<int>(std::floor(middle - half_width_px * scale + 0.5));
    const int end = std::max(begin + 1, static_cast<int>(std::floor(middle + half_width_px * scale + 0.5)));
    outline.area += end - begin;
    if (y < 0 || y >= mask.height) continue;
    const Span span{y, std::clamp(begin, 0, mask.width), std::clamp(end, 0, mask.width)};
    if (span.begin >= span.end) continue;
    outline.inside += span.end - span.begin;
    outline.spans.push_back(span);
  }
}

}  // namespace

ReducedMask reduce_mask(const ImageView<const uint8_t>& mask) {
  ReducedMask reduced;
  if (!mask.data || mask.width <= 0 || mask.height <= 0) return reduced;
  const int step = std::max(1, mask.width / ReducedMask::kWidth_px);
  reduced.step = step;
  reduced.width = mask.width / step, reduced.height = mask.height / step;
  reduced.pixels.resize(static_cast<size_t>(reduced.width) * static_cast<size_t>(reduced.height));
  std::vector<int> counts(static_cast<size_t>(reduced.width));
  for (int y = 0; y < reduced.height; ++y) {
    std::fill(counts.begin(), counts.end(), 0);
    for (int dy = 0; dy < step; ++dy) {
      const uint8_t* from = mask.row(y * step + dy);
      for (int x = 0; x < reduced.width; ++x)
        for (int dx = 0; dx < step; ++dx) counts[static_cast<size_t>(x)] += from[x * step + dx] != 0;
    }
    uint8_t* to = reduced.row(y);
    for (int x = 0; x < reduced.width; ++x)
      to[x] =
          2 * counts[static_cast<size_t>(x)] >= step * step ? ReducedMask::kOwn : ReducedMask::kBackground;
  }
  return reduced;
}

Outline outline_of(const PinholeCamera<double>& camera, const ReducedMask& mask, double x_m, double y_m,
                   double height_m) {
  Outline outline;
  if (mask.pixels.empty()) return outline;
  for (const Slice& slice : kSlices) {
    const double low_m = slice.bottom * height_m, high_m = slice.top * height_m;
    const Pixel<double> low = project(camera, x_m, y_m, low_m), high = project(camera, x_m, y_m, high_m);
    if (!low.in_front || !high.in_front) return {};
    const double depth_m = depth_of(camera, x_m, y_m, 0.5 * (low_m + high_m));
    add_slice(outline, mask, low, high, camera.fx_px * slice.half_width * height_m / depth_m);
  }
  return outline;
}

Cover cover(const ReducedMask& mask, const Outline& outline) {
  Cover cover;
  for (const Span& span : outline.spans) {
    const uint8_t* row = mask.row(span.y);
    for (int x = span.begin; x < span.end; ++x) {
      cover.foreground += row[x] != ReducedMask::kBackground;
      cover.own += row[x] == ReducedMask::kOwn;
    }
  }
  return cover;
}

void mark_explained(ReducedMask& mask, const Outline& outline) {
  for (const Span& span : outline.spans) {
    uint8_t* row = mask.row(span.y);
    for (int x = span.begin; x < span.end; ++x)
      if (row[x] == ReducedMask::kOwn) row[x] = ReducedMask::kExplained;
  }
}

}  // namespace vantage::people_detail
