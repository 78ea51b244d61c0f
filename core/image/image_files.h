// PNG files through libpng: one plane (masks, maps) of 8 or 16 bits, or colour for looking at. Written
// atomically.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/image/image_view.h"
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

// Portable float maps: one plane of floats, binary, rows from the bottom up (P. Debevec's format, "Pf").
// Written atomically.

// f32, host memory. Both byte orders and any scale are read; the scale is not applied.
Result<Image> read_pfm(const std::filesystem::path& path, BufferPool& pool);
// f32, host memory; little-endian.
Status write_pfm(const std::filesystem::path& path, const Image& image);

// NumPy's array files, format 1.0: one plane, rows from the top, little-endian. numpy.load() reads them.

// An image of any type in host memory, as an array of shape (height, width). Atomically.
Status write_npy(const std::filesystem::path& path, const Image& image);
// The same of rows in host memory: u8, u16, u32, u64, s32, f32 and f64.
template <typename T>
Status write_npy(const std::filesystem::path& path, ImageView<const T> values);

}  // namespace vantage
