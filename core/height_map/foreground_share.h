// How much of a rectangle of a picture is foreground. Inside core/height_map only.
#pragma once

#include <span>

#include "core/image/picture.h"

namespace vantage::height_map {

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
