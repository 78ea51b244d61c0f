// The probabilistic occupancy map (marginals.h) over a project's floor, from the masks of one frame. Masks
// are examined about kMaskWidth_px wide, each pixel the middle one of a square. People are reported who
// stand over the grid's floor and, where areas are given, in one. Cells go on for border_m around: anyone who
// stands there explains his silhouette and is not reported. Farther out no one is modelled: such a silhouette
// is explained by people nearer as well as it goes.
//
// Everything is computed in double precision, and the sums of log(1 - q) exactly, in units of kLogUnit: so
// implementations differ only by the rounding of exp and log1p and by the order of the sums over pixels. An
// iteration makes about 1e-6 of that at most where q is near 1; iterating hardly adds to it, since every step
// goes towards the same position.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"
#include "core/people/occupancy/marginals.h"

namespace vantage {

// The part that stays the same from frame to frame.
struct OccupancyPlan {
  static constexpr int kMaskWidth_px = 160;
  struct View {
    int step = 1, width = 0, height = 0;    // of the small mask, from the mask of the picture
    std::vector<BodyRectangle> rectangles;  // in the small mask; empty also beyond the border
  };
  MarginalCells cells;            // the border's too
  std::vector<uint8_t> in_areas;  // per cell: with its middle over the grid and in an area
  std::vector<View> views;
  double width_m = 0, prior = 0;

  size_t cell_count() const { return static_cast<size_t>(cells.nx) * static_cast<size_t>(cells.ny); }
  // How many of the available cameras see a person there; 0 outside the cells.
  int cameras_at(double x_m, double y_m, uint64_t available) const;
  // People in cells that the pictures made more probable than the prior.
  std::vector<FloorPerson> people_in_areas(const Marginals& marginals, double separation_m) const;
  double largest_in_areas(const Marginals& marginals) const;  // probability of a cell

 private:
  std::optional<size_t> cell_at(double x_m, double y_m) const;
};

class OccupancyMapper {
 public:
  static constexpr std::string_view kAlgorithm = "occupancy map";
  struct Arguments {
    std::vector<PinholeCamera<double>> cameras;  // at most 64
    VoxelGrid grid;
    std::vector<FloorZone> areas;  // none: everywhere
  };
  virtual ~OccupancyMapper() = default;
  // Before the first estimate(). Errors: out_of_memory, device_lost.
  virtual Status prepare(const MarginalParameters& parameters) = 0;
  virtual const OccupancyPlan& plan() const = 0;
  // One mask a camera, u8, of its picture's size, 0 is background; empty: no picture. Errors: another number,
  // size or memory (invalid_argument), out_of_memory, device_lost.
  virtual Result<Marginals> estimate(std::span<const Image> masks, int64_t frame) = 0;
};

namespace occupancy_map {

Status check(const OccupancyMapper::Arguments& arguments);
Status check(const OccupancyMapper::Arguments& arguments, std::span<const Image> masks, MemoryPlace place);
OccupancyPlan make_plan(const OccupancyMapper::Arguments& arguments, const MarginalParameters& parameters);

}  // namespace occupancy_map

}  // namespace vantage
