// Portable float maps: one plane of floats, binary, rows from the bottom up (P. Debevec's format, "Pf").
// Written atomically.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// f32, host memory. Both byte orders and any scale are read; the scale is not applied.
Result<Image> read_pfm(const std::filesystem::path& path, BufferPool& pool);
// f32, host memory; little-endian.
Status write_pfm(const std::filesystem::path& path, const Image& image);

}  // namespace vantage
