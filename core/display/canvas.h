// A picture in red, green and blue that is drawn into, without a window: for figures and films.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/display/marked_view.h"
#include "core/image/picture.h"

namespace vantage {

// The letters of what is drawn into pictures without a window: a sans-serif font of this machine.

// Not thread-safe: one a thread.
class Font {
 public:
  // Errors: not_found where the machine has no font; bad_data.
  static Result<std::unique_ptr<Font>> open();
  ~Font();

  // UTF-8; bytes that are no UTF-8 show as U+FFFD. `height_px`: of a capital letter and what hangs below a
  // line together, about.
  int width_px(const std::string& text, int height_px);
  // Calls put() for every pixel that is covered, from 1 to 255, with letters from `left` on the line `base`.
  void draw(const std::string& text, int left, int base, int height_px,
            const std::function<void(int x, int y, int cover)>& put);

 private:
  struct Face;
  explicit Font(std::unique_ptr<Face> face);
  std::unique_ptr<Face> face_;
};

// Pixels; right and bottom are excluded.
struct PixelArea {
  int left = 0, top = 0, right = 0, bottom = 0;
  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

class Canvas final : public MarkSurface {
 public:
  // Errors: invalid_argument, out_of_memory. The font outlives it.
  static Result<Canvas> make(int width_px, int height_px, const MarkColor& ground, Font& font);

  // Nothing outside changes from now on.
  void clip_to(const PixelArea& area) { clip_ = area; }
  PixelArea whole() const { return {0, 0, image_.width() / 3, image_.height()}; }

  // `cover`: 0 leaves what is there, 1 replaces it.
  void put(int x, int y, const MarkColor& color, double cover = 1);
  void fill(const PixelArea& area, const MarkColor& color);
  void polyline(std::span<const Eigen::Vector2d> points_px, double width_px, const MarkColor& color) override;
  void label(const std::string& text, int left, int top, int height_px) override;
  // Letters on what is there, standing on the line `base`.
  void text(const std::string& text, int left, int base, int height_px, const MarkColor& color);
  Font& font() { return *font_; }

  // u8, three elements a pixel.
  const Image& image() const { return image_; }

 private:
  Canvas(Image image, Font& font) : image_(std::move(image)), font_(&font), clip_(whole()) {}
  void segment(const Eigen::Vector2d& from_px, const Eigen::Vector2d& to_px, double width_px,
               const MarkColor& color);

  Image image_;
  Font* font_;
  PixelArea clip_;
};

}  // namespace vantage

namespace vantage::display_detail {

// Text as letters of this machine's font.

// The file of a sans-serif font, by fontconfig. Errors: not_found where the machine has none.
Result<std::string> font_file();
// Code points; bytes that are no UTF-8 become U+FFFD.
std::vector<uint32_t> code_points(const std::string& text);
// The text as UTF-8 without such bytes, and without control characters.
std::string valid_utf8(const std::string& text);

}  // namespace vantage::display_detail
