// Pages of a PDF file: lines, areas, pictures, and text in a font that the file brings along, to be searched
// and copied. Units are pixels of the page, 96 an inch, y downwards. The same calls give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace vantage {

using PdfColor = std::array<uint8_t, 3>;  // red, green, blue
using PdfPoints = std::vector<std::pair<double, double>>;

class PdfPages {
 public:
  // `created`: "2026-05-01T14:32:05Z", into the file's properties. Errors: those of Font::open().
  static Result<std::unique_ptr<PdfPages>> open(double width_px, double height_px, const std::string& title,
                                                const std::string& created = "2000-01-01T00:00:00Z");
  ~PdfPages();
  PdfPages(const PdfPages&) = delete;
  PdfPages& operator=(const PdfPages&) = delete;

  void next_page();
  void polyline(const PdfPoints& points, double width_px, const PdfColor& color,
                const std::vector<double>& dashes_px = {});
  void fill(const PdfPoints& corners, const PdfColor& color);
  // Several at once, so that no seam shows between areas that touch.
  void fill_all(const std::vector<PdfPoints>& outlines, const PdfColor& color);
  void disc(double x, double y, double radius_px, const PdfColor& color);
  // (x, y): where the first letter begins, on the line that letters stand on. upright: turned a quarter to
  // the left. Bytes that are no UTF-8 show as U+FFFD.
  void text(const std::string& text, double x, double y, double size_px, const PdfColor& color,
            bool upright = false);
  double text_width(const std::string& text, double size_px) const;
  // A PNG file's picture, that wide; its height follows, as picture_height() says it. Errors: bad_data.
  Status picture(const std::string& file, double left, double top, double width_px);
  Result<double> picture_height(const std::string& file, double width_px) const;
  // The file's bytes. Errors: io, out_of_memory.
  Result<std::string> finish();

 private:
  struct Parts;
  explicit PdfPages(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

}  // namespace vantage
