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
  // The sums of a row; of the cells x0_ <= x < x1_.
  const int32_t* row(int y) const {
    return sums_.data() + static_cast<ptrdiff_t>(x1_ - x0_) * (y - y0_) - x0_;
  }
  int32_t at(int x, int y) const { return row(y)[x]; }
  int cell(int axis, double m) const {
    return static_cast<int>(std::floor((m - grid_.origin_in_world_m[axis]) / grid_.voxel_size_m));
  }
  void make_head_cells();
  void find_bounds();
  void make_integral();
  void make_sums();
  bool is_maximum(int x, int y, int32_t sum) const;
  FoundPerson describe(int x, int y) const;
  void move_to_middle(FoundPerson& person, double radius_m) const;
  template <typename F>
  void for_cells_within(double x_m, double y_m, double radius_m, const F& use) const;

  const VoxelGrid grid_;
  FloorViews map_;
  double footprint_m_ = 0;
  int radius_ = 1;                         // of the footprint, in cells
  int x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0;  // the cells within a footprint of what stands
  std::vector<std::pair<int, int>> head_cells_;
  int min_cells_ = 1;  // of them that a head's top fills
  // Counts of voxels, of which a grid has fewer than 2^31.
  std::vector<int32_t> integral_;  // see make_integral()
  std::vector<int32_t> sums_;      // over the footprint around each of the cells
};

}  // namespace vantage::people_detail
