// Text and lines drawn into a camera picture, for what is burnt into exported videos.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/display/canvas.h"
#include "core/image/picture.h"

namespace vantage::case_detail {

struct Ink {
  uint8_t y = 235, cb = 128, cr = 128;
};
inline constexpr Ink kWhite = {235, 128, 128}, kBlack = {16, 128, 128}, kGrey = {90, 128, 128};
// The colour of red, green and blue (0 to 255) in that picture.
Ink ink_of(const std::array<uint8_t, 3>& rgb, const PictureFormat& format);

// A new I420 picture of one colour. `width`, `height`: even.
Result<Picture> blank_picture(const PictureFormat& format, const Ink& ink, BufferPool& pool);
// The same pixels as I420 with an even width and height: a last odd row or column is doubled. Host memory.
Result<Picture> even_i420(const Picture& picture, BufferPool& pool);
PictureFormat even_format(const PictureFormat& format);

// Draws on I420 pictures in host memory before they are handed on. Not thread-safe: one a thread.
class Pen {
 public:
  // Errors: not_found where the machine has no font.
  static Result<std::unique_ptr<Pen>> make();
  ~Pen();

  // Pixels outside the picture are left out.
  void line(Picture& picture, const Eigen::Vector2d& from_px, const Eigen::Vector2d& to_px, double width_px,
            const Ink& ink) const;
  void polyline(Picture& picture, std::span<const Eigen::Vector2d> points_px, double width_px,
                const Ink& ink) const;
  void disc(Picture& picture, const Eigen::Vector2d& center_px, double radius_px, const Ink& ink) const;
  void fill(Picture& picture, int left, int top, int right, int bottom, const Ink& ink) const;
  // UTF-8 on a black ground; (left, top) is the ground's corner. Returns its width in pixels.
  int text(Picture& picture, const std::string& text, int left, int top, int height_px, const Ink& ink);
  int text_width_px(const std::string& text, int height_px);

 private:
  explicit Pen(std::unique_ptr<Font> font);
  std::unique_ptr<Font> font_;
};

}  // namespace vantage::case_detail
