// Several iterations on one tile of a level, row by row. While row y goes through iteration t, row y - t *
// radius of the next iterations follows in the same pass, so that a tile's expansions are read once into the
// cache for all iterations and the flow between two iterations is never more than one line.
//
// Every iteration needs `radius` more pixels around than the next, so a tile begins with a margin that its
// neighbours compute as well; tiles are then independent of each other.
#pragma once

#include <vector>

#include "core/optical_flow/detail/flow_kernels.h"

namespace vantage::flow {

// dx, dy pairs: lines of 2 * width floats, zero at first.
class FlowRows {
 public:
  FlowRows() = default;
  FlowRows(int width, int height) : width_(width), rows_(2 * width, height, 1) {}
  int width() const { return width_; }
  int height() const { return rows_.height(); }
  float* row(int y) { return rows_.row(y); }
  const float* row(int y) const { return rows_.row(y); }

 private:
  int width_ = 0;
  Rows rows_;
};

struct Tile {
  Columns columns;
  int begin_row = 0, end_row = 0;
};

// How a level is cut up. Depends on the level only, not on the number of threads: so does the result's last
// bit.
struct TilePlan {
  int width = 0, height = 0, across = 1, down = 1;
  int iterations = 1;  // at most, in one pass
  static TilePlan make(int width, int height, int radius);
  int count() const { return across * down; }
  Tile tile(int index) const;
};

struct TileArguments {
  const Rows& earlier;
  const Rows& later;
  const WindowWeights& window;
  const std::vector<float>& border_x;  // squared axis weights
  const std::vector<float>& border_y;
  const FlowRows& from;
  FlowRows& to;
};
void iterate_tile(const TileArguments& arguments, const Tile& tile, int iterations);

// Floats of the calling thread to work in; kept from call to call.
float* scratch(size_t floats);

}  // namespace vantage::flow
