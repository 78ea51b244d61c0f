// One step of dynamic programming over a space-time grid: the cheapest way into every cell of a frame. The
// arcs into a frame are a square window, so it is minima of rows, then of columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tracking/paths/detail/grid_paths.h"

namespace vantage::path_detail {

inline constexpr int32_t kFar = int32_t{1} << 30;
inline constexpr int kLargestReach = 127;  // so that a position in the window is less than kFromSource
// How a cell is entered: from a position in the window of the frame before (its number), or as a path's
// start.
inline constexpr uint16_t kFromSource = 65535;

class GridPass {
 public:
  explicit GridPass(const SpaceTimeGrid& grid);

  size_t cells() const { return cells_; }
  // Cells where paths may start and end at any time.
  const std::vector<size_t>& entrances() const { return entrances_; }

  // Labels on leaving the cells of `frame` from those of the frame before (which are not read for frame
  // 0), and into `from` how each is entered. Labels may lie in the same position.
  void step(int frame, const int32_t* labels_before, int32_t* labels, uint16_t* from);
  // The cost to enter a cell in the last step, without its own cost.
  int32_t entered(size_t cell) const { return smallest_[cell]; }

  // The cost to come from so many cells away along an axis.
  int32_t move_cost(int cells) const { return grid_.move_cost * cells * cells; }
  // The cell of the frame before that stands at a place of the window.
  size_t cell_before(size_t cell, uint16_t place) const;

 private:
  void take_start(size_t cell, int32_t cost);
  void take_rows(const int32_t* labels);
  void take_columns();

  const SpaceTimeGrid& grid_;
  const size_t cells_;
  const int width_;  // of the window
  std::vector<size_t> entrances_;
  std::vector<int32_t> smallest_, place_, row_smallest_, row_place_;
};

}  // namespace vantage::path_detail
