// Drawing of one frame into the page of a figure.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/display/canvas.h"
#include "core/display/floor_picture.h"
#include "core/display/marked_view.h"
#include "core/display/shell_points.h"
#include "core/display/trails.h"
#include "core/export/case/case_people.h"
#include "core/export/figure/figure.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/color_map.h"
#include "core/pipeline/frame_people.h"

namespace vantage::figure_detail {

// The page of a figure: the view, next to it the scale of its colours, below it the caption, on white.

inline constexpr MarkColor kPaper = {255, 255, 255}, kInkOnPaper = {0, 0, 0}, kQuietOnPaper = {96, 96, 96};

// Scale of a view's colours.
struct ColorScale {
  const ColorMap* colors = nullptr;
  double low = 0, high = 1;  // of the values
  std::string unit;
  // As the view shows them: so opaque over that ground.
  double opacity = 1;
  MarkColor ground = kPaper;
};

struct FigurePage {
  int width_px = 0, height_px = 0;  // both even
  PixelArea view, side;             // side: of the scale; empty where there is none
  int caption_top = 0, text_px = 0;
  std::vector<std::string> notes;  // of the caption, line by line; below the line of the frame
};

// `height_share`: of the view, by its width. `notes` are broken where the page ends.
FigurePage lay_out(int width_px, double height_share, bool with_side, const std::vector<std::string>& notes);

void draw_color_bar(Canvas& canvas, const FigurePage& page, const ColorScale& scale);
// Several, one above the other.
void draw_color_bars(Canvas& canvas, const FigurePage& page, const std::vector<ColorScale>& scales);
// The colours of directions, and the length that full colour stands for.
void draw_flow_wheel(Canvas& canvas, const FigurePage& page, double full_px);
// `title`: the line of this frame; smaller where it would not fit.
void draw_caption(Canvas& canvas, const FigurePage& page, const std::string& title);

// The people drawn into a figure: those of the results on disk where these were made with these parameters,
// with their IDs, names and repairs; else those that the chain finds, under the IDs of its frame-by-frame
// tracker.

struct FigurePerson {
  int64_t id = 0;  // 0: not known
  std::string label;
  double x_m = 0, y_m = 0, height_m = 0;
  std::optional<MarkColor> color = {};  // where two sets of parameters are compared; nothing: that of the ID
  bool differs = false;                 // then: from the person that the other finds
  MarkColor shown_color() const { return color.value_or(person_rgb(id)); }
};

class FigurePeople {
 public:
  // `results`: a run's folder. `version`: of the stage `tracking`.
  FigurePeople(const Project& project, const std::filesystem::path& results, FrameRange frames,
               uint64_t version, double frame_rate);

  bool from_results() const { return recorded_.has_value(); }
  // Number of frames before the first that have to be added, too, where the trails are wanted.
  int64_t frames_before() const { return from_results() ? 0 : trail_frames_; }
  void add(const FrameResult& result);
  std::vector<FigurePerson> people(const FrameResult& result) const;
  std::vector<Trail> trails(const FrameResult& result) const;

 private:
  std::string label(int64_t id) const;

  const uint64_t version_;
  const int64_t trail_frames_;
  std::optional<CasePeople> recorded_;
  TrailStore trails_;
};

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

// Draws the picture with its overlays; grey and dark below a height map.
void draw_camera(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas);
void draw_height_map(const FigureScene& scene, const FigureFrame& frame, Canvas& canvas);
// The part of the floor that a plan shows: the analysed region with a margin.
Eigen::AlignedBox2d plan_area_m(const VoxelGrid& grid);
void draw_plan(const FigureScene& scene, const VoxelGrid& grid, const FigureFrame& frame, Canvas& canvas);

// The floor map's scale on the plan's ground.
ColorScale plan_scale();

}  // namespace vantage::figure_detail
