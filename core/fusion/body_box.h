// The box that a person on the floor would have in a picture.
#pragma once

#include "core/detections/detections.h"
#include "core/geometry/projection.h"

namespace vantage {

// As project(), but beyond where the lens's polynomial turns over it continues with the last factor, and
// nearer than 0.1 m before the camera a point has no place.
Pixel<double> project_beyond_lens(const PinholeCamera<double>& camera, double xw, double yw, double zw);

// A box in pixels; right and bottom are its ends.
struct PixelBox {
  float left = 0, top = 0, right = 0, bottom = 0;
};

// The part of a box inside a picture.
PixelBox inside(const PixelBox& box, const PinholeCamera<double>& camera);
inline bool is_empty(const PixelBox& box) {
  return !(box.right > box.left && box.bottom > box.top);
}
// A detection's box, inside the picture.
PixelBox box_of(const PersonDetection& detection, const PinholeCamera<double>& camera);
// Intersection over union, 0 to 1.
double overlap(const PixelBox& a, const PixelBox& b);

struct BodyBox {
  PixelBox whole, cut;   // cut: inside the picture
  float distance_m = 0;  // of the body's middle from the camera
  bool seen = false;     // in front of the camera, and partly in the picture
};

// A body as rings about its axis: the hull of what they show. x and y on the floor, z = 0.
BodyBox body_box(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m);

// Whether people stand or sit, as far as the height of the head tells.

// The probability that a person sits whose head is so high above the floor, known to within `deviation_m`;
// 0 to 1. Grown people are N(1.69 m, 0.09 m) tall; of those who sit, one in six, heads are at N(1.28 m,
// 0.08 m): DIN 33402-2 gives seats of 0.41 to 0.45 m and 0.86 to 0.91 m above them (medians of women and
// men), and 0.04 m less is for how people sit whom no one measures. A child is not told from a person seated.
double seated_probability(double height_m, double deviation_m = 0);
// People are called seated from this probability on.
inline constexpr double kCalledSeated = 0.5;

}  // namespace vantage
