#include "core/image/time_code.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <string_view>

namespace vantage {
namespace {

// The leftmost column in the highest of five bits.
constexpr int kRows = 7, kColumns = 5;
using Glyph = std::array<uint8_t, kRows>;
constexpr std::string_view kNames = "0123456789:.";
constexpr std::array<Glyph, 12> kGlyphs = {{
    {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
    {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111},
    {0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110},
    {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
    {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
    {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
    {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
    {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
    {0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000},
    {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100},
}};
constexpr std::string_view kForm = "00:00:00.000";
constexpr int kBlack = 16, kWhite = 235, kGray = 128;
constexpr int kMaxWrong = 3;  // of a letter's points; any two letters differ in six or more

// The positions of the points, in pixels.
struct Layout {
  int scale = 1, margin = 2;
  explicit Layout(const Picture& picture) : scale(std::max(1, picture.height() / 280)), margin(2 * scale) {}
  int width() const { return (static_cast<int>(kForm.size()) * (kColumns + 1) + 1) * scale + margin; }
  int height() const { return kRows * scale + 2 * margin; }
  int x(size_t letter, int column) const {
    return margin + (static_cast<int>(letter) * (kColumns + 1) + column) * scale;
  }
  int y(int row) const { return margin + row * scale; }
};

bool bit(const Glyph& glyph, int row, int column) {
  return (glyph[row] >> (kColumns - 1 - column) & 1) != 0;
}

void fill(ImageView<uint8_t> plane, int x0, int y0, int width, int height, int value) {
  for (int y = y0; y < std::min(y0 + height, plane.height); ++y)
    for (int x = x0; x < std::min(x0 + width, plane.width); ++x) plane.at(x, y) = static_cast<uint8_t>(value);
}

int mean(ImageView<const uint8_t> plane, int x0, int y0, int side) {
  int sum = 0;
  for (int y = y0; y < y0 + side; ++y)
    for (int x = x0; x < x0 + side; ++x) sum += plane.at(x, y);
  return sum / (side * side);
}

// The letter that differs least, or 0 where none is near.
char read_letter(ImageView<const uint8_t> luma, const Layout& layout, size_t letter) {
  Glyph seen{};
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      if (mean(luma, layout.x(letter, column), layout.y(row), layout.scale) > (kBlack + kWhite) / 2)
        seen[row] |= static_cast<uint8_t>(1 << (kColumns - 1 - column));
  char best = 0;
  int min = kMaxWrong;
  for (size_t g = 0; g < kGlyphs.size(); ++g) {
    int wrong = 0;
    for (size_t row = 0; row < kRows; ++row) wrong += __builtin_popcount(seen[row] ^ kGlyphs[g][row]);
    if (wrong < min) best = kNames[g], min = wrong;
  }
  return best;
}

}  // namespace

void burn_time_code(int64_t day_ms, Picture& picture) {
  const Layout layout(picture);
  const int64_t ms = day_ms % kDay_ms;
  const std::string text = fmt::format("{:02}:{:02}:{:02}.{:03}", static_cast<int>(ms / 3600000),
                                       static_cast<int>(ms / 60000 % 60), static_cast<int>(ms / 1000 % 60),
                                       static_cast<int>(ms % 1000));
  const ImageView<uint8_t> luma = picture.writable_plane(0);
  fill(luma, 0, 0, layout.width() & ~1, layout.height() & ~1, kBlack);
  for (const int p : {1, 2})
    fill(picture.writable_plane(p), 0, 0, layout.width() / 2, layout.height() / 2, kGray);
  for (size_t letter = 0; letter < kForm.size(); ++letter) {
    const Glyph& glyph = kGlyphs[kNames.find(text[letter])];
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column)
        if (bit(glyph, row, column))
          fill(luma, layout.x(letter, column), layout.y(row), layout.scale, layout.scale, kWhite);
  }
}

std::optional<int64_t> read_time_code(const Picture& picture) {
  if (!picture || picture.place().kind == MemoryKind::device) return std::nullopt;
  const Layout layout(picture);
  const ImageView<const uint8_t> luma = picture.plane(0);
  if (luma.width < layout.width() || luma.height < layout.height()) return std::nullopt;
  int64_t digits[9];
  size_t count = 0;
  for (size_t letter = 0; letter < kForm.size(); ++letter) {
    const char seen = read_letter(luma, layout, letter);
    const bool digit = seen >= '0' && seen <= '9';
    if (kForm[letter] == '0' ? !digit : seen != kForm[letter]) return std::nullopt;
    if (digit) digits[count++] = seen - '0';
  }
  const auto two = [&](size_t first) { return digits[first] * 10 + digits[first + 1]; };
  if (two(0) > 23 || two(2) > 59 || two(4) > 59) return std::nullopt;
  return ((two(0) * 60 + two(2)) * 60 + two(4)) * 1000 + digits[6] * 100 + two(7);
}

}  // namespace vantage
