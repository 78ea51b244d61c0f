// One page of PDF 1.4 with Helvetica, which every reader has; letters outside Latin-1 become question marks.
#include <array>
#include <vector>

#include "core/base/formatted.h"
#include "core/display/detail/plot_page.h"

namespace vantage::plot_detail {
namespace {

constexpr double kPointsPerPixel = 0.75;  // 96 px and 72 points an inch

// Widths of Helvetica from the space to the tilde, in thousandths of its size.
constexpr std::array<int, 95> kWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

std::string latin(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      out += text[i];
    } else if ((byte == 0xc2 || byte == 0xc3) && i + 1 < text.size()) {
      out += static_cast<char>((byte - 0xc2) * 0x40 + static_cast<unsigned char>(text[++i]));
    } else {
      while (i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xc0) == 0x80) ++i;
      out += '?';
    }
  }
  return out;
}

double width_of(const std::string& latin_text, double size_px) {
  double width = 0;
  for (const char c : latin_text) {
    const auto byte = static_cast<unsigned char>(c);
    width += byte >= 32 && byte < 127 ? kWidths[byte - 32u] : 556;
  }
  return width * size_px / 1000;
}

std::string quoted(const std::string& latin_text) {
  std::string out = "(";
  for (const char c : latin_text) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + ")";
}

std::string color_text(const PageColor& color, const char* operation) {
  return formatted("%.3f %.3f %.3f %s\n", color[0] / 255.0, color[1] / 255.0, color[2] / 255.0, operation);
}

class PdfPage final : public PlotPage {
 public:
  PdfPage(double width_px, double height_px, std::string title)
      : width_(width_px), height_(height_px), title_(std::move(title)) {
    content_ = formatted("%g 0 0 %g 0 0 cm\n", kPointsPerPixel, kPointsPerPixel);
  }

  void line(double x1, double y1, double x2, double y2, const PageColor& color) override {
    content_ += color_text(color, "RG") + "1 w\n";
    path({{x1, y1}, {x2, y2}});
  }
  void mark(double x, double top, double bottom) override {
    content_ += "[4 3] 0 d\n";
    line(x, top, x, bottom, kMark);
    content_ += "[] 0 d\n";
  }
  void polyline(const std::vector<std::pair<double, double>>& points, const PageColor& color) override {
    content_ += color_text(color, "RG") + "1.5 w 1 j\n";
    path(points);
  }
  // A line without length and with round ends.
  void dot(double x, double y, const PageColor& color) override {
    content_ += color_text(color, "RG") + "6 w 1 J\n";
    path({{x, y}, {x, y}});
    content_ += "0 J\n";
  }
  void frame(double left, double top, double right, double bottom) override {
    content_ += color_text(kFrame, "RG") + "1 w\n" +
                formatted("%.2f %.2f %.2f %.2f re S\n", left, height_ - bottom, right - left, bottom - top);
  }
  void fill(double left, double top, double right, double bottom, const PageColor& color) override {
    content_ += color_text(color, "rg") +
                formatted("%.2f %.2f %.2f %.2f re f\n", left, height_ - bottom, right - left, bottom - top);
  }
  void text(const PageText& text) override {
    const std::string letters = latin(text.text);
    const double back = width_of(letters, text.size_px) * (text.anchor == Anchor::start    ? 0
                                                           : text.anchor == Anchor::middle ? 0.5
                                                                                           : 1);
    const double y = height_ - text.y;
    content_ += color_text(text.color, "rg") + formatted("BT /F1 %g Tf ", text.size_px) +
                (text.upright ? formatted("0 1 -1 0 %.2f %.2f Tm ", text.x, y - back)
                              : formatted("1 0 0 1 %.2f %.2f Tm ", text.x - back, y)) +
                quoted(letters) + " Tj ET\n";
  }
  Result<std::string> finish() override;

 private:
  void path(const std::vector<std::pair<double, double>>& points) {
    bool first = true;
    for (const auto& [x, y] : points) {
      content_ += formatted("%.2f %.2f %s\n", x, height_ - y, first ? "m" : "l");
      first = false;
    }
    if (!first) content_ += "S\n";
  }

  const double width_, height_;
  const std::string title_;
  std::string content_;
};

// Objects, each at the place that the table at the end names.
Result<std::string> PdfPage::finish() {
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      formatted("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents 4 0 R "
                "/Resources << /Font << /F1 5 0 R >> >> >>",
                width_ * kPointsPerPixel, height_ * kPointsPerPixel),
      "<< /Length " + std::to_string(content_.size()) + " >>\nstream\n" + content_ + "endstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Title " + quoted(latin(title_)) + " >>"};
  std::string file = "%PDF-1.4\n";
  std::string table = formatted("xref\n0 %zu\n0000000000 65535 f \n", objects.size() + 1);
  for (size_t i = 0; i < objects.size(); ++i) {
    table += formatted("%010zu 00000 n \n", file.size());
    file += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const size_t start = file.size();
  return file + table +
         formatted("trailer\n<< /Size %zu /Root 1 0 R /Info 6 0 R >>\nstartxref\n%zu\n%%%%EOF\n",
                   objects.size() + 1, start);
}

}  // namespace

std::unique_ptr<PlotPage> pdf_page(double width_px, double height_px, const std::string& title) {
  return std::make_unique<PdfPage>(width_px, height_px, title);
}

}  // namespace vantage::plot_detail
