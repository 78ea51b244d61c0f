#include "core/display/plot.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/display/detail/plot_page.h"

namespace vantage {
namespace {

using namespace plot_detail;

constexpr double kLetter = 7, kLegendIndent = 28;
constexpr double kLeft = 70, kRight = 160, kTop = 40, kBottom = 50;
// Okabe and Ito's colours, which people with colour-blindness tell apart.
constexpr PageColor kColors[] = {{0x00, 0x72, 0xb2}, {0xd5, 0x5e, 0x00}, {0x00, 0x9e, 0x73},
                                 {0xcc, 0x79, 0xa7}, {0xe6, 0x9f, 0x00}, {0x56, 0xb4, 0xe9},
                                 {0x00, 0x00, 0x00}};

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
    ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

void widen(Axis& axis, double value, bool* first) {
  if (!axis.shows(value)) return;
  axis.low = *first ? value : std::min(axis.low, value);
  axis.high = *first ? value : std::max(axis.high, value);
  *first = false;
}

// Fits the axes to what there is to see; linear axes of y start at 0 unless they need not.
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

void draw_axes(const Plot& plot, const Axis& x, const Axis& y, PlotPage* page) {
  for (const double tick : ticks_of(x)) {
    page->line(x.at(tick), y.end, x.at(tick), y.begin, kGrid);
    page->text({x.at(tick), y.begin + 16, formatted("%g", tick), 12, Anchor::middle});
  }
  for (const double tick : ticks_of(y)) {
    page->line(x.begin, y.at(tick), x.end, y.at(tick), kGrid);
    page->text({x.begin - 6, y.at(tick) + 4, formatted("%g", tick), 12, Anchor::end});
  }
  page->frame(x.begin, y.end, x.end, y.begin);
  page->text({x.begin, 22, plot.title, 15});
  page->text({(x.begin + x.end) / 2, plot.height_px - 12, plot.x_label, 12, Anchor::middle});
  page->text({16, (y.begin + y.end) / 2, plot.y_label, 12, Anchor::middle, kInk, true});
}

void draw_marks(const Plot& plot, const Axis& x, const Axis& y, PlotPage* page) {
  for (const PlotMark& mark : plot.marks) {
    if (!x.shows(mark.x) || mark.x < x.low || mark.x > x.high) continue;
    page->mark(x.at(mark.x), y.end, y.begin);
    page->text({x.at(mark.x) + 4, y.end + 14, mark.text, 12, Anchor::start, kMark});
  }
}

// Wider where a name of the legend needs it.
double page_width(const Plot& plot) {
  double width = plot.width_px;
  for (const PlotSeries& series : plot.series)
    width = std::max(width, plot.width_px - kRight + kLegendIndent +
                                kLetter * (static_cast<double>(series.name.size()) + 2));
  return width;
}

void draw_series(const PlotSeries& series, const Plot& plot, const PageColor& color, const Axis& x,
                 const Axis& y, PlotPage* page) {
  std::vector<std::pair<double, double>> line;
  const auto end_line = [&] {
    if (plot.lines && !line.empty()) page->polyline(line, color);
    line.clear();
  };
  for (const PlotPoint& p : series.points) {
    if (!std::isfinite(p.y)) end_line();
    if (!x.shows(p.x) || !y.shows(p.y)) continue;
    line.emplace_back(x.at(p.x), y.at(p.y));
  }
  end_line();
  for (const PlotPoint& p : series.points) {
    if (!x.shows(p.x) || !y.shows(p.y)) continue;
    if (plot.dots) page->dot(x.at(p.x), y.at(p.y), color);
    if (p.low != p.high && y.shows(p.low) && y.shows(p.high))
      page->line(x.at(p.x), y.at(p.low), x.at(p.x), y.at(p.high), color);
  }
}

void draw_plot(const Plot& plot, PlotPage* page) {
  Axis x{plot.log_x, 1, 1, kLeft, plot.width_px - kRight},
      y{plot.log_y, 1, 1, plot.height_px - kBottom, kTop};
  fit(plot, &x, &y);
  draw_axes(plot, x, y, page);
  draw_marks(plot, x, y, page);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    const PageColor& color = kColors[i % std::size(kColors)];
    draw_series(plot.series[i], plot, color, x, y, page);
    const double at = kTop + 14 + 18 * static_cast<double>(i), left = plot.width_px - kRight;
    page->fill(left + 10, at - 6, left + 22, at - 2, color);
    page->text({left + kLegendIndent, at, plot.series[i].name});
  }
}

}  // namespace

std::string plot_svg(const Plot& plot) {
  const auto page = svg_page(page_width(plot), plot.height_px);
  draw_plot(plot, page.get());
  return page->finish().value_or("");
}

Status write_plot(const Plot& plot, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  std::unique_ptr<PlotPage> page;
  if (ending == ".svg") page = svg_page(page_width(plot), plot.height_px);
  if (ending == ".pdf") {
    VANTAGE_ASSIGN(page, pdf_page(page_width(plot), plot.height_px, plot.title));
  }
  if (ending == ".png") {
    VANTAGE_ASSIGN(page, png_page(page_width(plot), plot.height_px));
  }
  if (!page)
    return fail(ErrorKind::invalid_argument, "plots are not written in this format", file.string(),
                "Use a name that ends in .svg, .pdf or .png.");
  draw_plot(plot, page.get());
  VANTAGE_ASSIGN(const std::string bytes, page->finish());
  return write_file_atomically(file, bytes);
}

}  // namespace vantage
