// PNG files through libpng: one plane (masks, maps) of 8 or 16 bits, or colour for looking at. Written
// atomically.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// u8, host memory. Of a colour picture the luma Y' of BT.601, full range; 16 bits become 8.
Result<Image> read_png_gray(const std::filesystem::path& path, BufferPool& pool);
// A word about the picture that other programs show, as PNG's tEXt chunk: Latin-1, the keyword at most 79
// characters.
struct PngText {
  std::string keyword, text;
};
// u8 or u16, host memory.
Result<std::string> encode_png_gray(const Image& image, const PngText& text = {});
Status write_png_gray(const std::filesystem::path& path, const Image& image, const PngText& text = {});
// u8, host memory, 3 * width elements a row: red, green, blue.
Result<std::string> encode_png_rgb(const Image& image);
Status write_png_rgb(const std::filesystem::path& path, const Image& image);

}  // namespace vantage
