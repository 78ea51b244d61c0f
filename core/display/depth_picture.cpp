#include "core/display/depth_picture.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/display/shell_points.h"

namespace vantage {
namespace {

constexpr int kSamples = 2;    // along each axis of a pixel
constexpr int kBandRows = 32;  // pixels; a thread draws one at a time
constexpr double kSmallestBall_px = 1.5, kFlatBall_px = 3, kFlatLight = 0.9;
constexpr double kFarthestBall_px = 1e6;

// The part of a line in front of the eye; nothing: all of it is behind.
std::optional<std::pair<Eigen::Vector3d, Eigen::Vector3d>> before_the_eye(const SceneProjection& view,
                                                                          Eigen::Vector3d a,
                                                                          Eigen::Vector3d b) {
  const bool a_seen = view.visible(a), b_seen = view.visible(b);
  if (!a_seen && !b_seen) return std::nullopt;
  if (a_seen && b_seen) return std::pair(a, b);
  const double share = (SceneProjection::kNearest_m - a.z()) / (b.z() - a.z());
  Eigen::Vector3d cut = a + share * (b - a);
  cut.z() = SceneProjection::kNearest_m;
  return a_seen ? std::pair(a, cut) : std::pair(cut, b);
}

// Red, green, blue and opacity between the cells' middles, colours weighted by opacity.
Eigen::Vector4d sampled(const FloorPicture& picture, double u, double v) {
  const double x = u * picture.nx - 0.5, y = v * picture.ny - 0.5;
  const double left = std::floor(x), top = std::floor(y);
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const int column = std::clamp(static_cast<int>(left) + i, 0, picture.nx - 1);
      const int row = std::clamp(static_cast<int>(top) + j, 0, picture.ny - 1);
      const uint8_t* cell =
          picture.rgba.data() +
          4 * (static_cast<size_t>(row) * static_cast<size_t>(picture.nx) + static_cast<size_t>(column));
      const double share = (i == 0 ? 1 - (x - left) : x - left) * (j == 0 ? 1 - (y - top) : y - top);
      const double opacity = cell[3] / 255.0;
      sum += share * Eigen::Vector4d(opacity * cell[0], opacity * cell[1], opacity * cell[2], opacity);
    }
  return sum;
}

}  // namespace

// Rows of the picture, with their depths.
class DepthPicture::Band {
 public:
  Band(const PixelArea& area, int first_row, int rows, const MarkColor& ground)
      : width_(kSamples * area.width()),
        first_(kSamples * first_row),
        rows_(kSamples * rows),
        colors_(static_cast<size_t>(width_) * static_cast<size_t>(rows_), ground),
        depths_(colors_.size(), std::numeric_limits<double>::infinity()) {}

  // Asks `shape(x, y, color, depth)` to change each sample between the rows and, in a row, between the
  // columns that `columns(y)` returns; in pixels.
  template <typename Columns, typename Shape>
  void draw(double low_y, double high_y, const Columns& columns, const Shape& shape) {
    const auto bound = [](double px, int low, int high) {
      return static_cast<int>(std::clamp(std::floor(kSamples * px), double(low), double(high)));
    };
    const int top = bound(low_y, first_, first_ + rows_), bottom = bound(high_y + 1, first_, first_ + rows_);
    for (int row = top; row < bottom; ++row) {
      const double y = (row + 0.5) / kSamples;
      const auto [low_x, high_x] = columns(y);
      const int left = bound(low_x, 0, width_), right = bound(high_x + 1, 0, width_);
      const size_t before = static_cast<size_t>(row - first_) * static_cast<size_t>(width_);
      for (int column = left; column < right; ++column) {
        const size_t at = before + static_cast<size_t>(column);
        shape((column + 0.5) / kSamples, y, colors_[at], depths_[at]);
      }
    }
  }

  void copy_to(const PixelArea& area, Canvas& canvas) const {
    for (int y = 0; y < rows_ / kSamples; ++y)
      for (int x = 0; x < width_ / kSamples; ++x) {
        std::array<int, 3> sum = {};
        for (int j = 0; j < kSamples; ++j)
          for (int i = 0; i < kSamples; ++i) {
            const MarkColor& color =
                colors_[static_cast<size_t>(kSamples * y + j) * static_cast<size_t>(width_) +
                        static_cast<size_t>(kSamples * x + i)];
            for (size_t c = 0; c < 3; ++c) sum[c] += color[c];
          }
        MarkColor mean;
        constexpr int kCount = kSamples * kSamples;
        for (size_t c = 0; c < 3; ++c) mean[c] = static_cast<uint8_t>((sum[c] + kCount / 2) / kCount);
        canvas.put(area.left + x, area.top + first_ / kSamples + y, mean);
      }
  }

 private:
  const int width_, first_, rows_;  // in samples
  std::vector<MarkColor> colors_;
  std::vector<double> depths_;
};

void DepthPicture::add_lines(std::span<const WorldSegment> lines, const MarkColor& color, double width_px) {
  for (const auto& [from, to] : lines) {
    const auto seen = before_the_eye(view_, view_.in_view_m(from), view_.in_view_m(to));
    if (seen) lines_.push_back({view_.pixel(seen->first), view_.pixel(seen->second), width_px / 2, color});
  }
}

void DepthPicture::add_ball(const Eigen::Vector3d& center_in_world_m, double diameter_m,
                            const MarkColor& color) {
  const Eigen::Vector3d at = view_.in_view_m(center_in_world_m);
  if (!view_.visible(at)) return;
  const SceneProjection::Pixel pixel = view_.pixel(at);
  if (!(pixel.px.cwiseAbs().maxCoeff() < kFarthestBall_px)) return;
  balls_.push_back({pixel.px.x(), pixel.px.y(), std::max(kSmallestBall_px, diameter_m * pixel.px_per_m) / 2,
                    pixel.depth, color});
}

void DepthPicture::draw_line(const Line& line, Band& band) {
  const Eigen::Vector2d along = line.to.px - line.from.px;
  const double squared = along.squaredNorm(), reach = line.reach_px;
  const auto [left, right] = std::minmax(line.from.px.x(), line.to.px.x());
  const auto [top, bottom] = std::minmax(line.from.px.y(), line.to.px.y());
  const bool level = std::abs(along.y()) < 1e-9;
  const double slope = level ? 0 : along.x() / along.y(), slack = std::hypot(reach, reach * slope);
  band.draw(
      top - reach, bottom + reach,
      [&, left = left, right = right](double y) {
        if (level) return std::pair(left - reach, right + reach);
        const double middle = line.from.px.x() + (y - line.from.px.y()) * slope;
        return std::pair(std::max(left - reach, middle - slack), std::min(right + reach, middle + slack));
      },
      [&](double x, double y, MarkColor& color, double& depth) {
        const Eigen::Vector2d off = Eigen::Vector2d(x, y) - line.from.px;
        const double t = squared > 0 ? std::clamp(off.dot(along) / squared, 0.0, 1.0) : 0;
        if ((off - t * along).squaredNorm() > reach * reach) return;
        const double here = line.from.depth + t * (line.to.depth - line.from.depth);
        if (here <= depth) depth = here, color = line.color;
      });
}

void DepthPicture::draw_ball(const Ball& ball, Band& band) {
  const double radius = ball.radius_px;
  const bool flat = 2 * radius <= kFlatBall_px;
  const std::pair columns(ball.x_px - radius, ball.x_px + radius);
  band.draw(
      ball.y_px - radius, ball.y_px + radius, [&](double) { return columns; },
      [&](double x, double y, MarkColor& color, double& depth) {
        const double dx = (x - ball.x_px) / radius, dy = (y - ball.y_px) / radius;
        if (dx * dx + dy * dy > 1 || ball.depth > depth) return;
        depth = ball.depth;
        const double light = flat ? kFlatLight : ball_light(dx, dy);
        for (size_t c = 0; c < 3; ++c) color[c] = static_cast<uint8_t>(light * ball.color[c] + 0.5);
      });
}

void DepthPicture::draw_picture(const FloorPicture& picture, const PixelArea& area, Band& band) const {
  const Eigen::Vector3d normal = picture.u_axis.cross(picture.v_axis);
  const Eigen::Vector2d size = picture.size_m();
  const std::pair columns(0.0, double(area.width()));
  band.draw(
      0, area.height(), [&](double) { return columns; },
      [&](double x, double y, MarkColor& color, double& depth) {
        const SceneProjection::Sight sight = view_.sight(x, y);
        const double slope = sight.along.dot(normal);
        if (std::abs(slope) < 1e-12) return;
        const double ahead = (picture.corner_in_world_m - sight.from_m).dot(normal) / slope;
        if (ahead < SceneProjection::kNearest_m || view_.depth_at(ahead) > depth) return;
        const Eigen::Vector3d at = sight.from_m + ahead * sight.along - picture.corner_in_world_m;
        const double u = at.dot(picture.u_axis) / size.x(), v = at.dot(picture.v_axis) / size.y();
        if (u < 0 || u > 1 || v < 0 || v > 1) return;
        const Eigen::Vector4d over = sampled(picture, u, v);
        for (int c = 0; c < 3; ++c) {
          uint8_t& value = color[c];
          value = static_cast<uint8_t>(over[c] + (1 - over[3]) * value + 0.5);
        }
      });
}

void DepthPicture::draw(const PixelArea& area, const MarkColor& ground, Canvas& canvas) const {
  const int bands = (area.height() + kBandRows - 1) / kBandRows;
  tbb::parallel_for(0, bands, [&](int i) {
    const int first = i * kBandRows;
    Band band(area, first, std::min(kBandRows, area.height() - first), ground);
    for (const Line& line : lines_) draw_line(line, band);
    for (const Ball& ball : balls_) draw_ball(ball, band);
    for (const FloorPicture* picture : pictures_)
      if (!picture->empty()) draw_picture(*picture, area, band);
    band.copy_to(area, canvas);
  });
}

}  // namespace vantage
