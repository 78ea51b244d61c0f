// Line plots as SVG text: axes with ticks, one line a series, a legend. Axes are linear or logarithmic; on a
// logarithmic axis points that are not above 0 are left out. No dependency; opens in any browser.
#pragma once

#include <string>
#include <vector>

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
  bool y_from_zero = true;  // a linear axis of y
};

std::string plot_svg(const Plot& plot);

}  // namespace vantage
