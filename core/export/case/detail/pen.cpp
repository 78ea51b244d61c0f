#include "core/export/case/detail/pen.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/display/color_conversion.h"

namespace vantage::case_detail {
namespace {

void put(Picture& picture, int x, int y, const Ink& ink) {
  if (x < 0 || y < 0 || x >= picture.width() || y >= picture.height()) return;
  picture.writable_plane(0).at(x, y) = ink.y;
  picture.writable_plane(1).at(x / 2, y / 2) = ink.cb;
  picture.writable_plane(2).at(x / 2, y / 2) = ink.cr;
}

}  // namespace

Pen::Pen(std::unique_ptr<Font> font) : font_(std::move(font)) {}
Pen::~Pen() = default;

Result<std::unique_ptr<Pen>> Pen::make() {
  VANTAGE_ASSIGN(std::unique_ptr<Font> font, Font::open());
  return std::unique_ptr<Pen>(new Pen(std::move(font)));
}

void Pen::disc(Picture& picture, const Eigen::Vector2d& center_px, double radius_px, const Ink& ink) const {
  const auto first_y = static_cast<int>(std::ceil(center_px.y() - radius_px));
  const auto last_y = static_cast<int>(std::floor(center_px.y() + radius_px));
  for (int y = std::max(0, first_y); y <= std::min(picture.height() - 1, last_y); ++y) {
    const double dy = y - center_px.y();
    const double half = std::sqrt(std::max(0.0, radius_px * radius_px - dy * dy));
    const int last = std::min(picture.width() - 1, static_cast<int>(std::floor(center_px.x() + half)));
    for (int x = std::max(0, static_cast<int>(std::ceil(center_px.x() - half))); x <= last; ++x)
      put(picture, x, y, ink);
  }
}

void Pen::line(Picture& picture, const Eigen::Vector2d& from_px, const Eigen::Vector2d& to_px,
               double width_px, const Ink& ink) const {
  constexpr double kFarthest_px = 20000;
  if (!from_px.allFinite() || !to_px.allFinite() || from_px.norm() > kFarthest_px ||
      to_px.norm() > kFarthest_px)
    return;
  const auto steps = static_cast<int>(std::ceil((to_px - from_px).norm()));
  for (int i = 0; i <= steps; ++i)
    disc(picture, from_px + (steps > 0 ? double(i) / steps : 0.0) * (to_px - from_px), width_px / 2, ink);
}

void Pen::polyline(Picture& picture, std::span<const Eigen::Vector2d> points_px, double width_px,
                   const Ink& ink) const {
  for (size_t i = 1; i < points_px.size(); ++i) line(picture, points_px[i - 1], points_px[i], width_px, ink);
}

void Pen::fill(Picture& picture, int left, int top, int right, int bottom, const Ink& ink) const {
  for (int y = std::max(top, 0); y < std::min(bottom, picture.height()); ++y)
    for (int x = std::max(left, 0); x < std::min(right, picture.width()); ++x) put(picture, x, y, ink);
}

int Pen::text_width_px(const std::string& text, int height_px) {
  return font_->width_px(text, height_px) + height_px / 2;
}

int Pen::text(Picture& picture, const std::string& text, int left, int top, int height_px, const Ink& ink) {
  const int width = text_width_px(text, height_px);
  const int line = height_px + height_px / 3;
  fill(picture, left, top, left + width, top + line, kBlack);
  font_->draw(text, left + height_px / 4, top + height_px + height_px / 24, height_px,
              [&](int x, int y, int cover) {
                const auto luma = static_cast<uint8_t>(kBlack.y + cover * (ink.y - kBlack.y) / 255);
                put(picture, x, y, {luma, ink.cb, ink.cr});
              });
  return width;
}

Ink ink_of(const std::array<uint8_t, 3>& rgb, const PictureFormat& format) {
  const auto [y, cb, cr] = ycbcr_of(rgb[0], rgb[1], rgb[2], format);
  return {y, cb, cr};
}

PictureFormat even_format(const PictureFormat& format) {
  PictureFormat even = format;
  even.layout = PictureLayout::i420;
  even.width += even.width % 2, even.height += even.height % 2;
  return even;
}

Result<Picture> blank_picture(const PictureFormat& format, const Ink& ink, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture picture, Picture::make(even_format(format), pool));
  const uint8_t values[3] = {ink.y, ink.cb, ink.cr};
  for (int p = 0; p < 3; ++p) {
    const ImageView<uint8_t> plane = picture.writable_plane(p);
    for (int y = 0; y < plane.height; ++y)
      std::memset(plane.row(y), values[p], static_cast<size_t>(plane.width));
  }
  return picture;
}

Result<Picture> even_i420(const Picture& picture, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture even, Picture::make(even_format(picture.format()), pool));
  const bool interleaved = picture.format().layout == PictureLayout::nv12;
  for (int p = 0; p < 3; ++p) {
    const ImageView<uint8_t> to = even.writable_plane(p);
    const ImageView<const uint8_t> from = picture.plane(interleaved && p > 0 ? 1 : p);
    const int step = interleaved && p > 0 ? 2 : 1, first = interleaved && p == 2 ? 1 : 0;
    const int width = from.width / step;
    for (int y = 0; y < to.height; ++y) {
      const uint8_t* row = from.row(std::min(y, from.height - 1)) + first;
      if (step == 1) std::memcpy(to.row(y), row, static_cast<size_t>(width));
      for (int x = step == 1 ? width : 0; x < to.width; ++x)
        to.row(y)[x] = row[step * std::min(x, width - 1)];
    }
  }
  return even;
}

}  // namespace vantage::case_detail
