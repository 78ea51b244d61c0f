// Do the cameras' silhouettes agree in 3-D? A check of a calibration without ground truth.
//
// The visual hull (A. Laurentini, "The visual hull concept for silhouette-based image understanding", PAMI
// 1994) contains the object, so its projection into a camera covers that camera's silhouette, when
// calibration and silhouettes are right. One wrong camera cuts the hull away and spoils the coverage
// everywhere; the hull without it covers the other silhouettes again. Hence, with C cameras:
//   all        share of the camera's silhouette that the hull of all C covers
//   without    mean share, over the others' silhouettes, that the hull of the others alone covers
//   by_others  share of the camera's silhouette that the hull of the others covers: small where the camera
//              shows what the others do not
// Two cameras exchanged by hand spoil every hull, so no single camera explains them. That is tried: with the
// two silhouettes exchanged back, everything is covered, and far more than without.
// Counted on cells of a few pixels, over the part of a silhouette that the grid reaches. A voxel belongs to
// the hull when at least two cameras see it and its projection meets the silhouette in all that see it. A
// camera whose mask is empty takes no part in that instant, for it would empty every hull.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/threads.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/picture.h"

namespace vantage {

// Numbers of cells, added up over the instants compared.
struct SilhouetteShare {
  int64_t silhouette = 0;  // within the grid's reach
  int64_t covered = 0;
  double value() const { return silhouette > 0 ? static_cast<double>(covered) / silhouette : 1.0; }
};

struct SilhouetteAgreement {
  std::vector<SilhouetteShare> all;                   // one per camera
  std::vector<std::vector<SilhouetteShare>> without;  // [left out][camera]
  double without_camera(size_t left_out) const;       // the mean over the others
  SilhouetteShare by_others(size_t camera) const { return without[camera][camera]; }
};

// The masks of one instant, by camera: u8, 0 or 255, host memory; an empty Image: the camera has none here.
using MaskSet = std::vector<Image>;

class GridViews;  // core/check/detail/scene_places.h

// Adds one instant. A mask that is not of its camera's size counts as none.
void add_silhouettes(const GridViews& views, const MaskSet& masks, SilhouetteAgreement* agreement);

// The grid's box in at most `voxels` cubes.
VoxelGrid coarse_grid(const VoxelGrid& grid, int64_t voxels);

// The cameras whose calibration the silhouettes put in doubt.
enum class SilhouetteVerdict : uint8_t {
  agree,      // every silhouette is covered
  one_wrong,  // without camera `wrong` the others agree
  exchanged,  // with the silhouettes of `wrong` and `other` exchanged all agree
  disagree,   // the cameras disagree, and none of these explains it
  unknown,    // fewer than two cameras with a silhouette
};
struct SilhouetteFinding {
  SilhouetteVerdict verdict = SilhouetteVerdict::unknown;
  size_t wrong = 0, other = 0;
};
SilhouetteFinding judge(const SilhouetteAgreement& agreement);

// Tries every pair of cameras with pictures of one size on the masks of `moments`; disagree where none fits.
SilhouetteFinding find_exchanged(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                                 std::span<const MaskSet> moments, const StopSource& stop);

// Minimum coverage of a silhouette that counts as covered: holes and borders of automatic masks cost some
// percent.
inline constexpr double kMinCoverage = 0.80;
// The hull of the others covers less than kForeign of this camera's silhouettes and is spoiled by the camera:
// it shows something else than they do. Foreground that only this camera has spoils nothing.
bool is_foreign(const SilhouetteAgreement& agreement, size_t camera);
inline constexpr double kForeign = 0.50;

// Silhouettes on cells of a few pixels, and a voxel's footprint on them, shared by the checks of silhouettes.

inline constexpr int kCell_px = 4;

inline int cells_of(int pixels) {
  return (pixels + kCell_px - 1) / kCell_px;
}

struct Cells {
  int width = 0, height = 0;
  std::vector<uint8_t> set;
  Cells() = default;
  Cells(int w, int h) : width(w), height(h), set(static_cast<size_t>(w) * h) {}
  uint8_t& at(int x, int y) { return set[static_cast<size_t>(y) * width + x]; }
  uint8_t at(int x, int y) const { return set[static_cast<size_t>(y) * width + x]; }
  bool any() const { return std::find(set.begin(), set.end(), 1) != set.end(); }
};

// Set pixels of each cell, row by row.
std::vector<int> pixels_set(const Image& mask);
// A cell is set when at least half of it is.
Cells shrink(const Image& mask);

// The cells that a voxel's projection touches; empty where the camera does not see the voxel.
struct Footprint {
  int16_t x0 = 0, y0 = 0, x1 = -1, y1 = -1;
  bool seen() const { return x1 >= x0; }
};

inline void fill(const Footprint& f, Cells* cells) {
  for (int y = f.y0; y <= f.y1; ++y)
    for (int x = f.x0; x <= f.x1; ++x) cells->at(x, y) = 1;
}

// Counts of set cells in rectangles, by an integral image.
class CellSums {
 public:
  CellSums() = default;
  explicit CellSums(const Cells& cells);
  // True if any is set within `radius` cells of the footprint.
  bool any(const Footprint& f, int radius) const {
    const int x0 = std::max(0, f.x0 - radius), y0 = std::max(0, f.y0 - radius);
    const int x1 = std::min(width_, f.x1 + radius + 1), y1 = std::min(height_, f.y1 + radius + 1);
    return at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0) > 0;
  }

 private:
  int at(int x, int y) const { return sums_[static_cast<size_t>(y) * (width_ + 1) + x]; }

  int width_ = 0, height_ = 0;
  std::vector<int> sums_;
};

}  // namespace vantage
