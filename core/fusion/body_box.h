// The box that a person on the floor would have in a picture.
#pragma once

#include <cstdint>
#include <vector>

#include "core/detections/detections.h"
#include "core/geometry/ignored_region.h"
#include "core/geometry/projection.h"

namespace vantage {

// As project(), but beyond the fold of the lens's polynomial it continues with the last factor, and a point
// nearer than 0.1 m before the camera has no position.
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
// A detection's box, inside the picture. One that states only joints (is_box_from_joints()) is replaced by
// that of a standing person with these joints.
PixelBox box_of(const PersonDetection& detection, const PinholeCamera<double>& camera);
// Intersection over union, 0 to 1.
double overlap(const PixelBox& a, const PixelBox& b);

struct BodyBox {
  PixelBox whole, cut;   // cut: inside the picture
  float distance_m = 0;  // of the body's middle from the camera
  bool seen = false;     // in front of the camera, and partly in the picture
};

// The hull of a body's rings about its axis. x and y on the floor, z = 0.
BodyBox body_box(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m);

// The points of a box's 4 columns x 8 rows that are in ignored regions, a bit each: row by row from the top.
uint32_t ignored_points(const PixelBox& box, const IgnoredPixels& ignored);
// A camera has no say, neither by a detection nor by the lack of one, about a person of whose box inside the
// picture more than half is in ignored regions, or whose feet are: its lower middle. A box that ends at the
// picture's lower border, or a guess of the feet, does not show where they are.
bool is_ignored(const PixelBox& inside, const IgnoredPixels& ignored, bool feet_seen = true);
// Removes such detections, and the joints in ignored regions of others.
void drop_ignored(const IgnoredPixels& ignored, std::vector<PersonDetection>* people);

// Standing and seated people, as far as the height of the head shows it.

// Probability, 0 to 1, that a person with this head height above the floor (standard deviation `deviation_m`)
// sits. Adults are N(1.69 m, 0.09 m) tall. One in six sits, with the head at N(1.28 m, 0.08 m): DIN 33402-2
// gives seats of 0.41 to 0.45 m and 0.86 to 0.91 m above them (medians of women and men), less 0.04 m for the
// posture of people who are not being measured. A child cannot be distinguished from a seated person.
double seated_probability(double height_m, double deviation_m = 0);
// People are called seated from this probability on.
inline constexpr double kCalledSeated = 0.5;

}  // namespace vantage
