// Do the outlines of the silhouettes fit each other? A finer check of a calibration than the visual hull's
// (silhouettes.h), which forgives some pixels.
//
// A plane through the centres of two cameras that touches the outermost point of what both see touches both
// silhouettes (frontier points: R. Cipolla, K. Astrom, P. Giblin, "Motion from the frontier of curved
// surfaces", ICCV 1995; used to calibrate by S. N. Sinha, M. Pollefeys, L. McMillan, "Camera network
// calibration from dynamic silhouettes", CVPR 2004). The two outermost planes of the pencil are found from
// each silhouette alone; the angle between a camera's plane and the other's, as pixels at the outline, is the
// pair's error. Errors of the pairs with one wrong camera are large, those of the others are not.
//
// A tangent counts where the outline's point is off the picture's border in both cameras. Foreground that
// other cameras do not support is taken away before (common_silhouettes()).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/picture.h"

namespace vantage {

// The masks (u8, 0 or 255, host memory; an empty Image: none) without what does not lie, to `tolerance_px`,
// before the silhouettes of all others that see it, three or more seeing it where there are three, and
// without specks. `grid` is best coarse, some 100 000 voxels.
std::vector<Image> common_silhouettes(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                                      std::span<const Image> masks, double tolerance_px);

class TangentErrors {
 public:
  // Errors beyond `largest_px` (the tolerance of common_silhouettes()) are of the masks, not of a camera.
  TangentErrors(const std::vector<Camera>& cameras, double largest_px);

  // One moment.
  void add(std::span<const Image> masks);

  // Root mean square over both tangents of the lower quartile over the moments, in pixels; nothing: none was
  // found.
  std::optional<double> pair_px(size_t a, size_t b) const;
  // Root mean square over the pairs with the camera, and over those without it; 0 where there is none.
  struct Split {
    double with_px = 0, without_px = 0;
    int pairs_with = 0, pairs_without = 0;
  };
  Split split(size_t camera) const;

  // The limit that a sound calibration stays below: 0.9 degrees, which masks of people made automatically
  // need.
  double limit_px() const { return 0.016 * focal_length_px_; }

  // The one camera that fits none of the others while they fit each other; needs four or more.
  std::optional<size_t> wrong_camera() const;

 private:
  struct Pair {
    size_t a, b;
    std::vector<double> errors_px[2];  // by tangent, a value each moment
  };

  std::vector<Camera> cameras_;
  double focal_length_px_, largest_px_;
  std::vector<Pair> pairs_;
};

}  // namespace vantage
