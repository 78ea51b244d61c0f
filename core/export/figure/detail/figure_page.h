// The page of a figure: the view, next to it the scale of its colours, below it the caption, on white.
#pragma once

#include <string>
#include <vector>

#include "core/display/canvas.h"
#include "core/image/color_map.h"

namespace vantage::figure_detail {

inline constexpr MarkColor kPaper = {255, 255, 255}, kInkOnPaper = {0, 0, 0}, kQuietOnPaper = {96, 96, 96};

// What the colours of a view stand for.
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
FigurePage lay_out(int width_px, double height_share, bool with_side, const std::vector<std::string>& notes,
                   Font& font);

void draw_color_bar(Canvas& canvas, const FigurePage& page, const ColorScale& scale);
// Several, one above the other.
void draw_color_bars(Canvas& canvas, const FigurePage& page, const std::vector<ColorScale>& scales);
// The colours of directions, and the length that full colour stands for.
void draw_flow_wheel(Canvas& canvas, const FigurePage& page, double full_px);
// `title`: the line of this frame; smaller where it would not fit.
void draw_caption(Canvas& canvas, const FigurePage& page, const std::string& title);

}  // namespace vantage::figure_detail
