#include "core/export/figure/detail/figure_page.h"

#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"
#include "core/optical_flow/flow_file.h"

namespace vantage::figure_detail {
namespace {

constexpr double kSideShare = 0.1, kTextShare = 1.0 / 80;  // of the page's width
constexpr int kMinSide_px = 84, kMinText_px = 11;
constexpr int kTicks = 5;
constexpr double kMaxHeightShare = 4;  // of the width; a longer view would be a strip

int line_px(const FigurePage& page) {
  return page.text_px + page.text_px / 2;
}

// Words as far as they fit; a longer word stands by itself.
std::vector<std::string> wrapped(const std::string& text, int width_px, int text_px, Font& font) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(at, end - at);
    const std::string longer = line.empty() ? word : line + ' ' + word;
    if (line.empty() || font.width_px(longer, text_px) <= width_px) {
      line = longer;
    } else {
      lines.push_back(std::move(line));
      line = word;
    }
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

MarkColor blended(const MarkColor& color, const MarkColor& ground, double opacity) {
  MarkColor out;
  for (size_t c = 0; c < 3; ++c)
    out[c] = static_cast<uint8_t>(opacity * color[c] + (1 - opacity) * ground[c] + 0.5);
  return out;
}

}  // namespace

FigurePage lay_out(int width_px, double height_share, bool with_side, const std::vector<std::string>& notes,
                   Font& font) {
  FigurePage page;
  page.width_px = width_px;
  page.text_px = std::max(kMinText_px, static_cast<int>(std::lround(kTextShare * width_px)));
  const int side =
      with_side ? std::max(kMinSide_px, static_cast<int>(std::lround(kSideShare * width_px))) : 0;
  const int view_width = width_px - side;
  page.view = {
      0, 0, view_width,
      std::max(1, static_cast<int>(std::lround(std::min(height_share, kMaxHeightShare) * view_width)))};
  page.side = {view_width, 0, width_px, page.view.bottom};
  page.caption_top = page.view.bottom + page.text_px / 2;
  for (const std::string& note : notes)
    for (std::string& line : wrapped(note, width_px - page.text_px, page.text_px, font))
      page.notes.push_back(std::move(line));
  page.height_px =
      page.caption_top + line_px(page) * (1 + static_cast<int>(page.notes.size())) + page.text_px / 2;
  page.height_px += page.height_px % 2;
  return page;
}

void draw_color_bar(Canvas& canvas, const FigurePage& page, const ColorScale& scale) {
  const int text = page.text_px, left = page.side.left + text;
  const PixelArea bar = {left, page.view.top + 3 * text, left + 2 * text, page.view.bottom - 2 * text};
  if (bar.height() < 2 * kTicks) return;
  for (int y = bar.top; y < bar.bottom; ++y) {
    const double share = 1 - (y - bar.top + 0.5) / bar.height();
    canvas.fill({bar.left, y, bar.right, y + 1},
                blended(mapped_color(*scale.colors, share), scale.ground, scale.opacity));
  }
  canvas.text(scale.unit, left, bar.top - text, text, kInkOnPaper);
  for (int i = 0; i < kTicks; ++i) {
    const double share = static_cast<double>(i) / (kTicks - 1);
    const int y = bar.bottom - 1 - static_cast<int>(std::lround(share * (bar.height() - 1)));
    canvas.fill({bar.right, y, bar.right + text / 3, y + 1}, kInkOnPaper);
    canvas.text(formatted("%.2f", scale.low + share * (scale.high - scale.low)), bar.right + text / 2,
                y + text / 3, text, kInkOnPaper);
  }
}

void draw_color_bars(Canvas& canvas, const FigurePage& page, const std::vector<ColorScale>& scales) {
  const int count = static_cast<int>(scales.size()), height = page.view.height();
  for (int i = 0; i < count; ++i) {
    FigurePage part = page;
    part.view.top = page.view.top + height * i / count;
    part.view.bottom = page.view.top + height * (i + 1) / count;
    draw_color_bar(canvas, part, scales[static_cast<size_t>(i)]);
  }
}

void draw_flow_wheel(Canvas& canvas, const FigurePage& page, double full_px) {
  const int text = page.text_px, size = std::max(2, page.side.width() - 2 * text);
  const int left = page.side.left + text, top = page.view.top + text;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const double dx = 2 * (x + 0.5) / size - 1, dy = 2 * (y + 0.5) / size - 1;
      if (std::hypot(dx, dy) > 1) continue;
      MarkColor color;
      flow_color(dx, dy, color.data());
      canvas.put(left + x, top + y, color);
    }
  int base = top + size + text + text / 2;
  for (const std::string& line : {std::string("rim:"), formatted("%g px", full_px), std::string("a frame")}) {
    canvas.text(line, left, base, text, kInkOnPaper);
    base += text + text / 2;
  }
}

void draw_caption(Canvas& canvas, const FigurePage& page, const std::string& title) {
  int title_px = page.text_px;
  const int room = page.width_px - page.text_px;
  while (title_px > 6 && canvas.font().width_px(title, title_px) > room) --title_px;
  int base = page.caption_top + page.text_px;
  canvas.text(title, page.text_px / 2, base, title_px, kInkOnPaper);
  for (const std::string& note : page.notes) {
    base += line_px(page);
    canvas.text(note, page.text_px / 2, base, page.text_px, kQuietOnPaper);
  }
}

}  // namespace vantage::figure_detail
