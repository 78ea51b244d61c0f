// Distances of pixels from a silhouette.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/image/picture.h"

namespace vantage {

class DistanceMap {
 public:
  DistanceMap() = default;
  // `mask`: u8, 0 or 255, host memory. Distances are clamped to `largest_px`. Large pictures are reduced to
  // about kMapPixels, which blurs the border accordingly.
  DistanceMap(const Image& mask, double largest_px);
  static constexpr double kMapPixels = 400'000;

  bool empty() const { return distances_.empty(); }  // no silhouette
  bool covers(const Eigen::Vector2d& pixel) const;   // lies in the picture
  // Pixels from the border of the silhouette, to 8 % (chamfer); 0 inside. `pixel`: one that the map covers.
  double at(const Eigen::Vector2d& pixel) const;

 private:
  int factor_ = 1, width_ = 0, height_ = 0;
  int picture_width_ = 0, picture_height_ = 0;
  std::vector<float> distances_;  // one per cell, for its centre, in cells
};

}  // namespace vantage
