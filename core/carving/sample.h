// The arithmetic of one voxel, shared by the CPU and the CUDA carver: same operations, same order, in float.
// Plain functions: .cu files include this header.
//
// Samples are summed in grey levels (0..255, so that a full indicator adds exactly 255):
//
//   sum = s_0 + s_1 + ... + s_(C-1), in camera order,        s_c = bilinear indicator of camera c, 0 where
//   not seen occupied = sum >= carving_limit(threshold, C),            confidence = sum / (255 C)
//
// A full vote of all cameras gives sum = 255 C and confidence = 1 exactly, so threshold 1 means "all cameras
// agree".
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"

namespace vantage {

// Voxel centres are rounded once, from double.
VANTAGE_HD float voxel_center_f32(const VoxelGrid& grid, int axis, int index) {
  return static_cast<float>(grid.center(axis, index));
}

// Whether the 2x2 support floor(x)..floor(x)+1, floor(y)..floor(y)+1 lies in the picture: 0 <= x < width - 1
// and the same for y. False for NaN, and always for a picture of one row or column.
VANTAGE_HD bool support_inside(int width, int height, float x, float y) {
  const bool inside_x = (x >= 0.0f) & (x < static_cast<float>(width - 1));
  const bool inside_y = (y >= 0.0f) & (y < static_cast<float>(height - 1));
  return inside_x & inside_y;
}

// Lerp form: four equal samples give exactly that value.
VANTAGE_HD float bilinear(float top_left, float top_right, float bottom_left, float bottom_right,
                          float fraction_x, float fraction_y) {
  const float top = top_left + fraction_x * (top_right - top_left);
  const float bottom = bottom_left + fraction_x * (bottom_right - bottom_left);
  return top + fraction_y * (bottom - top);
}

// One camera's vote for a world point, 0 to 255.
VANTAGE_HD float indicator_at(const ImageView<const uint8_t>& indicator, const PinholeCamera<float>& camera,
                              float xw, float yw, float zw) {
  const Pixel<float> pixel = project(camera, xw, yw, zw);
  if (!pixel.in_front || !support_inside(indicator.width, indicator.height, pixel.x, pixel.y)) return 0.0f;
  const int x = static_cast<int>(pixel.x), y = static_cast<int>(pixel.y);
  const uint8_t* top = indicator.row(y) + x;
  const uint8_t* bottom = indicator.row(y + 1) + x;
  return bilinear(top[0], top[1], bottom[0], bottom[1], pixel.x - static_cast<float>(x),
                  pixel.y - static_cast<float>(y));
}

// What the sum of all votes has to reach.
VANTAGE_HD float carving_limit(double threshold, int cameras) {
  return static_cast<float>(threshold * 255.0 * cameras);
}

VANTAGE_HD float confidence_of(float sum, int cameras) {
  return sum / (255.0f * static_cast<float>(cameras));
}

}  // namespace vantage
