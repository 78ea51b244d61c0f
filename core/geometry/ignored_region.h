// Parts of a camera's picture that do not count: burnt-in time stamps, screens, a road behind a fence. What
// is under them is unknown, neither background nor foreground.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// A polygon in the camera's picture, with its distortion; (0, 0) is the centre of the first pixel. Where it
// crosses itself the even-odd rule holds. Parts outside the picture are allowed.
struct IgnoredRegion {
  std::vector<Eigen::Vector2d> corners_px;  // at least three
  bool operator==(const IgnoredRegion&) const = default;
};
using IgnoredRegions = std::vector<IgnoredRegion>;  // one camera's

// Calls `fill(y, left, right)` for each run of pixels, both ends included, whose centres are in the closed
// polygon (even-odd rule) and in the picture. Fewer than three corners: none.
template <typename Fill>
void for_rows_in_polygon(std::span<const Eigen::Vector2d> corners_px, int width, int height,
                         const Fill& fill) {
  if (corners_px.size() < 3) return;
  std::vector<double> crossings;
  for (int y = 0; y < height; ++y) {
    crossings.clear();
    for (size_t i = 0; i < corners_px.size(); ++i) {
      const Eigen::Vector2d& a = corners_px[i];
      const Eigen::Vector2d& b = corners_px[(i + 1) % corners_px.size()];
      // Half open, so that a corner on the row counts once.
      if ((a.y() <= y) != (b.y() <= y))
        crossings.push_back(a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
    }
    std::sort(crossings.begin(), crossings.end());
    for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
      const auto left = static_cast<int>(std::ceil(std::clamp(crossings[i], 0.0, double(width))));
      const auto right = static_cast<int>(std::floor(std::clamp(crossings[i + 1], -1.0, width - 1.0)));
      if (left <= right) fill(y, left, right);
    }
  }
}

// The pixels of a picture that are in one of the regions.
class IgnoredPixels {
 public:
  IgnoredPixels() = default;  // none
  IgnoredPixels(std::span<const IgnoredRegion> regions, int width, int height);

  bool any() const { return !mask_.empty(); }
  // True if the pixel nearest to the position is ignored; false outside the picture.
  bool at(double x_px, double y_px) const {
    if (mask_.empty() || !(x_px > -0.5 && y_px > -0.5 && x_px < width_ - 0.5 && y_px < height_ - 0.5))
      return false;
    return mask_[static_cast<size_t>(y_px + 0.5) * static_cast<size_t>(width_) +
                 static_cast<size_t>(x_px + 0.5)] != 0;
  }
  double share() const;  // of the picture, 0 to 1
  int width() const { return width_; }
  int height() const { return height_; }
  // u8, 1 where ignored, else 0; without data where nothing is.
  ImageView<const uint8_t> view() const {
    return {mask_.empty() ? nullptr : mask_.data(), width_, height_, static_cast<size_t>(width_)};
  }

 private:
  std::vector<uint8_t> mask_;  // row by row; empty: nothing is ignored
  int width_ = 0, height_ = 0;
};

// A region of these corners, rounded to hundredths of a pixel. `width`, `height`: of the picture; 0: unknown.
// Errors: invalid_argument for fewer than three corners, and for a region without a pixel of the picture.
Result<IgnoredRegion> make_ignored_region(std::span<const Eigen::Vector2d> corners_px, int width, int height);

// u8, host memory, 255 in the regions and 0 elsewhere.
Result<Image> ignored_image(std::span<const IgnoredRegion> regions, int width, int height);

// The regions of a mask in which pixels other than 0 are ignored. Borders run between pixels, and leave them
// by less than a pixel where that saves corners; a hole is joined to the border around it by a slit. Errors:
// bad_data for a mask without such pixels, and for one of more areas or corners than these.
inline constexpr size_t kMaxRegionsOfMask = 200, kMaxCornersOfMask = 5000;
Result<IgnoredRegions> regions_of_mask(const ImageView<const uint8_t>& mask);

// Adds nothing where there are none, so that results of older versions stay current.
void add_to_hash(const IgnoredRegions& regions, Hasher* hasher);

}  // namespace vantage
