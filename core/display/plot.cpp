#include "core/display/plot.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/display/canvas.h"
#include "core/image/image_files.h"

namespace vantage {
namespace {

// The page of a plot: SVG text, a page of PDF, or pixels. Units are pixels of the page, y downwards.

using PageColor = MarkColor;
inline constexpr PageColor kInk = {0, 0, 0}, kGrid = {221, 221, 221}, kFrame = {51, 51, 51},
                           kMark = {102, 102, 102}, kPaper = {255, 255, 255};

enum class Anchor : uint8_t { start, middle, end };
// upright: turned a quarter to the left.
struct PageText {
  double x = 0, y = 0;  // of the anchor, on the baseline of the text
  std::string text;
  double size_px = 12;
  Anchor anchor = Anchor::start;
  PageColor color = kInk;
  bool upright = false;
};

class PlotPage {
 public:
  virtual ~PlotPage() = default;
  virtual void line(double x1, double y1, double x2, double y2, const PageColor& color) = 0;
  virtual void mark(double x, double top, double bottom) = 0;  // an upright dashed line
  virtual void polyline(const Outline& points, const PageColor& color) = 0;
  virtual void dot(double x, double y, const PageColor& color) = 0;
  virtual void frame(double left, double top, double right, double bottom) = 0;
  virtual void fill(double left, double top, double right, double bottom, const PageColor& color) = 0;
  virtual void text(const PageText& text) = 0;
  // The file's bytes. Errors: of a picture those of writing PNG.
  virtual Result<std::string> finish() = 0;
};

// A page of PDF, or a picture.
class CanvasPage final : public PlotPage {
 public:
  CanvasPage(Canvas canvas, bool picture) : canvas_(std::move(canvas)), picture_(picture) {}

  void line(double x1, double y1, double x2, double y2, const PageColor& color) override {
    canvas_.stroke(Outline{{x1, y1}, {x2, y2}}, 1, color);
  }
  void mark(double x, double top, double bottom) override {
    canvas_.stroke(Outline{{x, top}, {x, bottom}}, 1, kMark, std::array{4.0, 3.0});
  }
  void polyline(const Outline& points, const PageColor& color) override {
    canvas_.stroke(points, 1.5, color);
  }
  void dot(double x, double y, const PageColor& color) override { canvas_.disc(x, y, 3, color); }
  void frame(double left, double top, double right, double bottom) override {
    canvas_.stroke(rectangle(left, top, right, bottom), 1, kFrame);
  }
  void fill(double left, double top, double right, double bottom, const PageColor& color) override {
    canvas_.fill(std::array{rectangle(left, top, right, bottom)}, color);
  }
  void text(const PageText& text) override {
    const double width = canvas_.text_width(text.text, text.size_px);
    const double back = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? width / 2 : width;
    canvas_.text(text.text, text.x - (text.upright ? 0 : back), text.y + (text.upright ? back : 0),
                 text.size_px, text.color, text.upright);
  }
  Result<std::string> finish() override {
    if (!picture_) return canvas_.finish();
    VANTAGE_ASSIGN(const Image image, canvas_.image());
    return encode_png_rgb(image);
  }

 private:
  Canvas canvas_;
  const bool picture_;
};

std::string hex_of(const PageColor& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]);
}

class SvgPage final : public PlotPage {
 public:
  SvgPage(double width_px, double height_px)
      : out_(fmt::format("<svg xmlns='http://www.w3.org/2000/svg' width='{:g}' height='{:g}' "
                         "font-family='sans-serif' font-size='12'>\n"
                         "<rect width='100%' height='100%' fill='white'/>\n",
                         width_px, height_px)) {}

  void line(double x1, double y1, double x2, double y2, const PageColor& color) override {
    out_ += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}'/>\n", x1, y1, x2,
                        y2, hex_of(color));
  }
  void mark(double x, double top, double bottom) override {
    out_ += fmt::format(
        "<line class='mark' x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' stroke-dasharray='4 "
        "3'/>\n",
        x, top, x, bottom, hex_of(kMark));
  }
  void polyline(const Outline& points, const PageColor& color) override {
    out_ += "<polyline fill='none' stroke='" + hex_of(color) + "' stroke-width='1.5' points='";
    for (const Eigen::Vector2d& point : points) out_ += fmt::format("{:.1f},{:.1f} ", point.x(), point.y());
    out_ += "'/>\n";
  }
  void dot(double x, double y, const PageColor& color) override {
    out_ += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", x, y, hex_of(color));
  }
  void frame(double left, double top, double right, double bottom) override {
    out_ += fmt::format("<rect x='{:g}' y='{:g}' width='{:g}' height='{:g}' fill='none' stroke='{}'/>\n",
                        left, top, right - left, bottom - top, hex_of(kFrame));
  }
  void fill(double left, double top, double right, double bottom, const PageColor& color) override {
    out_ += fmt::format("<rect x='{:g}' y='{:g}' width='{:g}' height='{:g}' fill='{}'/>\n", left, top,
                        right - left, bottom - top, hex_of(color));
  }
  void text(const PageText& text) override {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    const std::string turned =
        text.upright ? fmt::format(" transform='rotate(-90 {:g} {:g})'", text.x, text.y) : std::string();
    out_ += fmt::format("<text x='{:.1f}' y='{:.1f}' font-size='{:g}' text-anchor='{}' fill='{}'{}>", text.x,
                        text.y, text.size_px, kAnchors[static_cast<size_t>(text.anchor)], hex_of(text.color),
                        turned) +
            xml_escaped(text.text) + "</text>\n";
  }
  Result<std::string> finish() override { return out_ + "</svg>\n"; }

 private:
  std::string out_;
};

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

std::vector<double> ticks_of(const Axis& axis) {
  if (!axis.logarithmic) return round_ticks(axis.low, axis.high, 6);
  std::vector<double> ticks;
  const bool few = axis.high / axis.low < 1e4;
  for (double power = std::pow(10, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if ((few || factor == 1) && factor * power >= axis.low * 0.999 && factor * power <= axis.high * 1.001)
        ticks.push_back(factor * power);
  return ticks;
}

void widen(Axis& axis, double value, bool* first) {
  if (!axis.shows(value)) return;
  axis.low = *first ? value : std::min(axis.low, value);
  axis.high = *first ? value : std::max(axis.high, value);
  *first = false;
}

// Fits the axes to the data; linear axes of y start at 0 unless they need not.
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
    page->text({x.at(tick), y.begin + 16, fmt::format("{:g}", tick), 12, Anchor::middle});
  }
  for (const double tick : ticks_of(y)) {
    page->line(x.begin, y.at(tick), x.end, y.at(tick), kGrid);
    page->text({x.begin - 6, y.at(tick) + 4, fmt::format("{:g}", tick), 12, Anchor::end});
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
  Outline line;
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

std::vector<double> round_ticks(double low, double high, int count) {
  if (!(high > low) || count < 1) return {low};
  const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  const double times = rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10;
  const double step = times * power;
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
    ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

std::string plot_svg(const Plot& plot) {
  SvgPage page(page_width(plot), plot.height_px);
  draw_plot(plot, &page);
  return page.finish().value_or("");
}

Status write_plot(const Plot& plot, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  const double width = page_width(plot);
  std::string bytes;
  if (ending == ".svg") {
    bytes = plot_svg(plot);
  } else if (ending == ".pdf" || ending == ".png") {
    VANTAGE_ASSIGN(Canvas canvas, ending == ".pdf"
                                      ? Canvas::pdf(width, plot.height_px, plot.title)
                                      : Canvas::make(static_cast<int>(std::lround(width)),
                                                     static_cast<int>(std::lround(plot.height_px)), kPaper));
    CanvasPage page(std::move(canvas), ending == ".png");
    draw_plot(plot, &page);
    VANTAGE_ASSIGN(bytes, page.finish());
  } else {
    return fail(ErrorKind::invalid_argument, "plots are not written in this format", file.string(),
                "Use a name that ends in .svg, .pdf or .png.");
  }
  return write_file_atomically(file, bytes);
}

}  // namespace vantage
