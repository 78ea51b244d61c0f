// The meaning of a camera's pixels above a level floor: where a pixel lies at a given height, and how fast
// the height changes from pixel to pixel on a standing surface. From the calibration alone, lens included.
#pragma once

#include "core/geometry/camera.h"
#include "core/geometry/height_surface.h"
#include "core/image/picture.h"

namespace vantage {

// The point of pixel (x, y) at height h is centre + (h - centre.z) (slope_x, slope_y, 1).
struct HeightRays {
  double center_in_world_m[3] = {0, 0, 0};
  Image slopes;  // f32, 2 * width elements a row: slope_x, slope_y; NaN where the pixel does not look down
};
// In host memory.
Result<HeightRays> make_height_rays(const Camera& camera);

// Expected height of a pixel less that of its right and of its lower neighbour, metres, f32: for a surface
// `height_m` above the floor. The gradient at an edge is the mean of its two pixels' gradients, so that seen
// from the other pixel the value has the other sign. 0 in the last column of `right` and the last row of
// `down`, and where a pixel does not look down.
struct HeightDifferences {
  Image right_m, down_m;
};
Result<HeightDifferences> make_height_differences(const Camera& camera, const HeightRays& rays,
                                                  double height_m, HeightSurface surface);

// Square metres of floor that the camera and at least one other see, within `reach_m` of the cameras'
// centres' bounding box; which camera sees most of it (the first of equals).
std::vector<double> shared_floor_m2(const std::vector<Camera>& cameras, double reach_m = 15);
size_t camera_that_sees_most_floor(const std::vector<Camera>& cameras);

}  // namespace vantage
