// The one definition of how a world point becomes a pixel, shared by CPU and CUDA code. Plain data and plain
// functions: .cu files include this header, so no Eigen here.
//
// World: metres, right-handed, z up. Camera: OpenCV axes (x right, y down, z forward). Pixel (0,0) is the
// centre of the top-left pixel, so a picture covers [-0.5, width-0.5) x [-0.5, height-0.5). The lens's
// models: core/geometry/lens.h.
#pragma once

#include "core/geometry/lens.h"

namespace vantage {

// T is double where accuracy matters (calibration, references) and float in per-voxel kernels.
template <typename T>
struct PinholeCamera : Lens<T> {
  int width_px = 0, height_px = 0;
  T fx_px = 1, fy_px = 1, cx_px = 0, cy_px = 0;                // of a fisheye: pixels a radian near the axis
  T rotation_cam_from_world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major
  T translation_cam_from_world_m[3] = {0, 0, 0};
};

template <typename T>
struct Pixel {
  T x, y;
  bool in_front;  // z > 0 and within max_radius2; x and y are meaningless otherwise
};

template <typename T>
VANTAGE_HD Pixel<T> project_camera_point(const PinholeCamera<T>& c, T xc, T yc, T zc) {
  // No branches but the lens's, so that loops over voxels vectorise; a division by zero gives infinity or
  // NaN, which fails the test.
  const T x = xc / zc, y = yc / zc;
  const bool in_front = (zc > T(1e-6)) & (x * x + y * y <= c.max_radius2);
  T xd, yd;
  distort(c, x, y, &xd, &yd);
  return {c.fx_px * xd + c.cx_px, c.fy_px * yd + c.cy_px, in_front};
}

template <typename T>
VANTAGE_HD Pixel<T> project(const PinholeCamera<T>& c, T xw, T yw, T zw) {
  const T* r = c.rotation_cam_from_world;
  const T* t = c.translation_cam_from_world_m;
  return project_camera_point(c, r[0] * xw + r[1] * yw + r[2] * zw + t[0],
                              r[3] * xw + r[4] * yw + r[5] * zw + t[1],
                              r[6] * xw + r[7] * yw + r[8] * zw + t[2]);
}

// True if the camera sees something at this position of its picture: the 2x2 support floor(x)..floor(x)+1,
// floor(y)..floor(y)+1 of a bilinear sample is inside, that is 0 <= x < width - 1 and the same for y. False
// for NaN, and always for a picture of one row or column.
template <typename T>
VANTAGE_HD bool support_inside(int width, int height, T x, T y) {
  const bool inside_x = (x >= T(0)) & (x < static_cast<T>(width - 1));
  const bool inside_y = (y >= T(0)) & (y < static_cast<T>(height - 1));
  return inside_x & inside_y;
}

template <typename To, typename From>
PinholeCamera<To> cast_camera(const PinholeCamera<From>& from) {
  PinholeCamera<To> to;
  static_cast<Lens<To>&>(to) = cast_lens<To>(static_cast<const Lens<From>&>(from));
  to.width_px = from.width_px;
  to.height_px = from.height_px;
  to.fx_px = To(from.fx_px), to.fy_px = To(from.fy_px), to.cx_px = To(from.cx_px), to.cy_px = To(from.cy_px);
  for (int i = 0; i < 9; ++i) to.rotation_cam_from_world[i] = To(from.rotation_cam_from_world[i]);
  for (int i = 0; i < 3; ++i) to.translation_cam_from_world_m[i] = To(from.translation_cam_from_world_m[i]);
  return to;
}

}  // namespace vantage
