// Heads measured by their outlines. The map says that somebody is there and roughly how high. Where a head's
// surface has no texture the data cost comes from outlines, which lie on another surface point in every
// view, so the map's heights are some centimetres off, and half of a head may go without. Here a head is an
// upright ellipsoid, taller than wide by a quarter and longer than wide by a little, whose outline in every
// view should lie on edges of the pictures. Own work, not the source's.
//
// Agreement of a shape: over the points of its outline (the curve where rays from the camera touch the
// ellipsoid) the mean of |n . g| / (|g| + kFlat), g the gradient of the smoothed picture in grey levels a
// pixel, n the outline's normal; and of that the mean over the views that see the whole outline, at least
// two: one says nothing about depth. 0 to 1.
//
// Search: a grid of places around the seed, kReach_m across the floor, kReachDown_m and kReachUp_m in height
// (a seed may be a shoulder), for two radii, the outline moved as a whole; places that the first view does
// not support (kLeastFirst) are left at once. The best kCandidates, apart by kApart_m, are turned and then
// improved number by number, with steps halved kHalvings times. Places cost up to kAway and kAside for lying
// kAway_m or more from the seed in height and across, and earn kHigher a metre: collars and shoulders are
// round too, but the head is above them. Constants were chosen on rendered crowds
// (resources/docs/performance.md).
#pragma once

#include <span>
#include <vector>

#include "core/geometry/height_field.h"
#include "core/height_map/heads.h"

namespace vantage {

struct OutlineView {
  PinholeCamera<double> camera;
  ImageView<const uint8_t> luma;  // host memory, of the camera's size; no data: no picture
};

class HeadOutlines {
 public:
  // Reads the pictures; they need not outlive it. The reference's first. Best where a head is 10 to 50 pixels
  // wide. Errors: a picture of another size than its camera's (invalid_argument), out_of_memory.
  static Result<HeadOutlines> make(std::span<const OutlineView> views);

  // The heads with place, top, radius and agreement by their outlines; those that agree less than
  // least_outline are left out, and of two closer than head_distance_m across the floor all but the one that
  // agrees more (or is higher, as above).
  std::vector<Head> fit(const std::vector<Head>& heads, const HeightMapParameters& parameters) const;

 private:
  struct View {
    PinholeCamera<float> camera;
    float eye_m[3];
    Image contrast;  // f32, two a pixel: g / (|g| + kFlat)
  };
  class Search;
  std::vector<View> views_;
};

// Metres above the floor, f32, NaN where there is no head: what the map says, but the surface of fitted heads
// (the highest of those that a pixel's ray meets) where there are some. `slopes` and `center_in_world_m` as
// in HeightCost::Arguments.
Result<Image> heights_with_shapes(const HeightMap& map, std::span<const Head> heads,
                                  const ImageView<const float>& slopes, const double* center_in_world_m);

}  // namespace vantage
