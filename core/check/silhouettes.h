// Do the cameras' silhouettes agree in 3-D? A check of a calibration without ground truth.
//
// The visual hull of the silhouettes (A. Laurentini, "The visual hull concept for silhouette-based image
// understanding", PAMI 1994) contains the object, so its projection into a camera covers that camera's
// silhouette, when calibration and silhouettes are right. One wrong camera cuts the hull away and spoils the
// coverage everywhere; the hull without it covers the other silhouettes again. Hence, with C cameras:
//
//   all        share of the camera's silhouette that the hull of all C covers
//   without    mean share, over the others' silhouettes, that the hull of the others alone covers
//
// Counted on cells of a few pixels, over the part of a silhouette that the grid reaches. A voxel belongs to
// the hull when at least two cameras see it and its projection meets the silhouette in all that see it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/picture.h"

namespace vantage {

// Cells, added up over the moments compared.
struct SilhouetteShare {
  int64_t silhouette = 0;  // within the grid's reach
  int64_t covered = 0;
  double value() const { return silhouette > 0 ? static_cast<double>(covered) / silhouette : 1.0; }
};

struct SilhouetteAgreement {
  std::vector<SilhouetteShare> all;                   // by camera
  std::vector<std::vector<SilhouetteShare>> without;  // [left out][camera]
  double without_camera(size_t left_out) const;       // the mean over the others
};

// Adds one moment: a mask (u8, 0 or 255, host memory) per camera; an empty Image: the camera has none here
// and takes no part. `grid` is best coarse, some 100 000 voxels.
void add_silhouettes(const std::vector<Camera>& cameras, const VoxelGrid& grid, std::span<const Image> masks,
                     SilhouetteAgreement* agreement);

// The grid's box in at most `voxels` cubes.
VoxelGrid coarse_grid(const VoxelGrid& grid, int64_t voxels);

// Which cameras' calibration the silhouettes put in doubt.
enum class SilhouetteVerdict : uint8_t {
  agree,      // every silhouette is covered
  one_wrong,  // without camera `wrong` the others agree
  disagree,   // they do not, and no single camera explains it
  unknown,    // fewer than two cameras with a silhouette
};
struct SilhouetteFinding {
  SilhouetteVerdict verdict = SilhouetteVerdict::unknown;
  size_t wrong = 0;
};
SilhouetteFinding judge(const SilhouetteAgreement& agreement);

// A silhouette counts as covered from this share on: holes and rims of automatic masks cost some percent.
inline constexpr double kLeastCoverage = 0.80;

}  // namespace vantage
