// Heads measured by their outlines. The map says that a person is there and roughly how high. Where a head's
// surface has no texture the data cost comes from outlines, which lie on another surface point in every
// view, so the map's heights are some centimetres off, and half of a head may go without. Here a head is an
// upright ellipsoid, taller than wide by a quarter and longer than wide by a little, whose outline in every
// view should lie on edges of the pictures, a little outside (outline_search.h). Own work, not the source's.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/height_field.h"
#include "core/height_map/heads.h"
#include "core/height_map/outline_search.h"

namespace vantage {

struct OutlineView {
  PinholeCamera<double> camera;
  ImageView<const uint8_t> luma;        // host memory, of the camera's size; no data: no picture
  ImageView<const uint8_t> foreground;  // the same, 0 = background; no data: not known
};

class HeadOutlines {
 public:
  // Reads pictures and masks; they need not outlive it. The reference's first. Best where a head is 10 to 50
  // pixels wide. Errors: a picture or mask of another size than its camera's (invalid_argument),
  // out_of_memory.
  static Result<HeadOutlines> make(std::span<const OutlineView> views);

  // The heads with place, top, radius and agreement by their outlines; those that agree less than
  // min_outline are left out, and of two closer than head_distance_m across the floor all but the one that
  // agrees more (or is higher, as above).
  std::vector<HeightMapHead> fit(const std::vector<HeightMapHead>& heads,
                                 const HeightMapParameters& parameters) const;

 private:
  std::vector<height_map::EdgeView> views_;
};

// Into heights in metres of the reference camera's pixels: the surface of fitted heads (the highest of those
// that a pixel's ray meets) where there are some. `slopes` as in HeightCost::Arguments. Host memory.
void draw_shapes(std::span<const HeightMapHead> heads, const PinholeCamera<double>& camera,
                 const ImageView<const float>& slopes, const ImageView<float>& heights_m);

}  // namespace vantage
