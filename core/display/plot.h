// Plots with axes, ticks and a legend, as SVG, PDF or PNG, drawn without a window: lines through the points
// of a series, its points alone, or both. Axes are linear or logarithmic; on a logarithmic axis points that
// are not above 0 are left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct PlotPoint {
  double x = 0, y = 0;
  double low = 0, high = 0;  // a vertical bar between them; none where they are equal
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;  // by x
};

// An upright line at a position, with a word.
struct PlotMark {
  double x = 0;
  std::string text;
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  bool dots = true;  // at each point
  std::vector<PlotSeries> series;
  std::vector<PlotMark> marks = {};
  bool y_from_zero = true;                 // a linear axis of y
  bool lines = true;                       // between the points; where they end at a NaN the next one begins
  double width_px = 720, height_px = 420;  // of the page; wider where a name of the legend needs it
};
inline constexpr int kMinPlot_px = 320, kMaxPlot_px = 8192;

// Round numbers (1, 2 or 5 times a power of ten apart) from low to high, about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

std::string plot_svg(const Plot& plot);
// Format by the file's ending: .svg, .pdf (96 px an inch) or .png. There when it is complete, or as it was
// before. Errors: invalid_argument for another ending; out_of_memory; io.
Status write_plot(const Plot& plot, const std::filesystem::path& file);

}  // namespace vantage
