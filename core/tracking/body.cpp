#include "core/tracking/body.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vantage::people_detail {
namespace {

// Half the width of a body over its height, seen from any side, for each twentieth of the height: between the
// front and the side view of a walking adult (R. Drillis, R. Contini, "Body segment parameters", 1966).
// Fractions of the height.
constexpr std::array<double, 20> kHalfWidth = {0.075, 0.075, 0.070, 0.070, 0.070, 0.075, 0.075,
                                               0.075, 0.075, 0.095, 0.095, 0.095, 0.100, 0.100,
                                               0.100, 0.105, 0.105, 0.045, 0.048, 0.048};
constexpr double kWidest = 0.105;

// A point of the axis: where it stands among the samples, and half a body height of width there.
struct AxisPoint {
  double column = 0, row = 0, columns_per_height = 0;
};
constexpr int kAxisPoints = 5;
using Axis = std::array<AxisPoint, kAxisPoints>;

double depth_of(const PinholeCamera<double>& c, double x, double y, double z) {
  const double* r = c.rotation_cam_from_world;
  return r[6] * x + r[7] * y + r[8] * z + c.translation_cam_from_world_m[2];
}

bool project_axis(const Body& body, const PinholeCamera<double>& camera, const MaskBits& mask, Axis& axis) {
  for (int i = 0; i < kAxisPoints; ++i) {
    const double z_m = body.height_m * i / (kAxisPoints - 1);
    const Pixel<double> pixel = project(camera, body.x_m, body.y_m, z_m);
    if (!pixel.in_front) return false;
    const double depth_m = depth_of(camera, body.x_m, body.y_m, z_m);
    axis[static_cast<size_t>(i)] = {mask.column_of(pixel.x), mask.row_of(pixel.y),
                                    camera.fx_px * body.height_m / depth_m / mask.step_x()};
  }
  return true;
}

// Rows count double: step_y is twice step_x.
bool stands_upright(const Axis& axis) {
  const double rows = 2 * std::abs(axis.front().row - axis.back().row);
  return rows > 2 * kWidest * axis[kAxisPoints / 2].columns_per_height;
}

Run run_at(double share, const AxisPoint& low, const AxisPoint& high, int segment) {
  const double along = (segment + share) / (kAxisPoints - 1);
  const auto slice = static_cast<size_t>(std::clamp(along * 20, 0.0, 19.0));
  const double middle = low.column + share * (high.column - low.column);
  const double scale = low.columns_per_height + share * (high.columns_per_height - low.columns_per_height);
  const double half = kHalfWidth[slice] * scale;
  const double begin = std::ceil(std::clamp(middle - half, -3e4, 3e4));
  const double end = std::floor(std::clamp(middle + half, -3e4, 3e4)) + 1;
  return {static_cast<int16_t>(begin), static_cast<int16_t>(std::max(end, begin + 1))};
}

void draw_in(Body& body, Outline& outline, const MaskBits& mask, const Axis& axis) {
  const double top = std::min(axis.front().row, axis.back().row);
  const double bottom = std::max(axis.front().row, axis.back().row);
  if (!(bottom >= 0) || !(top < mask.height()) || bottom - top > 50.0 * mask.height()) return;
  const int first = static_cast<int>(std::ceil(top)), last = static_cast<int>(std::floor(bottom));
  const bool head_up = axis.back().row < axis.front().row;
  outline.first_row = std::clamp(first, 0, mask.height());
  for (int row = first; row <= last; ++row) {
    // The segment of the axis that crosses this row.
    int i = 0;
    while (i + 2 < kAxisPoints && (axis[static_cast<size_t>(i) + 1].row < row) != head_up) ++i;
    const AxisPoint &low = axis[static_cast<size_t>(i)], &high = axis[static_cast<size_t>(i) + 1];
    const double length = high.row - low.row;
    const double share = length != 0 ? std::clamp((row - low.row) / length, 0.0, 1.0) : 0.0;
    Run run = run_at(share, low, high, i);
    outline.area += run.end - run.begin;
    if (row < 0 || row >= mask.height()) continue;
    const auto width = static_cast<int16_t>(mask.width());
    run.begin = std::clamp<int16_t>(run.begin, 0, width);
    run.end = std::clamp<int16_t>(run.end, 0, width);
    outline.inside += run.end - run.begin;
    body.runs.push_back(run);
    ++outline.rows;
  }
}

}  // namespace

void draw(Body& body, std::span<const PinholeCamera<double>> cameras, std::span<const MaskBits> masks) {
  body.outlines.assign(cameras.size(), {});
  body.runs.clear();
  Axis axis;
  for (size_t c = 0; c < cameras.size(); ++c) {
    Outline& outline = body.outlines[c];
    outline.first_run = body.runs.size();
    if (masks[c].has_picture() && project_axis(body, cameras[c], masks[c], axis) && stands_upright(axis))
      draw_in(body, outline, masks[c], axis);
  }
}

}  // namespace vantage::people_detail
