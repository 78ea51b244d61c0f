// Silhouettes on cells of a few pixels, and where a voxel falls on them: what the checks of silhouettes
// share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/geometry/camera.h"
#include "core/image/picture.h"

namespace vantage {

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

// The cells that a voxel's projection touches; empty: the camera does not see the voxel.
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
  // Whether any is set within `radius` cells of the footprint.
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
