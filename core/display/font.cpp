#include "core/display/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <cstdint>
#include <utility>

#include "core/display/detail/letters.h"

namespace vantage {
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
