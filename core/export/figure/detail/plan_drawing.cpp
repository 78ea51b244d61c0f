#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"
#include "core/display/floor_picture.h"
#include "core/export/figure/detail/figure_drawing.h"

namespace vantage::figure_detail {
namespace {

constexpr MarkColor kPlanGround = {244, 244, 244}, kMetreLine = {222, 222, 222}, kShape = {64, 64, 64},
                    kRegion = {160, 160, 160};
constexpr double kMargin_m = 0.5;

// Metres of the floor and pixels of the plan, y upwards.
struct PlanScale {
  Eigen::AlignedBox2d area_m;
  PixelArea area;
  double px_per_m() const { return area.width() / area_m.sizes().x(); }
  Eigen::Vector2d to_figure(const Eigen::Vector2d& floor_m) const {
    return {area.left - 0.5 + (floor_m.x() - area_m.min().x()) * px_per_m(),
            area.top - 0.5 + (area_m.max().y() - floor_m.y()) * px_per_m()};
  }
  Eigen::Vector2d to_floor(int x, int y) const {
    return {area_m.min().x() + (x - area.left + 0.5) / px_per_m(),
            area_m.max().y() - (y - area.top + 0.5) / px_per_m()};
  }
};

WorldView plan_view(const PlanScale& scale) {
  const Eigen::Vector2d low(scale.area.left, scale.area.top), high(scale.area.right, scale.area.bottom);
  return {[scale](const Eigen::Vector3d& point) { return std::optional(scale.to_figure(point.head<2>())); },
          {low - (high - low), high + (high - low)}};
}

void draw_metres(const PlanScale& scale, Canvas& canvas) {
  const auto line = [&](const Eigen::Vector2d& from_m, const Eigen::Vector2d& to_m) {
    const std::array<Eigen::Vector2d, 2> ends = {scale.to_figure(from_m), scale.to_figure(to_m)};
    canvas.polyline(ends, 1, kMetreLine);
  };
  const Eigen::Vector2d low = scale.area_m.min(), high = scale.area_m.max();
  for (double x = std::ceil(low.x()); x <= high.x(); ++x) line({x, low.y()}, {x, high.y()});
  for (double y = std::ceil(low.y()); y <= high.y(); ++y) line({low.x(), y}, {high.x(), y});
}

void draw_floor_map(const FloorPicture& map, const PlanScale& scale, Canvas& canvas) {
  for (int y = scale.area.top; y < scale.area.bottom; ++y)
    for (int x = scale.area.left; x < scale.area.right; ++x) {
      const Eigen::Vector2d at =
          (scale.to_floor(x, y) - map.corner_in_world_m.head<2>()).array() / map.cell_m;
      const auto column = static_cast<int>(std::floor(at.x())), row = static_cast<int>(std::floor(at.y()));
      if (column < 0 || row < 0 || column >= map.nx || row >= map.ny) continue;
      const uint8_t* rgba = map.rgba.data() + 4 * (static_cast<size_t>(row) * static_cast<size_t>(map.nx) +
                                                   static_cast<size_t>(column));
      canvas.put(x, y, {rgba[0], rgba[1], rgba[2]}, rgba[3] / 255.0);
    }
}

// A bar of 1, 2 or 5 times a power of ten metres, at most a quarter of the plan.
void draw_scale_bar(const PlanScale& scale, int text_px, Canvas& canvas) {
  const double longest_m = scale.area_m.sizes().x() / 4;
  double length_m = std::pow(10, std::floor(std::log10(longest_m)));
  for (const double step : {5.0, 2.0})
    if (step * length_m <= longest_m) {
      length_m *= step;
      break;
    }
  const int left = scale.area.left + text_px, base = scale.area.bottom - text_px;
  const auto length = static_cast<int>(std::lround(length_m * scale.px_per_m()));
  canvas.fill({left, base - 3, left + length, base}, kInkOnPaper);
  for (const int end : {left, left + length})
    canvas.fill({end - 1, base - 8, end + 1, base + 4}, kInkOnPaper);
  canvas.text(formatted("%g m", length_m), left + 4, base - text_px / 2 - 4, text_px, kInkOnPaper);
}

// As they stand at that frame.
void draw_cameras(const FigureScene& scene, int64_t frame, const PlanScale& scale, Canvas& canvas) {
  for (const ProjectCamera& camera : scene.project.cameras) {
    const Camera& calibration = *camera.calibration_at(frame);
    const Eigen::Vector2d at = scale.to_figure(calibration.center_in_world_m().head<2>());
    const double half = scene.page.text_px / 2.0;
    const Eigen::Vector3d ahead = calibration.rotation_cam_from_world().row(2);
    Eigen::Vector2d way(ahead.x(), -ahead.y());
    if (way.norm() < 1e-6) way = {0, -1};  // it looks straight down
    way *= 4 * half / way.norm();
    const Eigen::Vector2d across(-way.y() / 3, way.x() / 3);
    const std::array<Eigen::Vector2d, 4> corners = {at, at + way + across, at + way - across, at};
    canvas.polyline(corners, 1.5, kShape);
    canvas.polyline(std::array<Eigen::Vector2d, 2>{at, at}, half, kShape);
    canvas.text(camera.name, static_cast<int>(at.x()) + 4, static_cast<int>(at.y()) - 4, scene.page.text_px,
                kShape);
  }
}

}  // namespace

Eigen::AlignedBox2d plan_area_m(const VoxelGrid& grid) {
  const Eigen::Vector2d low(grid.origin_in_world_m[0], grid.origin_in_world_m[1]);
  const Eigen::Vector2d size = grid.voxel_size_m * Eigen::Vector2d(grid.nx, grid.ny);
  const Eigen::Vector2d margin(kMargin_m, kMargin_m);
  return {low - margin, low + size + margin};
}

ColorScale plan_scale() {
  return {&kCividis, 0, kFullColumn_m, "m", kFloorAlpha / 255.0, kPlanGround};
}

void draw_plan(const FigureScene& scene, const VoxelGrid& grid, const FigureFrame& frame, Canvas& canvas) {
  const PlanScale scale = {plan_area_m(grid), scene.page.view};
  const MarkedView marks = {canvas, plan_view(scale), MarkSizes::of(scene.page.view.height()), kShape};
  canvas.fill(scale.area, kPlanGround);
  canvas.clip_to(scale.area);
  draw_metres(scale, canvas);
  if (scene.shows(FigureOverlay::floor_map) && frame.result->floor_map())
    draw_floor_map(floor_map_picture(*frame.result->floor_map()), scale, canvas);
  const Eigen::Vector2d low = scale.area_m.min().array() + kMargin_m,
                        high = scale.area_m.max().array() - kMargin_m;
  marks.draw_floor_line(std::array<Eigen::Vector2d, 4>{low, Eigen::Vector2d(high.x(), low.y()), high,
                                                       Eigen::Vector2d(low.x(), high.y())},
                        true, kRegion);
  draw_cameras(scene, frame.result->frame, scale, canvas);
  if (scene.shows(FigureOverlay::floor)) {
    marks.draw_shapes(scene.project.zones, scene.project.lines);
    for (const FloorZone& zone : scene.project.zones) {
      Eigen::Vector2d middle = Eigen::Vector2d::Zero();
      for (const Eigen::Vector2d& corner : zone.corners_m)
        middle += scale.to_figure(corner) / static_cast<double>(zone.corners_m.size());
      canvas.text(zone.name, static_cast<int>(middle.x()), static_cast<int>(middle.y()), scene.page.text_px,
                  kShape);
    }
  }
  if (scene.shows(FigureOverlay::trails)) marks.draw_trails(frame.trails);
  if (scene.shows(FigureOverlay::people))
    for (const FigurePerson& person : frame.people)
      marks.draw_ring({person.x_m, person.y_m}, person.shown_color(), person.label);
  draw_scale_bar(scale, scene.page.text_px, canvas);
  canvas.clip_to(canvas.whole());
}

}  // namespace vantage::figure_detail
