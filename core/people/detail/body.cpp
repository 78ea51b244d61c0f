#include "core/people/detail/body.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vantage::people_detail {
namespace {

// Half the width of a body over its height, seen from any side, for each twentieth of the height: between the
// front and the side view of a walking adult (R. Drillis, R. Contini, "Body segment parameters", 1966).
// Fractions of the height.
constexpr int kSlices = 20;
constexpr std::array<double, kSlices> kHalfWidth = {0.075, 0.075, 0.070, 0.070, 0.070, 0.075, 0.075,
                                                    0.075, 0.075, 0.095, 0.095, 0.095, 0.100, 0.100,
                                                    0.100, 0.105, 0.105, 0.045, 0.048, 0.048};
constexpr double kWidest = 0.105;

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
    axis[static_cast<size_t>(i)] = {mask.column_of(pixel.x), mask.row_of(pixel.y),
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

// The rows of one segment of the axis; `top` is the end with the smaller row. `slice` counts kHalfWidth's
// slices along the axis.
struct Segment {
  AxisPoint top, bottom;
  double top_slice = 0, bottom_slice = 0;
};

// The runs of rows [first, last), not yet cut to the picture's width; their area.
int draw_rows(const Segment& s, int first, int last, Run* runs) {
  const double per_row = s.bottom.row > s.top.row ? 1 / (s.bottom.row - s.top.row) : 0;
  const double column_step = (s.bottom.column - s.top.column) * per_row;
  const double scale_step = (s.bottom.columns_per_height - s.top.columns_per_height) * per_row;
  const double slice_step = (s.bottom_slice - s.top_slice) * per_row;
  int area = 0;
  for (int row = first; row < last; ++row) {
    const double down = row - s.top.row;
    const int slice = std::clamp(static_cast<int>(s.top_slice + down * slice_step), 0, kSlices - 1);
    const double middle = s.top.column + down * column_step;
    const double half =
        kHalfWidth[static_cast<size_t>(slice)] * (s.top.columns_per_height + down * scale_step);
    const int begin = floor_of(middle - half) + 1;
    const int end = std::max(begin + 1, floor_of(middle + half) + 1);
    area += end - begin;
    *runs++ = {static_cast<int16_t>(begin), static_cast<int16_t>(end)};
  }
  return area;
}

// Cuts the runs to the picture's width; what is left of their area.
int cut_runs(Run* runs, int rows, int width) {
  int inside = 0;
  for (Run* run = runs; run != runs + rows; ++run) {
    run->begin = static_cast<int16_t>(std::clamp<int>(run->begin, 0, width));
    run->end = static_cast<int16_t>(std::clamp<int>(run->end, 0, width));
    inside += run->end - run->begin;
  }
  return inside;
}

// A body much larger than the picture, or far beside it, is not seen.
bool comes_near(const Axis& axis, const MaskBits& mask) {
  for (const AxisPoint& point : axis)
    if (!(std::abs(point.row) < 20.0 * mask.height() && std::abs(point.column) < 20.0 * mask.width() &&
          point.columns_per_height < 20.0 * mask.height()))
      return false;
  const auto [low, high] = std::minmax(axis.front().row, axis.back().row);
  return high >= 0 && low < mask.height();
}

void draw_in(const Axis& axis, const MaskBits& mask, Body& body, Outline& outline) {
  const bool head_up = axis.back().row < axis.front().row;
  const auto [top, bottom] = std::minmax(axis.front().row, axis.back().row);
  const int first = floor_of(top) + 1, last = std::max(first, floor_of(bottom) + 1);
  const auto rows = static_cast<size_t>(last - first);
  body.runs.resize(outline.first_run + rows);
  Run* const runs = body.runs.data() + outline.first_run;
  int row = first;
  for (int i = 0; i < kSegments; ++i) {
    const int low = head_up ? kSegments - 1 - i : i;  // the segment's lower end on the body
    const AxisPoint &a = axis[static_cast<size_t>(low)], &b = axis[static_cast<size_t>(low) + 1];
    const double slice = low * (kSlices / kSegments), next = slice + kSlices / kSegments;
    const Segment segment = head_up ? Segment{b, a, next, slice} : Segment{a, b, slice, next};
    const int end = i + 1 < kSegments ? std::clamp(floor_of(segment.bottom.row) + 1, row, last) : last;
    outline.area += draw_rows(segment, row, end, runs + (row - first));
    row = end;
  }
  // The rows inside the picture stay.
  const int above = std::clamp(-first, 0, last - first), below = std::max(0, last - mask.height());
  outline.first_row = first + above;
  outline.rows = std::max(0, last - first - above - below);
  outline.first_run += static_cast<size_t>(above);
  outline.inside = cut_runs(runs + above, outline.rows, mask.width());
}

}  // namespace

void draw(Body& body, std::span<const PinholeCamera<double>> cameras, std::span<const MaskBits> masks) {
  body.outlines.assign(cameras.size(), {});
  body.runs.clear();
  Axis axis;
  for (size_t c = 0; c < cameras.size(); ++c) {
    Outline& outline = body.outlines[c];
    outline.first_run = body.runs.size();
    if (masks[c].has_picture() && project_axis(body, cameras[c], masks[c], axis) && stands_upright(axis) &&
        comes_near(axis, masks[c]))
      draw_in(axis, masks[c], body, outline);
  }
}

}  // namespace vantage::people_detail
