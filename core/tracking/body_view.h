// A body's outline in a reduced mask, and which of its pixels are foreground that nobody explains yet.
// Private to core/tracking.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/projection.h"
#include "core/image/image_view.h"

namespace vantage::people_detail {

// One camera's mask at about kWidth_px: a pixel is foreground when half of the mask's pixels under it are.
struct ReducedMask {
  static constexpr int kWidth_px = 320;
  static constexpr uint8_t kBackground = 0, kOwn = 1, kExplained = 2;
  int width = 0, height = 0, step = 1;
  std::vector<uint8_t> pixels;  // empty: the camera has no picture
  uint8_t* row(int y) { return pixels.data() + static_cast<size_t>(y) * static_cast<size_t>(width); }
  const uint8_t* row(int y) const {
    return pixels.data() + static_cast<size_t>(y) * static_cast<size_t>(width);
  }
};
ReducedMask reduce_mask(const ImageView<const uint8_t>& mask);

// A run of pixels of one row.
struct Span {
  int y, begin, end;
};

struct Outline {
  std::vector<Span> spans;                                        // inside the picture
  int64_t inside = 0;                                             // pixels of them
  int64_t area = 0;                                               // with those outside the picture
  bool seen() const { return inside > 0 && 2 * inside >= area; }  // at least half of the body
};

// The outline of an upright body at (x, y) on the floor.
Outline outline_of(const PinholeCamera<double>& camera, const ReducedMask& mask, double x_m, double y_m,
                   double height_m);

struct Cover {
  int64_t foreground = 0;  // own and explained
  int64_t own = 0;         // not explained by anybody chosen
};
Cover cover(const ReducedMask& mask, const Outline& outline);
void mark_explained(ReducedMask& mask, const Outline& outline);

}  // namespace vantage::people_detail
