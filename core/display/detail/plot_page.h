// What plots are drawn on: SVG text, a page of PDF, pixels. Units are pixels of the page, y downwards.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage::plot_detail {

using PageColor = std::array<uint8_t, 3>;
inline constexpr PageColor kInk = {0, 0, 0}, kGrid = {221, 221, 221}, kFrame = {51, 51, 51},
                           kMark = {102, 102, 102};

enum class Anchor : uint8_t { start, middle, end };
// upright: turned a quarter to the left.
struct PageText {
  double x = 0, y = 0;  // of the anchor, on the line that letters stand on
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
  virtual void polyline(const std::vector<std::pair<double, double>>& points, const PageColor& color) = 0;
  virtual void dot(double x, double y, const PageColor& color) = 0;
  virtual void frame(double left, double top, double right, double bottom) = 0;
  virtual void fill(double left, double top, double right, double bottom, const PageColor& color) = 0;
  virtual void text(const PageText& text) = 0;
  // The file's bytes. Errors: of a picture those of writing PNG.
  virtual Result<std::string> finish() = 0;
};

std::unique_ptr<PlotPage> svg_page(double width_px, double height_px);
// Errors: those of PdfPages::open().
Result<std::unique_ptr<PlotPage>> pdf_page(double width_px, double height_px, const std::string& title);
// Errors: those of Font::open() and Canvas::make().
Result<std::unique_ptr<PlotPage>> png_page(double width_px, double height_px);

}  // namespace vantage::plot_detail
