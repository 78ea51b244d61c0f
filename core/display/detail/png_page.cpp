#include <cmath>

#include "core/display/canvas.h"
#include "core/display/detail/plot_page.h"
#include "core/image/png.h"

namespace vantage::plot_detail {
namespace {

constexpr double kDash_px = 4, kDashStep_px = 7;

class PngPage final : public PlotPage {
 public:
  PngPage(std::unique_ptr<Font> font, Canvas canvas) : font_(std::move(font)), canvas_(std::move(canvas)) {}

  void line(double x1, double y1, double x2, double y2, const PageColor& color) override {
    draw({{x1, y1}, {x2, y2}}, 1, color);
  }
  void mark(double x, double top, double bottom) override {
    for (double y = top; y < bottom; y += kDashStep_px)
      draw({{x, y}, {x, std::min(y + kDash_px, bottom)}}, 1, kMark);
  }
  void polyline(const std::vector<std::pair<double, double>>& points, const PageColor& color) override {
    draw(points, 1.5, color);
  }
  void dot(double x, double y, const PageColor& color) override { draw({{x, y}, {x, y}}, 6, color); }
  void frame(double left, double top, double right, double bottom) override {
    draw({{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}, 1, kFrame);
  }
  void fill(double left, double top, double right, double bottom, const PageColor& color) override {
    canvas_.fill({whole(left), whole(top), whole(right), whole(bottom)}, color);
  }
  void text(const PageText& text) override {
    const int height = whole(text.size_px), width = font_->width_px(text.text, height);
    const int back = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? width / 2 : width;
    font_->draw(text.text, -back, 0, height, [&](int x, int y, int cover) {
      const int right = text.upright ? y : x, down = text.upright ? -x : y;
      canvas_.put(whole(text.x) + right, whole(text.y) + down, text.color, cover / 255.0);
    });
  }
  Result<std::string> finish() override { return encode_png_rgb(canvas_.image()); }

 private:
  static int whole(double px) { return static_cast<int>(std::lround(px)); }
  // Whole pixels are centred on their numbers, the page's begin there.
  void draw(const std::vector<std::pair<double, double>>& points, double width_px, const PageColor& color) {
    std::vector<Eigen::Vector2d> at;
    for (const auto& [x, y] : points) at.emplace_back(x - 0.5, y - 0.5);
    canvas_.polyline(at, width_px, color);
  }

  const std::unique_ptr<Font> font_;
  Canvas canvas_;
};

}  // namespace

Result<std::unique_ptr<PlotPage>> png_page(double width_px, double height_px) {
  VANTAGE_ASSIGN(std::unique_ptr<Font> font, Font::open());
  VANTAGE_ASSIGN(Canvas canvas,
                 Canvas::make(static_cast<int>(std::lround(width_px)),
                              static_cast<int>(std::lround(height_px)), {255, 255, 255}, *font));
  return std::unique_ptr<PlotPage>(std::make_unique<PngPage>(std::move(font), std::move(canvas)));
}

}  // namespace vantage::plot_detail
