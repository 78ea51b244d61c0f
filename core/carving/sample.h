// The arithmetic of one voxel, shared by the CPU and the CUDA carver: same operations, same order, in float.
// Plain functions: .cu files include this header.
//
// Samples are summed in grey levels (0..255, so that a full indicator adds exactly 255):
//
//   sum = s_0 + s_1 + ... + s_(C-1), in camera order,   s_c = bilinear indicator of camera c, 0 where not
//   seen k = number of cameras that see the voxel occupied = sum >= rules[k].limit, confidence = sum /
//   rules[k].full
//
// with the rules of rule.h. A full vote of all that count gives confidence = 1 exactly.
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

// Lerp form: four equal samples give exactly that value.
VANTAGE_HD float bilinear(float top_left, float top_right, float bottom_left, float bottom_right,
                          float fraction_x, float fraction_y) {
  const float top = top_left + fraction_x * (top_right - top_left);
  const float bottom = bottom_left + fraction_x * (bottom_right - bottom_left);
  return top + fraction_y * (bottom - top);
}

// One camera's vote for a world point.
struct Vote {
  float level = 0.0f;  // 0 to 255; 0 where not seen
  bool seen = false;
};

VANTAGE_HD Vote vote_at(const ImageView<const uint8_t>& indicator, const PinholeCamera<float>& camera,
                        float xw, float yw, float zw) {
  const Pixel<float> pixel = project(camera, xw, yw, zw);
  if (!pixel.in_front || !support_inside(indicator.width, indicator.height, pixel.x, pixel.y)) return {};
  const int x = static_cast<int>(pixel.x), y = static_cast<int>(pixel.y);
  const uint8_t* top = indicator.row(y) + x;
  const uint8_t* bottom = indicator.row(y + 1) + x;
  return {bilinear(top[0], top[1], bottom[0], bottom[1], pixel.x - static_cast<float>(x),
                   pixel.y - static_cast<float>(y)),
          true};
}

}  // namespace vantage
