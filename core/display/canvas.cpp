#include "core/display/canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

constexpr MarkColor kLabelGround = {0, 0, 0};
constexpr double kFarthest_px = 100'000;  // lines that reach farther are no lines of this picture

}  // namespace

Result<Canvas> Canvas::make(int width_px, int height_px, const MarkColor& ground, Font& font) {
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, 3 * width_px, height_px, HostPool::shared()));
  Canvas canvas(std::move(image), font);
  canvas.fill(canvas.whole(), ground);
  return canvas;
}

void Canvas::put(int x, int y, const MarkColor& color, double cover) {
  if (x < clip_.left || y < clip_.top || x >= clip_.right || y >= clip_.bottom || cover <= 0) return;
  uint8_t* pixel = image_.writable_view<uint8_t>().row(y) + 3 * x;
  const double share = std::min(1.0, cover);
  for (int c = 0; c < 3; ++c)
    pixel[c] = static_cast<uint8_t>((1 - share) * pixel[c] + share * color[static_cast<size_t>(c)] + 0.5);
}

void Canvas::fill(const PixelArea& area, const MarkColor& color) {
  for (int y = std::max(area.top, clip_.top); y < std::min(area.bottom, clip_.bottom); ++y)
    for (int x = std::max(area.left, clip_.left); x < std::min(area.right, clip_.right); ++x)
      put(x, y, color);
}

// Row by row, only where the line comes near.
void Canvas::segment(const Eigen::Vector2d& from_px, const Eigen::Vector2d& to_px, double width_px,
                     const MarkColor& color) {
  const double reach = width_px / 2 + 0.5;
  const Eigen::Vector2d along = to_px - from_px;
  const double squared = along.squaredNorm();
  const auto first = static_cast<int>(std::floor(std::min(from_px.y(), to_px.y()) - reach));
  const auto last = static_cast<int>(std::ceil(std::max(from_px.y(), to_px.y()) + reach));
  for (int y = std::max(first, clip_.top); y <= std::min(last, clip_.bottom - 1); ++y) {
    double low = std::min(from_px.x(), to_px.x()), high = std::max(from_px.x(), to_px.x());
    if (std::abs(along.y()) > 1e-9) {
      const double slope = along.x() / along.y(), slack = std::hypot(reach, reach * slope) + 1;
      const double middle = from_px.x() + (y - from_px.y()) * slope;
      low = std::max(low, middle - slack), high = std::min(high, middle + slack);
    }
    const int begin = std::max(clip_.left, static_cast<int>(std::floor(low - reach)));
    const int end = std::min(clip_.right - 1, static_cast<int>(std::ceil(high + reach)));
    for (int x = begin; x <= end; ++x) {
      const Eigen::Vector2d at(x, y);
      const double t = squared > 0 ? std::clamp((at - from_px).dot(along) / squared, 0.0, 1.0) : 0;
      put(x, y, color, reach - (at - from_px - t * along).norm());
    }
  }
}

void Canvas::polyline(std::span<const Eigen::Vector2d> points_px, double width_px, const MarkColor& color) {
  for (const Eigen::Vector2d& point : points_px)
    if (!point.allFinite() || point.norm() > kFarthest_px) return;
  for (size_t i = 1; i < points_px.size(); ++i) segment(points_px[i - 1], points_px[i], width_px, color);
}

void Canvas::text(const std::string& text, int left, int base, int height_px, const MarkColor& color) {
  font_->draw(text, left, base, height_px, [&](int x, int y, int cover) { put(x, y, color, cover / 255.0); });
}

void Canvas::label(const std::string& text, int left, int top, int height_px) {
  const int width = font_->width_px(text, height_px) + height_px / 2;
  fill({left, top, left + width, top + height_px + height_px / 3}, kLabelGround);
  this->text(text, left + height_px / 4, top + height_px + height_px / 24, height_px, kMarkWhite);
}

}  // namespace vantage
