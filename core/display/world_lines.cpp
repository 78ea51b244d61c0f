#include "core/display/world_lines.h"

#include <array>
#include <cmath>
#include <numbers>

namespace vantage {
namespace {

constexpr double kTolerance_px = 0.25;
constexpr int kPieces = 8;     // each segment is examined in at least so many pieces
constexpr int kDeepest = 7;    // halvings of a piece
constexpr int kCutSteps = 17;  // halvings to the position where a line ends
constexpr double kPersonRadius_m = 0.28;

class Tracer {
 public:
  Tracer(const WorldView& view, std::vector<PixelStrip>* strips) : view_(view), strips_(*strips) {}

  void segment(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    Eigen::Vector3d a = from;
    std::optional<Eigen::Vector2d> pa = pixel(a);
    for (int i = 1; i <= kPieces; ++i) {
      const Eigen::Vector3d b = from + (to - from) * (static_cast<double>(i) / kPieces);
      const std::optional<Eigen::Vector2d> pb = pixel(b);
      piece(a, pa, b, pb);
      a = b, pa = pb;
    }
  }

 private:
  std::optional<Eigen::Vector2d> pixel(const Eigen::Vector3d& point) const {
    std::optional<Eigen::Vector2d> found = view_.project(point);
    if (found && !view_.bounds_px.contains(*found)) found.reset();
    return found;
  }

  void piece(const Eigen::Vector3d& a, const std::optional<Eigen::Vector2d>& pa, const Eigen::Vector3d& b,
             const std::optional<Eigen::Vector2d>& pb) {
    if (pa && pb) {
      begin_at(*pa);
      bend(a, *pa, b, *pb, 0);
    } else if (pa) {
      const auto [end, pixel_of_end] = last_seen(a, *pa, b);
      begin_at(*pa);
      bend(a, *pa, end, pixel_of_end, 0);
      open_ = false;
    } else if (pb) {
      const auto [end, pixel_of_end] = last_seen(b, *pb, a);
      open_ = false;
      begin_at(pixel_of_end);
      bend(end, pixel_of_end, b, *pb, 0);
    } else {
      open_ = false;
    }
  }

  void begin_at(const Eigen::Vector2d& pixel) {
    if (!open_) strips_.push_back({pixel});
    open_ = true;
  }

  // Appends what lies after a, up to and with b.
  void bend(const Eigen::Vector3d& a, const Eigen::Vector2d& pa, const Eigen::Vector3d& b,
            const Eigen::Vector2d& pb, int depth) {
    const Eigen::Vector3d middle = (a + b) / 2;
    const std::optional<Eigen::Vector2d> seen = depth < kDeepest ? pixel(middle) : std::nullopt;
    if (!seen || (*seen - (pa + pb) / 2).norm() <= kTolerance_px) {
      strips_.back().push_back(pb);
      return;
    }
    bend(a, pa, middle, *seen, depth + 1);
    bend(middle, *seen, b, pb, depth + 1);
  }

  // The last seen point from one that is seen towards one that is not.
  std::pair<Eigen::Vector3d, Eigen::Vector2d> last_seen(Eigen::Vector3d seen, Eigen::Vector2d pixel_of_seen,
                                                        Eigen::Vector3d hidden) const {
    for (int step = 0; step < kCutSteps; ++step) {
      const Eigen::Vector3d middle = (seen + hidden) / 2;
      if (const std::optional<Eigen::Vector2d> at = pixel(middle))
        seen = middle, pixel_of_seen = *at;
      else
        hidden = middle;
    }
    return {seen, pixel_of_seen};
  }

  const WorldView& view_;
  std::vector<PixelStrip>& strips_;
  bool open_ = false;  // the last strip ends where the next piece begins
};

// Half of an outline, in eighths of the height: width from the axis and height, from the feet up to the
// crown.
constexpr std::array<std::array<double, 2>, 21> kFigure = {
    {{0.00, 3.55}, {0.10, 2.00}, {0.14, 0.30}, {0.12, 0.00}, {0.72, 0.00}, {0.70, 0.16}, {0.46, 0.34},
     {0.50, 1.10}, {0.56, 2.10}, {0.70, 3.40}, {0.74, 4.05}, {0.80, 3.55}, {1.06, 3.50}, {1.12, 4.30},
     {1.12, 5.60}, {1.04, 6.25}, {0.80, 6.52}, {0.28, 6.66}, {0.24, 6.92}, {0.36, 7.30}, {0.34, 7.66}}};
constexpr std::array<std::array<double, 2>, 3> kCrown = {{{0.24, 7.86}, {0.12, 7.97}, {0.00, 8.00}}};

}  // namespace

WorldView camera_view(const Camera& camera) {
  const double w = camera.width_px(), h = camera.height_px();
  return {[camera](const Eigen::Vector3d& point) { return camera.project(point); },
          Eigen::AlignedBox2d(Eigen::Vector2d(-w, -h), Eigen::Vector2d(2 * w, 2 * h))};
}

std::vector<PixelStrip> project_polyline(const WorldView& view,
                                         std::span<const Eigen::Vector3d> points_in_world_m, bool closed) {
  std::vector<PixelStrip> strips;
  Tracer tracer(view, &strips);
  const size_t count = points_in_world_m.size();
  for (size_t i = 0; i + (closed ? 0 : 1) < count; ++i)
    tracer.segment(points_in_world_m[i], points_in_world_m[(i + 1) % count]);
  return strips;
}

std::vector<Eigen::Vector3d> circle_in_world_m(const Eigen::Vector3d& center_in_world_m, double radius_m) {
  constexpr int kCorners = 24;
  std::vector<Eigen::Vector3d> circle;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    circle.push_back(center_in_world_m + radius_m * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0));
  }
  return circle;
}

std::vector<Eigen::Vector3d> standing_figure_in_world_m(const Eigen::Vector3d& place_in_world_m,
                                                        double height_m,
                                                        const Eigen::Vector3d& eye_in_world_m) {
  Eigen::Vector3d towards = eye_in_world_m - place_in_world_m;
  towards.z() = 0;
  if (towards.norm() < 1e-6) towards = Eigen::Vector3d(0, -1, 0);
  const Eigen::Vector3d right = Eigen::Vector3d::UnitZ().cross(towards.normalized());
  std::vector<Eigen::Vector3d> outline;
  const auto add = [&](const std::array<double, 2>& at, double side) {
    outline.push_back(place_in_world_m +
                      height_m / 8 * (side * at[0] * right + at[1] * Eigen::Vector3d::UnitZ()));
  };
  for (const auto& at : kFigure) add(at, 1);
  for (const auto& at : kCrown) add(at, 1);
  for (size_t i = kCrown.size() - 1; i-- > 0;) add(kCrown[i], -1);
  for (size_t i = kFigure.size(); i-- > 1;) add(kFigure[i], -1);
  return outline;
}

std::optional<Eigen::AlignedBox2d> person_rectangle_px(const WorldView& view,
                                                       const Eigen::Vector3d& place_in_world_m,
                                                       double height_m) {
  constexpr int kLayers = 8;
  Eigen::AlignedBox2d box;
  for (int layer = 0; layer <= kLayers; ++layer) {
    const double z = height_m * layer / kLayers;
    for (const Eigen::Vector3d& point :
         circle_in_world_m(place_in_world_m + Eigen::Vector3d(0, 0, z), kPersonRadius_m))
      if (const std::optional<Eigen::Vector2d> pixel = view.project(point);
          pixel && view.bounds_px.contains(*pixel))
        box.extend(*pixel);
  }
  if (box.isEmpty()) return std::nullopt;
  return box;
}

}  // namespace vantage
