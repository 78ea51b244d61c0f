// PNG files of one 8-bit plane (masks, maps), through libpng. Written atomically.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// u8, host memory. Colour pictures are converted to grey, 16 bits to 8.
Result<Image> read_png_gray(const std::filesystem::path& path, BufferPool& pool);
// u8, host memory.
Status write_png_gray(const std::filesystem::path& path, const Image& image);

}  // namespace vantage
