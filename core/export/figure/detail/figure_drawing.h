// What a figure shows of one frame, drawn into its page.
#pragma once

#include <vector>

#include "core/display/canvas.h"
#include "core/display/floor_picture.h"
#include "core/display/shell_points.h"
#include "core/export/figure/detail/figure_page.h"
#include "core/export/figure/detail/figure_people.h"
#include "core/export/figure/figure.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::figure_detail {

struct FigureFrame {
  FrameResultRef result;
  Picture picture;        // of the view's camera, in host memory; empty: it has none
  Image mask;             // likewise
  Image other_mask = {};  // of other parameters, drawn as the difference; empty: not compared
  std::vector<FigurePerson> people;
  std::vector<Trail> trails;
  double flow_full_px = 1;
  std::vector<ShellPoint> shell;  // of a scene's volume
  FloorPicture slice;             // empty: none
};

struct FigureScene {
  const Project& project;
  const FigureView& view;
  size_t camera = 0;  // of the picture
  FigurePage page;
  bool shows(FigureOverlay overlay) const { return view.overlays.contains(overlay); }
};

// The picture with what lies over it; grey and dark below a height map.
void draw_camera(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas);
void draw_height_map(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas);
// The part of the floor that a plan shows: the analysed region with a margin.
Eigen::AlignedBox2d plan_area_m(const VoxelGrid& grid);
void draw_plan(const FigureScene& scene, const VoxelGrid& grid, const FigureFrame& frame, Canvas& canvas);

// The floor map's scale on the plan's ground.
ColorScale plan_scale();

}  // namespace vantage::figure_detail
