#include "core/base/formatted.h"
#include "core/base/xml_escaped.h"
#include "core/display/detail/plot_page.h"
#include "core/display/plot.h"

namespace vantage::plot_detail {
namespace {

std::string hex_of(const PageColor& color) {
  return formatted("#%02x%02x%02x", color[0], color[1], color[2]);
}

class SvgPage final : public PlotPage {
 public:
  SvgPage(double width_px, double height_px)
      : out_(formatted("<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' "
                       "font-family='sans-serif' font-size='12'>\n"
                       "<rect width='100%%' height='100%%' fill='white'/>\n",
                       width_px, height_px)) {}

  void line(double x1, double y1, double x2, double y2, const PageColor& color) override {
    out_ += formatted("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>\n", x1, y1, x2, y2,
                      hex_of(color).c_str());
  }
  void mark(double x, double top, double bottom) override {
    out_ += formatted(
        "<line class='mark' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-dasharray='4 3'/>\n",
        x, top, x, bottom, hex_of(kMark).c_str());
  }
  void polyline(const std::vector<std::pair<double, double>>& points, const PageColor& color) override {
    out_ += "<polyline fill='none' stroke='" + hex_of(color) + "' stroke-width='1.5' points='";
    for (const auto& [x, y] : points) out_ += formatted("%.1f,%.1f ", x, y);
    out_ += "'/>\n";
  }
  void dot(double x, double y, const PageColor& color) override {
    out_ += formatted("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>\n", x, y, hex_of(color).c_str());
  }
  void frame(double left, double top, double right, double bottom) override {
    out_ += formatted("<rect x='%g' y='%g' width='%g' height='%g' fill='none' stroke='%s'/>\n", left, top,
                      right - left, bottom - top, hex_of(kFrame).c_str());
  }
  void fill(double left, double top, double right, double bottom, const PageColor& color) override {
    out_ += formatted("<rect x='%g' y='%g' width='%g' height='%g' fill='%s'/>\n", left, top, right - left,
                      bottom - top, hex_of(color).c_str());
  }
  void text(const PageText& text) override {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    const std::string turned =
        text.upright ? formatted(" transform='rotate(-90 %g %g)'", text.x, text.y) : std::string();
    out_ += formatted("<text x='%.1f' y='%.1f' font-size='%g' text-anchor='%s' fill='%s'%s>", text.x, text.y,
                      text.size_px, kAnchors[static_cast<size_t>(text.anchor)], hex_of(text.color).c_str(),
                      turned.c_str()) +
            xml_escaped(text.text) + "</text>\n";
  }
  Result<std::string> finish() override { return out_ + "</svg>\n"; }

 private:
  std::string out_;
};

}  // namespace

std::unique_ptr<PlotPage> svg_page(double width_px, double height_px) {
  return std::make_unique<SvgPage>(width_px, height_px);
}

}  // namespace vantage::plot_detail
