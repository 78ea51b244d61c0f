// One canvas for what is drawn without a window, over Cairo: pictures in red, green and blue, camera pictures
// that are drawn on, pages of PDF. Positions are pixels, y downwards, (0, 0) the corner of the first pixel; a
// page has 96 an inch. Text is UTF-8 in DejaVu Sans or the machine's sans-serif font; bytes that are not
// UTF-8 show as U+FFFD. The same calls give the same pixels and bytes. Not thread-safe.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/display/marked_view.h"
#include "core/image/picture.h"

namespace vantage {

// Pixels; right and bottom are excluded.
struct PixelArea {
  int left = 0, top = 0, right = 0, bottom = 0;
  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

using Outline = std::vector<Eigen::Vector2d>;
// Clockwise, closed.
Outline rectangle(double left, double top, double right, double bottom);

class Canvas final : public MarkSurface {
 public:
  // Errors of all three: invalid_argument, out_of_memory.
  static Result<Canvas> make(int width_px, int height_px, const MarkColor& ground);
  // `picture`: I420 in host memory, which outlives the canvas and is not read meanwhile.
  static Result<Canvas> over(Picture& picture);
  // `created`: "2026-05-01T14:32:05Z", into the file's properties.
  static Result<Canvas> pdf(double width_px, double height_px, const std::string& title,
                            const std::string& created = "2000-01-01T00:00:00Z");
  ~Canvas() override;
  Canvas(Canvas&&) noexcept;
  Canvas& operator=(Canvas&&) = delete;

  // Nothing outside changes from now on.
  void clip_to(const PixelArea& area);
  PixelArea whole() const { return whole_; }

  void stroke(std::span<const Eigen::Vector2d> points, double width_px, const MarkColor& color,
              std::span<const double> dashes_px = {});
  void fill(const PixelArea& area, const MarkColor& color);
  // Several at once, so that no seam shows between areas that touch.
  void fill(std::span<const Outline> outlines, const MarkColor& color);
  void disc(double x, double y, double radius_px, const MarkColor& color);
  // (x, y): where the first letter begins, on the line that letters stand on; upright: turned a quarter to
  // the left. `size_px`: about a capital letter and what hangs below the line together.
  void text(const std::string& text, double x, double y, double size_px, const MarkColor& color,
            bool upright = false);
  double text_width(const std::string& text, double size_px) const;
  // The same for pictures, without a canvas.
  static int picture_text_width_px(const std::string& text, int size_px);

  // Marks of a view, in pixels whose centres are whole numbers. Lines that reach farther than 100 000 px, or
  // nowhere, are left out.
  void polyline(std::span<const Eigen::Vector2d> points_px, double width_px, const MarkColor& color) override;
  void label(const std::string& text, int left, int top, int height_px) override;
  static int label_width_px(const std::string& text, int height_px) {
    return picture_text_width_px(text, height_px) + height_px / 2;
  }
  static int label_height_px(int height_px) { return height_px + height_px / 3; }

  // Pixels of pictures in red, green and blue; `cover`: 0 leaves what is there, 1 replaces it. Threads may
  // put different ones.
  void put(int x, int y, const MarkColor& color, double cover = 1);
  // u8, three elements a pixel. Errors: out_of_memory.
  Result<Image> image() const;

  // Pages: a PNG file's picture, that wide; its height follows. Errors: bad_data.
  Status picture(const std::string& file, double left, double top, double width_px);
  static Result<double> picture_height(const std::string& file, double width_px);
  void next_page();
  // The PDF file's bytes. Errors: io, out_of_memory.
  Result<std::string> finish();

 private:
  struct Parts;
  explicit Canvas(std::unique_ptr<Parts> parts);
  template <typename Draw>
  void paint(const MarkColor& color, const Draw& draw) const;

  std::unique_ptr<Parts> parts_;
  PixelArea whole_, clip_;
  uint8_t* pixels_ = nullptr;  // of a picture in red, green and blue
  int stride_ = 0;
};

}  // namespace vantage
