#include "core/display/detail/plot_page.h"
#include "core/display/pdf_pages.h"

namespace vantage::plot_detail {
namespace {

class PdfPage final : public PlotPage {
 public:
  explicit PdfPage(std::unique_ptr<PdfPages> pages) : pages_(std::move(pages)) {}

  void line(double x1, double y1, double x2, double y2, const PageColor& color) override {
    pages_->polyline({{x1, y1}, {x2, y2}}, 1, color);
  }
  void mark(double x, double top, double bottom) override {
    pages_->polyline({{x, top}, {x, bottom}}, 1, kMark, {4, 3});
  }
  void polyline(const std::vector<std::pair<double, double>>& points, const PageColor& color) override {
    pages_->polyline(points, 1.5, color);
  }
  void dot(double x, double y, const PageColor& color) override { pages_->disc(x, y, 3, color); }
  void frame(double left, double top, double right, double bottom) override {
    pages_->polyline({{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}, 1, kFrame);
  }
  void fill(double left, double top, double right, double bottom, const PageColor& color) override {
    pages_->fill({{left, top}, {right, top}, {right, bottom}, {left, bottom}}, color);
  }
  void text(const PageText& text) override {
    const double back = pages_->text_width(text.text, text.size_px) * (text.anchor == Anchor::start    ? 0
                                                                       : text.anchor == Anchor::middle ? 0.5
                                                                                                       : 1);
    pages_->text(text.text, text.x - (text.upright ? 0 : back), text.y + (text.upright ? back : 0),
                 text.size_px, text.color, text.upright);
  }
  Result<std::string> finish() override { return pages_->finish(); }

 private:
  const std::unique_ptr<PdfPages> pages_;
};

}  // namespace

Result<std::unique_ptr<PlotPage>> pdf_page(double width_px, double height_px, const std::string& title) {
  VANTAGE_ASSIGN(std::unique_ptr<PdfPages> pages, PdfPages::open(width_px, height_px, title));
  return std::make_unique<PdfPage>(std::move(pages));
}

}  // namespace vantage::plot_detail
