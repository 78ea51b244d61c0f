#include "core/display/plot.h"

#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"

namespace vantage {
namespace {

constexpr double kLetter = 7, kLegendIndent = 28;
constexpr double kWidth = 720, kHeight = 420, kLeft = 70, kRight = 160, kTop = 40, kBottom = 50;
// Okabe and Ito's colours, which people with colour-blindness tell apart.
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  return out;
}

// One axis: where values lie between `begin` and `end` on the page.
struct Axis {
  bool logarithmic;
  double low, high, begin, end;

  double scaled(double value) const { return logarithmic ? std::log10(value) : value; }
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  double at(double value) const {
    return begin + (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) * (end - begin);
  }
};

// 1, 2 or 5 times a power of ten: at least `raw`.
double round_step(double raw) {
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

std::vector<double> ticks_of(const Axis& axis) {
  std::vector<double> ticks;
  if (axis.logarithmic) {
    const bool few = axis.high / axis.low < 1e4;
    for (double power = std::pow(10, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10)
      for (const double factor : {1.0, 2.0, 5.0})
        if ((few || factor == 1) && factor * power >= axis.low * 0.999 && factor * power <= axis.high * 1.001)
          ticks.push_back(factor * power);
    return ticks;
  }
  const double step = round_step((axis.high - axis.low) / 6);
  for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high + 1e-9 * step; ++i)
    ticks.push_back(i * step);
  return ticks;
}

void widen(Axis& axis, double value, bool* first) {
  if (!axis.shows(value)) return;
  axis.low = *first ? value : std::min(axis.low, value);
  axis.high = *first ? value : std::max(axis.high, value);
  *first = false;
}

// From what there is to see; linear axes of y start at 0 unless they need not.
void fit(const Plot& plot, Axis* x, Axis* y) {
  bool first_x = true, first_y = true;
  if (!y->logarithmic && plot.y_from_zero) widen(*y, 0, &first_y);
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& p : series.points) {
      widen(*x, p.x, &first_x);
      for (const double value : {p.y, p.low, p.high})
        if (value == p.y || p.low != p.high) widen(*y, value, &first_y);
    }
  for (Axis* axis : {x, y}) {
    if (axis->high > axis->low) continue;
    axis->high = axis->logarithmic ? axis->low * 10 : axis->low + 1;
  }
  if (y->logarithmic) {
    y->high *= 1.2;
  } else {
    const double room = 0.05 * (y->high - y->low);
    y->high += room;
    if (!plot.y_from_zero) y->low -= room;
  }
}

void draw_axes(const Plot& plot, const Axis& x, const Axis& y, std::string* out) {
  for (const double tick : ticks_of(x))
    *out += formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>", x.at(tick), kTop,
                      x.at(tick), kHeight - kBottom) +
            formatted("<text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>\n", x.at(tick),
                      kHeight - kBottom + 16, tick);
  for (const double tick : ticks_of(y))
    *out +=
        formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>", kLeft, y.at(tick),
                  kWidth - kRight, y.at(tick)) +
        formatted("<text x='%.1f' y='%.1f' text-anchor='end'>%g</text>\n", kLeft - 6, y.at(tick) + 4, tick);
  *out += formatted("<rect x='%g' y='%g' width='%g' height='%g' fill='none' stroke='#333'/>\n", kLeft, kTop,
                    kWidth - kRight - kLeft, kHeight - kBottom - kTop);
  *out += formatted("<text x='%g' y='22' font-size='15'>", kLeft) + escaped(plot.title) + "</text>\n";
  *out +=
      formatted("<text x='%g' y='%g' text-anchor='middle'>", (kLeft + kWidth - kRight) / 2, kHeight - 12) +
      escaped(plot.x_label) + "</text>\n";
  *out += formatted("<text x='16' y='%g' text-anchor='middle' transform='rotate(-90 16 %g)'>",
                    (kTop + kHeight - kBottom) / 2, (kTop + kHeight - kBottom) / 2) +
          escaped(plot.y_label) + "</text>\n";
}

void draw_marks(const Plot& plot, const Axis& x, std::string* out) {
  for (const PlotMark& mark : plot.marks) {
    if (!x.shows(mark.x) || mark.x < x.low || mark.x > x.high) continue;
    *out += formatted(
                "<line class='mark' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#666' "
                "stroke-dasharray='4 3'/>",
                x.at(mark.x), kTop, x.at(mark.x), kHeight - kBottom) +
            formatted("<text x='%.1f' y='%.1f' fill='#666'>", x.at(mark.x) + 4, kTop + 14) +
            escaped(mark.text) + "</text>\n";
  }
}

// Wider where a name of the legend needs it.
double page_width(const Plot& plot) {
  double width = kWidth;
  for (const PlotSeries& series : plot.series)
    width = std::max(
        width, kWidth - kRight + kLegendIndent + kLetter * (static_cast<double>(series.name.size()) + 2));
  return width;
}

void draw_series(const PlotSeries& series, const char* color, bool dots, const Axis& x, const Axis& y,
                 std::string* out) {
  std::string line, rest;
  for (const PlotPoint& p : series.points) {
    if (!x.shows(p.x) || !y.shows(p.y)) continue;
    line += formatted("%.1f,%.1f ", x.at(p.x), y.at(p.y));
    if (dots) rest += formatted("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", x.at(p.x), y.at(p.y), color);
    if (p.low != p.high && y.shows(p.low) && y.shows(p.high))
      rest += formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>", x.at(p.x), y.at(p.low),
                        x.at(p.x), y.at(p.high), color);
  }
  *out += "<polyline fill='none' stroke='" + std::string(color) + "' stroke-width='1.5' points='" + line +
          "'/>" + rest + "\n";
}

}  // namespace

std::string plot_svg(const Plot& plot) {
  Axis x{plot.log_x, 1, 1, kLeft, kWidth - kRight}, y{plot.log_y, 1, 1, kHeight - kBottom, kTop};
  fit(plot, &x, &y);
  std::string out = formatted(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' font-family='sans-serif' "
      "font-size='12'>\n"
      "<rect width='100%%' height='100%%' fill='white'/>\n",
      page_width(plot), kHeight);
  draw_axes(plot, x, y, &out);
  draw_marks(plot, x, &out);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    const char* color = kColors[i % std::size(kColors)];
    draw_series(plot.series[i], color, plot.dots, x, y, &out);
    const double at = kTop + 14 + 18 * static_cast<double>(i);
    out += formatted("<rect x='%g' y='%g' width='12' height='4' fill='%s'/>", kWidth - kRight + 10, at - 6,
                     color) +
           formatted("<text x='%g' y='%g'>", kWidth - kRight + kLegendIndent, at) +
           escaped(plot.series[i].name) + "</text>\n";
  }
  return out + "</svg>\n";
}

}  // namespace vantage
