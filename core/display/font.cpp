#include "core/display/font.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <cstdint>
#include <utility>
#include <vector>

namespace vantage {
namespace {

// The file of a sans-serif font, by fontconfig.
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

// Code points; bytes that are no UTF-8 become U+FFFD.
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

}  // namespace

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
  VANTAGE_ASSIGN(const std::string file, font_file());
  auto face = std::make_unique<Face>();
  if (FT_Init_FreeType(&face->library) != 0 || FT_New_Face(face->library, file.c_str(), 0, &face->face) != 0)
    return fail(ErrorKind::bad_data, "the font cannot be read", file, "Install fonts-dejavu-core.");
  return std::unique_ptr<Font>(new Font(std::move(face)));
}

int Font::width_px(const std::string& text, int height_px) {
  FT_Set_Pixel_Sizes(face_->face, 0, static_cast<FT_UInt>(height_px));
  long width = 0;
  for (const uint32_t point : code_points(text))
    if (FT_Load_Char(face_->face, point, FT_LOAD_DEFAULT) == 0) width += face_->face->glyph->advance.x;
  return static_cast<int>(width / 64);
}

void Font::draw(const std::string& text, int left, int base, int height_px,
                const std::function<void(int x, int y, int cover)>& put) {
  FT_Set_Pixel_Sizes(face_->face, 0, static_cast<FT_UInt>(height_px));
  long at = 64L * left;
  for (const uint32_t point : code_points(text)) {
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
