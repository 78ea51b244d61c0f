#include "core/people/detail/body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/people/detail/outline_kernel.h"

namespace vantage::people_detail {
namespace {

constexpr double kWidest = *std::max_element(kHalfWidth.begin(), kHalfWidth.end());

// A point of the axis: where it stands among the samples, and how wide a body's height would be there.
struct AxisPoint {
  double column = 0, row = 0, columns_per_height = 0;
};
constexpr int kSegments = 4;
using Axis = std::array<AxisPoint, kSegments + 1>;

bool project_axis(const Body& body, const PinholeCamera<double>& camera, const MaskBits& mask, Axis& axis) {
  const double* r = camera.rotation_cam_from_world;
  const double* t = camera.translation_cam_from_world_m;
  const double x_c = r[0] * body.x_m + r[1] * body.y_m + t[0];
  const double y_c = r[3] * body.x_m + r[4] * body.y_m + t[1];
  const double z_c = r[6] * body.x_m + r[7] * body.y_m + t[2];
  const double scale = camera.fx_px * body.height_m / mask.step_x();
  // Off a fisheye's axis things are smaller than by their depth; of a polynomial lens that is left out.
  const auto bend = [&](const Pixel<double>& pixel, double x, double y) {
    if (camera.lens == LensModel::polynomial) return 1.0;
    const double bent =
        std::hypot((pixel.x - camera.cx_px) / camera.fx_px, (pixel.y - camera.cy_px) / camera.fy_px);
    const double ideal = std::hypot(x, y);
    return ideal > 1e-6 ? bent / ideal : 1.0;
  };
  bool in_front = true;
  for (int i = 0; i <= kSegments; ++i) {
    const double z_m = body.height_m * i / kSegments, depth_m = z_c + r[8] * z_m;
    const double x_m = x_c + r[2] * z_m, y_m = y_c + r[5] * z_m;
    const Pixel<double> pixel = project_camera_point(camera, x_m, y_m, depth_m);
    in_front = in_front && pixel.in_front;
    axis[i] = {mask.column_of(pixel.x), mask.row_of(pixel.y),
               scale / depth_m * bend(pixel, x_m / depth_m, y_m / depth_m)};
  }
  return in_front;
}

// Rows count double: step_y is twice step_x.
bool stands_upright(const Axis& axis) {
  const double rows = 2 * std::abs(axis.front().row - axis.back().row);
  return rows > 2 * kWidest * axis[kSegments / 2].columns_per_height;
}

// floor() of what is above -kFloorBias, without a call.
constexpr int kFloorBias = 1 << 20;
int floor_of(double value) {
  return static_cast<int>(value + kFloorBias) - kFloorBias;
}

// A piece of the axis from its end with the smaller row, with the number of its slice at either end. Filled
// in where it lies: a copy would wait for what was just stored.
void set_segment(const AxisPoint& top, const AxisPoint& bottom, double top_slice, double bottom_slice,
                 OutlineSegment* segment) {
  const double per_row = bottom.row > top.row ? 1 / (bottom.row - top.row) : 0;
  segment->top_row = top.row;
  segment->column = top.column, segment->column_step = (bottom.column - top.column) * per_row;
  segment->scale = top.columns_per_height;
  segment->scale_step = (bottom.columns_per_height - top.columns_per_height) * per_row;
  segment->slice = top_slice, segment->slice_step = (bottom_slice - top_slice) * per_row;
}

// A body much larger than the picture, or far outside it, is not seen.
bool comes_near(const Axis& axis, const MaskBits& mask) {
  for (const AxisPoint& point : axis)
    if (!(std::abs(point.row) < 20.0 * mask.height() && std::abs(point.column) < 20.0 * mask.width() &&
          point.columns_per_height < 20.0 * mask.height()))
      return false;
  const auto [low, high] = std::minmax(axis.front().row, axis.back().row);
  return high >= 0 && low < mask.height();
}

// Draws from outline.first_run on; where its runs end.
size_t draw_in(const Axis& axis, const MaskBits& mask, Body& body, Outline& outline) {
  const bool head_up = axis.back().row < axis.front().row;
  const auto [top, bottom] = std::minmax(axis.front().row, axis.back().row);
  const int first = floor_of(top) + 1, last = std::max(first, floor_of(bottom) + 1);
  const auto rows = static_cast<size_t>(last - first);
  constexpr double kSlicesPerSegment = kSlices / kSegments;
  std::array<OutlineSegment, kSegments> segments;
  int row = first;
  for (int i = 0; i < kSegments; ++i) {
    const int low = head_up ? kSegments - 1 - i : i;  // the segment's lower end on the body
    const int top_end = head_up ? low + 1 : low, bottom_end = head_up ? low : low + 1;
    const AxisPoint &top_point = axis[top_end], &bottom_point = axis[bottom_end];
    OutlineSegment& segment = segments[i];
    set_segment(top_point, bottom_point, top_end * kSlicesPerSegment, bottom_end * kSlicesPerSegment,
                &segment);
    row = i + 1 < kSegments ? std::clamp(floor_of(bottom_point.row) + 1, row, last) : last;
    segment.end = row;
  }
  if (body.runs.size() < outline.first_run + rows + kDrawnAtOnce)
    body.runs.resize(outline.first_run + rows + kDrawnAtOnce);
  Run* const runs = body.runs.data() + outline.first_run;
  outline.area = kernel::draw_outline(segments.data(), kSegments, first, runs);
  const size_t end = outline.first_run + rows;
  // The rows inside the picture stay.
  const int above = std::clamp(-first, 0, last - first), below = std::max(0, last - mask.height());
  outline.first_row = first + above;
  outline.rows = std::max(0, last - first - above - below);
  outline.first_run += static_cast<size_t>(above);
  outline.inside = kernel::cut_runs(runs + above, outline.rows, mask.width());
  return end;
}

}  // namespace

void draw(Body& body, std::span<const PinholeCamera<double>> cameras, std::span<const MaskBits> masks) {
  body.outlines.assign(cameras.size(), {});
  size_t end = 0;  // of the runs drawn
  Axis axis;
  for (size_t c = 0; c < cameras.size(); ++c) {
    Outline& outline = body.outlines[c];
    outline.first_run = end;
    if (masks[c].has_picture() && project_axis(body, cameras[c], masks[c], axis) && stands_upright(axis) &&
        comes_near(axis, masks[c]))
      end = draw_in(axis, masks[c], body, outline);
  }
}

}  // namespace vantage::people_detail
