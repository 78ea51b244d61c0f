// PNG files through libpng, 8 bits a channel: one plane (masks, maps) or colour for looking at. Written
// atomically.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// u8, host memory. Of a colour picture the luma Y' of BT.601, full range; 16 bits become 8.
Result<Image> read_png_gray(const std::filesystem::path& path, BufferPool& pool);
// u8, host memory.
Status write_png_gray(const std::filesystem::path& path, const Image& image);
// u8, host memory, 3 * width elements a row: red, green, blue.
Status write_png_rgb(const std::filesystem::path& path, const Image& image);

}  // namespace vantage
