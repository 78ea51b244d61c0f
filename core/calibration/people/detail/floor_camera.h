// A camera above a floor in the numbers that cameras from nothing are solved in, and boxes of people as it
// shows them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/people/footage_solve.h"
#include "core/geometry/camera.h"

namespace vantage::footage_detail {

// Focal length: the logarithm of its ratio to the picture's longer side. Centre: of the principal point from
// the picture's middle, in longer sides. Bend: k1. Tilt: of the axis below the horizon. Roll: clockwise. Yaw:
// of the axis from x to y. Position in metres. Clock: delay of the camera's own frame 0, as time = own time +
// delay (s).
enum FloorValue : uint8_t {
  kLogFocal,
  kCentreX,
  kCentreY,
  kBend,
  kTilt,
  kRoll,
  kHeight,
  kYaw,
  kX,
  kY,
  kClock,
  kFloorValues
};
using FloorValues = std::array<double, kFloorValues>;

struct PictureSize {
  double width_px = 0, height_px = 0;
  double longer() const { return std::max(width_px, height_px); }
};

// Rows of the rotation from the world.
template <typename T>
struct FloorAxes {
  T right[3], down[3], ahead[3];
};

template <typename T>
FloorAxes<T> axes_of(const T* values) {
  using std::cos;
  using std::sin;
  const T cy = cos(values[kYaw]), sy = sin(values[kYaw]), ct = cos(values[kTilt]), st = sin(values[kTilt]);
  const T cr = cos(values[kRoll]), sr = sin(values[kRoll]);
  const T level_right[3] = {sy, -cy, T(0)}, down[3] = {-st * cy, -st * sy, -ct};
  FloorAxes<T> axes;
  for (int i = 0; i < 3; ++i) {
    axes.right[i] = cr * level_right[i] + sr * down[i];
    axes.down[i] = cr * down[i] - sr * level_right[i];
  }
  axes.ahead[0] = ct * cy, axes.ahead[1] = ct * sy, axes.ahead[2] = -st;
  return axes;
}

template <typename T>
struct FloorPixel {
  T x, y;
};

inline constexpr double kMaxRadius2 = 1.2;  // beyond it, the lens bends no more
inline constexpr double kNearest_m = 0.2;   // nearer in front of the camera nothing is shown

template <typename T>
FloorPixel<T> pixel_of(const PictureSize& size, const T* values, const FloorAxes<T>& axes, const T& x,
                       const T& y, const T& z) {
  using std::exp;
  const T off[3] = {x - values[kX], y - values[kY], z - values[kHeight]};
  const auto along = [&](const T* axis) -> T {
    return axis[0] * off[0] + axis[1] * off[1] + axis[2] * off[2];
  };
  T depth = along(axes.ahead);
  if (!(depth > T(kNearest_m))) depth = T(kNearest_m);
  const T longer = T(size.longer()), focal = exp(values[kLogFocal]) * longer;
  const T u = along(axes.right) / depth, v = along(axes.down) / depth;
  T radius2 = u * u + v * v;
  if (radius2 > T(kMaxRadius2)) radius2 = T(kMaxRadius2);
  const T bent = T(1) + values[kBend] * radius2;
  return {focal * u * bent + values[kCentreX] * longer + T((size.width_px - 1) / 2),
          focal * v * bent + values[kCentreY] * longer + T((size.height_px - 1) / 2)};
}

// Distance by which the lowest point of feet is nearer to a camera than their middle.
inline constexpr double kFeetAhead_m = 0.12;

// A person's box: the top of the head, the nearer end of the feet, and the middle across, which is on the
// body's axis at the height of the box's own middle.
template <typename T>
struct UprightBox {
  T top, bottom, middle;
};

template <typename T>
UprightBox<T> upright_box(const PictureSize& size, const T* values, const T& x, const T& y, const T& height) {
  using std::sqrt;
  const FloorAxes<T> axes = axes_of(values);
  const T to_x = values[kX] - x, to_y = values[kY] - y;
  const T distance = sqrt(to_x * to_x + to_y * to_y + T(1e-4));
  const FloorPixel<T> head = pixel_of(size, values, axes, x, y, height);
  const FloorPixel<T> feet = pixel_of(size, values, axes, T(x + T(kFeetAhead_m) * to_x / distance),
                                      T(y + T(kFeetAhead_m) * to_y / distance), T(0));
  const FloorPixel<T> waist = pixel_of(size, values, axes, x, y, T(height * T(0.5)));
  return {head.y, feet.y, waist.x};
}

// A box as a detector gives it, with standard deviations in pixels; 0: cut off by a border.
struct BoxMark {
  double time_s = 0;  // of the camera's own
  double top_px = 0, bottom_px = 0, middle_px = 0;
  double top_std_px = 0, bottom_std_px = 0, middle_std_px = 0;
  double height_px() const { return bottom_px - top_px; }
};

// One person in one picture for a while; never two, rather several tracks of one.
struct PictureTrack {
  std::vector<BoxMark> marks;                 // in the order of time
  std::vector<std::vector<Keypoint>> joints;  // of each mark, in the order of their skeleton; empty: none
  double begin_s() const { return marks.front().time_s; }
  double end_s() const { return marks.back().time_s; }
};

std::vector<PictureTrack> picture_tracks(const FootageCamera& camera);

Result<Camera> camera_of(const std::string& name, const PictureSize& size, const FloorValues& values);

}  // namespace vantage::footage_detail
