// The distance of a pixel from a silhouette.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/image/picture.h"

namespace vantage {

class DistanceMap {
 public:
  DistanceMap() = default;
  // `mask`: u8, 0 or 255, host memory. Distances beyond `largest_px` are said as that. Large pictures are
  // reduced to some kMapPixels, which blurs the rim by as much.
  DistanceMap(const Image& mask, double largest_px);
  static constexpr double kMapPixels = 400'000;

  bool empty() const { return distances_.empty(); }  // no silhouette
  bool covers(const Eigen::Vector2d& pixel) const;   // lies in the picture
  // Pixels from the rim of the silhouette, to 8 % (chamfer); 0 within it. `pixel`: covered.
  double at(const Eigen::Vector2d& pixel) const;

 private:
  int factor_ = 1, width_ = 0, height_ = 0;
  int picture_width_ = 0, picture_height_ = 0;
  std::vector<float> distances_;  // of cell centres, in cells
};

}  // namespace vantage
