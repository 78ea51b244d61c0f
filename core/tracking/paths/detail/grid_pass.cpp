#include "core/tracking/paths/detail/grid_pass.h"

#include <algorithm>

namespace vantage::path_detail {

GridPass::GridPass(const SpaceTimeGrid& grid)
    : grid_(grid),
      cells_(static_cast<size_t>(grid.nx) * static_cast<size_t>(grid.ny)),
      width_(2 * grid.reach + 1),
      smallest_(cells_),
      place_(cells_),
      row_smallest_(cells_),
      row_place_(cells_) {
  for (size_t cell = 0; cell < cells_; ++cell)
    if (grid_.entrances[cell]) entrances_.push_back(cell);
}

void GridPass::step(int frame, const int32_t* labels_before, int32_t* labels, uint16_t* from) {
  if (frame > 0) {
    take_rows(labels_before);
    take_columns();
    for (const size_t cell : entrances_) take_start(cell, grid_.entry_cost);
  } else {
    std::fill(smallest_.begin(), smallest_.end(), kFar);
    for (size_t cell = 0; cell < cells_; ++cell) take_start(cell, grid_.first_entry_cost);
  }
  const int32_t* cost = grid_.cost.data() + static_cast<size_t>(frame) * cells_;
  for (size_t cell = 0; cell < cells_; ++cell) {
    labels[cell] = std::min(smallest_[cell] + cost[cell], kFar);
    from[cell] = static_cast<uint16_t>(place_[cell]);
  }
}

size_t GridPass::cell_before(size_t cell, uint16_t place) const {
  const auto dy = static_cast<ptrdiff_t>(place) / width_ - grid_.reach;
  const auto dx = static_cast<ptrdiff_t>(place) % width_ - grid_.reach;
  return static_cast<size_t>(static_cast<ptrdiff_t>(cell) + dy * grid_.nx + dx);
}

void GridPass::take_start(size_t cell, int32_t cost) {
  if (cost < smallest_[cell]) smallest_[cell] = cost, place_[cell] = kFromSource;
}

void GridPass::take_rows(const int32_t* labels) {
  const int nx = grid_.nx, reach = grid_.reach;
  for (int y = 0; y < grid_.ny; ++y) {
    const int32_t* row = labels + static_cast<ptrdiff_t>(y) * nx;
    int32_t* out = row_smallest_.data() + static_cast<ptrdiff_t>(y) * nx;
    int32_t* at = row_place_.data() + static_cast<ptrdiff_t>(y) * nx;
    std::copy(row, row + nx, out);
    std::fill(at, at + nx, reach);
    for (int d = -reach; d <= reach; ++d)
      for (int x = std::max(0, -d); x < std::min(nx, nx - d); ++x) {
        const int32_t moved = row[x + d] + move_cost(d);
        const bool less = moved < out[x];
        at[x] = less ? d + reach : at[x];
        out[x] = less ? moved : out[x];
      }
  }
}

void GridPass::take_columns() {
  const int nx = grid_.nx, ny = grid_.ny, reach = grid_.reach;
  std::fill(smallest_.begin(), smallest_.end(), kFar);
  for (int y = 0; y < ny; ++y)
    for (int v = std::max(0, y - reach); v <= std::min(ny - 1, y + reach); ++v) {
      const int32_t* row = row_smallest_.data() + static_cast<ptrdiff_t>(v) * nx;
      const int32_t* dx = row_place_.data() + static_cast<ptrdiff_t>(v) * nx;
      int32_t* out = smallest_.data() + static_cast<ptrdiff_t>(y) * nx;
      int32_t* at = place_.data() + static_cast<ptrdiff_t>(y) * nx;
      const int32_t first = (v - y + reach) * width_;
      for (int x = 0; x < nx; ++x) {
        const int32_t moved = row[x] + move_cost(v - y);
        const bool less = moved < out[x];
        at[x] = less ? first + dx[x] : at[x];
        out[x] = less ? moved : out[x];
      }
    }
}

}  // namespace vantage::path_detail
