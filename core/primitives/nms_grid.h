// The spatial index of non-maximum suppression, shared by the CPU and the CUDA implementations: which cells
// can hold a box that intersects a given one. Boxes are sorted into levels by their larger side, each level
// half the size of the one before, and inside a level into a grid by their top-left corner. A cell is at
// least as large as the largest box of its level, so a query looks at few cells wherever sizes are alike, and
// a single huge box does not spoil the index for the small ones. Plain data: .cu files include this header.
#pragma once

#include "core/primitives/nms_rule.h"

namespace vantage::nms {

inline constexpr int kLevels = 8;
inline constexpr int kCellsPerSide = 64;
inline constexpr int kCellsPerLevel = kCellsPerSide * kCellsPerSide;

struct CellRange {
  int x0, y0, x1, y1;  // inclusive
};

struct Grid {
  float left = 0, top = 0;  // smallest corner
  float largest_side = 0;   // of any box
  float slack = 0;          // covers rounding and the pixel convention
  float cells_per_unit[kLevels] = {};

  VANTAGE_HD static Grid make(float left, float top, float right, float bottom, float largest_side,
                              float pixel) {
    Grid grid;
    grid.left = left;
    grid.top = top;
    grid.largest_side = largest_side;
    const float extent = greater(right - left, bottom - top);
    const float reach = greater(greater(right, -left), greater(bottom, -top));
    grid.slack = pixel + 1e-6f * (greater(reach, 0.0f) + extent + largest_side);
    for (int level = 0; level < kLevels; ++level) {
      const float cell = greater(grid.side_of_level(level), extent * (1.0f / kCellsPerSide));
      grid.cells_per_unit[level] = cell > 1e-30f ? 1.0f / cell : 0.0f;
    }
    return grid;
  }

  // No box of the level has a larger side.
  VANTAGE_HD float side_of_level(int level) const { return largest_side / static_cast<float>(1 << level); }

  VANTAGE_HD int level_of(const Corners& box) const {
    const float side = greater(box.x2 - box.x1, box.y2 - box.y1);
    int level = 0;
    while (level + 1 < kLevels && side <= side_of_level(level + 1)) ++level;
    return level;
  }

  // Grows with the distance, so an interval of positions becomes an interval of cells.
  VANTAGE_HD int cell_of(float distance, int level) const {
    const float cell = distance * cells_per_unit[level];
    return static_cast<int>(greater(0.0f, lesser(cell, static_cast<float>(kCellsPerSide - 1))));
  }

  VANTAGE_HD int index_of(const Corners& box, int level) const {
    return (level * kCellsPerSide + cell_of(box.y1 - top, level)) * kCellsPerSide +
           cell_of(box.x1 - left, level);
  }

  // Cells of a level that can hold the top-left corner of a box that intersects this one.
  VANTAGE_HD CellRange cells_near(const Corners& box, int level) const {
    const float before = side_of_level(level) + slack;
    return {cell_of(box.x1 - left - before, level), cell_of(box.y1 - top - before, level),
            cell_of(box.x2 - left + slack, level), cell_of(box.y2 - top + slack, level)};
  }
};

}  // namespace vantage::nms
