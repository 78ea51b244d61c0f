// The volume over the floor map: that over a person's footprint, heights, and the volume's peaks.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/people/people.h"

namespace vantage::people_detail {

class FloorVolume {
 public:
  explicit FloorVolume(const VoxelGrid& grid);
  // Everything below is of this map, which has to stay until the next one.
  void take(const FloorViews& map, double footprint_m);

  bool empty() const { return x0_ >= x1_; }
  // Litres over the square footprint around the position; 0 far from everything.
  double litres_at(double x_m, double y_m) const;
  // The height that a head there reaches, a little below its very top; 0 where nothing stands.
  double height_at(double x_m, double y_m) const;

  // Local maxima of the volume over the footprint, moved to the middle of the volume under it, with volume
  // and height; largest volume first. Those below min_volume_l are among them only when they are the largest
  // of all.
  std::vector<FoundPerson> peaks(double min_volume_l) const;

  // Places spacing_m apart, in rows, over everything that stands.
  template <typename F>
  void for_lattice(double spacing_m, const F& use) const {
    const int stride = std::max(1, static_cast<int>(std::lround(spacing_m / grid_.voxel_size_m)));
    const auto first = [&](int cell) { return (cell + stride - 1) / stride * stride; };
    for (int y = first(y0_); y < y1_; y += stride)
      for (int x = first(x0_); x < x1_; x += stride) use(grid_.center(0, x), grid_.center(1, y));
  }

 private:
  // Cells of a row whose sums may be above 0.
  struct Span {
    int y = 0, begin = 0, end = 0;
  };
  static constexpr int kBlock = 16;  // cells of a row that are empty together, or not

  const int32_t* row(int y) const { return sums_.data() + static_cast<ptrdiff_t>(grid_.nx) * y; }
  int32_t* row(int y) { return sums_.data() + static_cast<ptrdiff_t>(grid_.nx) * y; }
  int32_t at(int x, int y) const { return row(y)[x]; }
  uint8_t* filled_row(int y) { return filled_.data() + static_cast<ptrdiff_t>(blocks_) * y; }
  int cell(int axis, double m) const {
    return static_cast<int>(std::floor((m - grid_.origin_in_world_m[axis]) / grid_.voxel_size_m));
  }
  void make_head_cells();
  void find_filled();
  void find_bounds();
  void make_sums();
  void change_strip(int y, int32_t sign);
  void find_spans(int y);
  void sum_span(const Span& span);
  bool is_maximum(int x, int y, int32_t sum) const;
  FoundPerson describe(int x, int y) const;
  void move_to_middle(FoundPerson& person, double radius_m) const;

  const VoxelGrid grid_;
  const int blocks_;  // of a row
  std::vector<double> centers_x_m_, centers_y_m_;
  FloorViews map_;
  double footprint_m_ = 0;
  int radius_ = 1;                         // of the footprint, in cells
  int x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0;  // the cells within a footprint of what stands
  std::vector<std::pair<int, int>> head_cells_;
  int min_cells_ = 1;            // of them that a head's top fills
  std::vector<uint8_t> filled_;  // by row and block: whether something stands there
  // Counts of voxels, of which a grid has fewer than 2^31.
  std::vector<int32_t> sums_;  // over the footprint around each cell of the grid; 0 outside of the spans
  std::vector<Span> spans_;    // in reading order
  // See make_sums(); radius_ + 1 zeros on either side.
  std::vector<int32_t> strip_;
  std::vector<int32_t> rows_in_strip_;  // by block: how many rows of the strip have something there
};

}  // namespace vantage::people_detail
