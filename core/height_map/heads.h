// People from a height map: connected regions of consistent height, and in each the heads as points of the
// world.
//
// Neighbouring pixels with a height belong to one region when their heights differ by at most head_step_m. In
// a region, from the highest pixel down: the pixels within kHeadRadius_m of it across the floor and
// kHeadDepth_m below it are a head when the surface they cover, seen square-on, is at least head_area_m2; its
// place is their mean, found again around the mean, its height above the floor that of the 90th percentile.
// Pixels within head_distance_m of a head belong to that person (shoulders). Of two heads closer than
// head_distance_m the larger one stays.
#pragma once

#include <span>
#include <vector>

#include "core/height_map/height_map.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr double kHeadMiddle_m = 0.11;

// A head that stands out of a height map.
struct HeightMapHead {
  double x_m = 0, y_m = 0;    // in the world
  double z_m = 0;             // of its middle; kHeadMiddle_m below the top where no outline was fitted
  double height_m = 0;        // of its top above the floor
  double x_px = 0, y_px = 0;  // in the reference picture, mean
  double area_m2 = 0;
  int pixels = 0;
  // Fit by its outlines (head_shape.h); 0: not fitted, place and height are then the map's.
  double radius_m = 0, yaw_rad = 0, outline = 0;
};

struct HeightEstimate {
  size_t reference = 0;  // camera
  HeightMap map;         // labels and unsettled pixels in host memory; empty: no map was made
  Image heights_m;  // f32, host: metres above the floor, NaN: no head; by outlines where they were fitted
  std::vector<HeightMapHead> heads;
  // The heights for displays, u8: level k is the share k / (level_count - 1) of the labels' range, from
  // level_count on there is no head. In host memory, and with the unsettled pixels on the device that the map
  // was solved on (empty on the CPU).
  int level_count = 0;
  Image levels, device_levels, device_unsettled;
};

// `labels` in host memory; `slopes` and `center_in_world_m` as in HeightCost::Arguments.
std::vector<HeightMapHead> find_heads(const HeightMap& map, const ImageView<const uint8_t>& labels,
                                      const ImageView<const float>& slopes, const double* center_in_world_m,
                                      const HeightMapParameters& parameters);

}  // namespace vantage

namespace vantage::height_map {

// How much of a rectangle of a picture is foreground. Inside core/height_map only.

class ForegroundShare {
 public:
  ForegroundShare() = default;  // not known
  // `mask`: u8, host memory, 0 = background; the foreground is taken one pixel larger. Not read afterwards.
  static Result<ForegroundShare> make(const ImageView<const uint8_t>& mask);

  // Share of foreground among the pixels whose centres lie within (reach_x, reach_y) of (x, y), px, as far as
  // they are in the picture; 1 where there are none or the foreground is not known.
  float around(float x, float y, float reach_x, float reach_y) const;

  // The same for shares.size() pixels side by side, (x, y) and those to its right, whose rectangles lie in
  // the picture.
  void around_pixels(int x, int y, float reach_x, float reach_y, std::span<float> shares) const;
  bool known() const { return static_cast<bool>(sums_); }

 private:
  Image sums_;  // u32, exclusive integral image of 0 and 255, one larger both ways
};

}  // namespace vantage::height_map
