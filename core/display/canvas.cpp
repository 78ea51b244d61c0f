#include "core/display/canvas.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include FT_FREETYPE_H

namespace vantage {
namespace {

constexpr MarkColor kLabelGround = {0, 0, 0};
constexpr double kFarthest_px = 100'000;  // lines that reach farther are no lines of this picture

}  // namespace

Result<Canvas> Canvas::make(int width_px, int height_px, const MarkColor& ground, Font& font) {
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, 3 * width_px, height_px, HostPool::shared()));
  Canvas canvas(std::move(image), font);
  canvas.fill(canvas.whole(), ground);
  return canvas;
}

void Canvas::put(int x, int y, const MarkColor& color, double cover) {
  if (x < clip_.left || y < clip_.top || x >= clip_.right || y >= clip_.bottom || cover <= 0) return;
  uint8_t* pixel = image_.writable_view<uint8_t>().row(y) + 3 * x;
  const double share = std::min(1.0, cover);
  for (int c = 0; c < 3; ++c)
    pixel[c] = static_cast<uint8_t>((1 - share) * pixel[c] + share * color[static_cast<size_t>(c)] + 0.5);
}

void Canvas::fill(const PixelArea& area, const MarkColor& color) {
  for (int y = std::max(area.top, clip_.top); y < std::min(area.bottom, clip_.bottom); ++y)
    for (int x = std::max(area.left, clip_.left); x < std::min(area.right, clip_.right); ++x)
      put(x, y, color);
}

// Row by row, only where the line comes near.
void Canvas::segment(const Eigen::Vector2d& from_px, const Eigen::Vector2d& to_px, double width_px,
                     const MarkColor& color) {
  const double reach = width_px / 2 + 0.5;
  const Eigen::Vector2d along = to_px - from_px;
  const double squared = along.squaredNorm();
  const auto first = static_cast<int>(std::floor(std::min(from_px.y(), to_px.y()) - reach));
  const auto last = static_cast<int>(std::ceil(std::max(from_px.y(), to_px.y()) + reach));
  for (int y = std::max(first, clip_.top); y <= std::min(last, clip_.bottom - 1); ++y) {
    double low = std::min(from_px.x(), to_px.x()), high = std::max(from_px.x(), to_px.x());
    if (std::abs(along.y()) > 1e-9) {
      const double slope = along.x() / along.y(), slack = std::hypot(reach, reach * slope) + 1;
      const double middle = from_px.x() + (y - from_px.y()) * slope;
      low = std::max(low, middle - slack), high = std::min(high, middle + slack);
    }
    const int begin = std::max(clip_.left, static_cast<int>(std::floor(low - reach)));
    const int end = std::min(clip_.right - 1, static_cast<int>(std::ceil(high + reach)));
    for (int x = begin; x <= end; ++x) {
      const Eigen::Vector2d at(x, y);
      const double t = squared > 0 ? std::clamp((at - from_px).dot(along) / squared, 0.0, 1.0) : 0;
      put(x, y, color, reach - (at - from_px - t * along).norm());
    }
  }
}

void Canvas::polyline(std::span<const Eigen::Vector2d> points_px, double width_px, const MarkColor& color) {
  for (const Eigen::Vector2d& point : points_px)
    if (!point.allFinite() || point.norm() > kFarthest_px) return;
  for (size_t i = 1; i < points_px.size(); ++i) segment(points_px[i - 1], points_px[i], width_px, color);
}

void Canvas::text(const std::string& text, int left, int base, int height_px, const MarkColor& color) {
  font_->draw(text, left, base, height_px, [&](int x, int y, int cover) { put(x, y, color, cover / 255.0); });
}

void Canvas::label(const std::string& text, int left, int top, int height_px) {
  const int width = font_->width_px(text, height_px) + height_px / 2;
  fill({left, top, left + width, top + height_px + height_px / 3}, kLabelGround);
  this->text(text, left + height_px / 4, top + height_px + height_px / 24, height_px, kMarkWhite);
}

struct Font::Face {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  Face() = default;
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;
  ~Face() {
    if (face) FT_Done_Face(face);
    if (library) FT_Done_FreeType(library);
  }
};

Font::Font(std::unique_ptr<Face> face) : face_(std::move(face)) {}
Font::~Font() = default;

Result<std::unique_ptr<Font>> Font::open() {
  VANTAGE_ASSIGN(const std::string file, display_detail::font_file());
  auto face = std::make_unique<Face>();
  if (FT_Init_FreeType(&face->library) != 0 || FT_New_Face(face->library, file.c_str(), 0, &face->face) != 0)
    return fail(ErrorKind::bad_data, "the font cannot be read", file, "Install fonts-dejavu-core.");
  return std::unique_ptr<Font>(new Font(std::move(face)));
}

int Font::width_px(const std::string& text, int height_px) {
  FT_Set_Pixel_Sizes(face_->face, 0, static_cast<FT_UInt>(height_px));
  long width = 0;
  for (const uint32_t point : display_detail::code_points(text))
    if (FT_Load_Char(face_->face, point, FT_LOAD_DEFAULT) == 0) width += face_->face->glyph->advance.x;
  return static_cast<int>(width / 64);
}

void Font::draw(const std::string& text, int left, int base, int height_px,
                const std::function<void(int x, int y, int cover)>& put) {
  FT_Set_Pixel_Sizes(face_->face, 0, static_cast<FT_UInt>(height_px));
  long at = 64L * left;
  for (const uint32_t point : display_detail::code_points(text)) {
    if (FT_Load_Char(face_->face, point, FT_LOAD_RENDER) != 0) continue;
    const FT_GlyphSlot glyph = face_->face->glyph;
    const int x0 = static_cast<int>(at / 64) + glyph->bitmap_left, y0 = base - glyph->bitmap_top;
    for (int y = 0; y < static_cast<int>(glyph->bitmap.rows); ++y)
      for (int x = 0; x < static_cast<int>(glyph->bitmap.width); ++x)
        if (const int cover = glyph->bitmap.buffer[y * glyph->bitmap.pitch + x]; cover > 0)
          put(x0 + x, y0 + y, cover);
    at += glyph->advance.x;
  }
}

}  // namespace vantage

namespace vantage::display_detail {

Result<std::string> font_file() {
  FcConfig* config = FcInitLoadConfigAndFonts();
  FcPattern* wanted = FcNameParse(reinterpret_cast<const FcChar8*>("DejaVu Sans,sans-serif:scalable=true"));
  std::string file;
  if (config && wanted) {
    FcConfigSubstitute(config, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern* found = FcFontMatch(config, wanted, &result);
    FcChar8* name = nullptr;
    if (found && FcPatternGetString(found, FC_FILE, 0, &name) == FcResultMatch)
      file = reinterpret_cast<const char*>(name);
    if (found) FcPatternDestroy(found);
  }
  if (wanted) FcPatternDestroy(wanted);
  if (config) FcConfigDestroy(config);
  if (file.empty())
    return fail(ErrorKind::not_found, "this machine has no font for what is written into pictures and videos",
                {}, "Install one, as in apt install fonts-dejavu-core.");
  return file;
}

std::vector<uint32_t> code_points(const std::string& text) {
  std::vector<uint32_t> points;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<uint8_t>(text[i++]);
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    uint32_t point = more == 0 ? first : first & (0x3fU >> more);
    if (first >= 0x80 && more == 0) point = 0xfffd;
    for (; more > 0 && i < text.size() && (static_cast<uint8_t>(text[i]) & 0xc0) == 0x80; --more)
      point = point << 6 | (static_cast<uint8_t>(text[i++]) & 0x3f);
    points.push_back(more > 0 ? 0xfffd : point);
  }
  return points;
}

std::string valid_utf8(const std::string& text) {
  constexpr uint32_t kMaxPoint = 0x10ffff, kUnknown = 0xfffd;
  std::string out;
  for (uint32_t point : code_points(text)) {
    if (point > kMaxPoint || (point >= 0xd800 && point < 0xe000)) point = kUnknown;
    if (point < 0x20 || point == 0x7f) point = ' ';
    const auto more = [&](int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else if (point < 0x800) {
      out += static_cast<char>(0xc0 | point >> 6), more(0);
    } else if (point < 0x10000) {
      out += static_cast<char>(0xe0 | point >> 12), more(6), more(0);
    } else {
      out += static_cast<char>(0xf0 | point >> 18), more(12), more(6), more(0);
    }
  }
  return out;
}

}  // namespace vantage::display_detail
