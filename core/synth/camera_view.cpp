#include "core/synth/camera_view.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace vantage::synth {

void PixelBox::include(const PixelBox& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  x0 = std::min(x0, other.x0), y0 = std::min(y0, other.y0);
  x1 = std::max(x1, other.x1), y1 = std::max(y1, other.y1);
}

Result<CameraView> CameraView::make(const Camera& camera) {
  CameraView view;
  view.camera_ = camera;
  view.rotation_ = camera.rotation_cam_from_world().cast<float>();
  view.center_ = camera.center_in_world_m().cast<float>();
  const int columns = 2 * camera.width_px(), rows = 2 * camera.height_px();
  view.samples_.resize(static_cast<size_t>(columns) * rows);
  std::atomic<bool> reached = true;
  // Isolated: a thread that waits here must not start on another camera meanwhile.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, rows), [&](const tbb::blocked_range<int>& range) {
      for (int row = range.begin(); row < range.end(); ++row)
        for (int column = 0; column < columns; ++column) {
          const auto point = camera.undistort({0.5 * column - 0.25, 0.5 * row - 0.25});
          if (point)
            view.samples_[static_cast<size_t>(row) * columns + column] = point->cast<float>();
          else
            reached = false;
        }
    });
  });
  if (!reached)
    return fail(ErrorKind::invalid_argument, "the lens model does not cover the picture's corners",
                camera.name());
  return view;
}

PixelBox CameraView::clip(double x0, double y0, double x1, double y1) const {
  const auto bound = [](double v, int limit) { return static_cast<int>(std::clamp(v, 0.0, double(limit))); };
  return {bound(std::floor(x0), width_px()), bound(std::floor(y0), height_px()),
          bound(std::ceil(x1) + 1, width_px()), bound(std::ceil(y1) + 1, height_px())};
}

PixelBox CameraView::box_around(const std::vector<Eigen::Vector2d>& normalized, double margin_px) const {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (const Eigen::Vector2d& point : normalized) {
    const Pixel<double> p = project_camera_point(camera_.model(), point.x(), point.y(), 1.0);
    if (!p.in_front) return {0, 0, width_px(), height_px()};
    x0 = std::min(x0, p.x), y0 = std::min(y0, p.y), x1 = std::max(x1, p.x), y1 = std::max(y1, p.y);
  }
  return clip(x0 - margin_px, y0 - margin_px, x1 + margin_px, y1 + margin_px);
}

PixelBox CameraView::box_of_floor(double x0, double y0, double x1, double y1) const {
  constexpr int steps = 6;
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      const auto pixel = camera_.project({x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * k / steps, 0});
      if (!pixel) return {0, 0, width_px(), height_px()};
      left = std::min(left, pixel->x()), right = std::max(right, pixel->x());
      top = std::min(top, pixel->y()), bottom = std::max(bottom, pixel->y());
    }
  return clip(left - 2, top - 2, right + 2, bottom + 2);
}

}  // namespace vantage::synth
