#include "core/display/detail/letters.h"

#include <fontconfig/fontconfig.h>

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
