// NumPy's array files, format 1.0: one plane, rows from the top, little-endian. numpy.load() reads them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"
#include "core/image/image_view.h"
#include "core/image/picture.h"

namespace vantage {

// An image of any type in host memory, as an array of shape (height, width). Atomically.
Status write_npy(const std::filesystem::path& path, const Image& image);
// The same of rows in host memory: u8, u16, u32, u64, s32, f32 and f64.
template <typename T>
Status write_npy(const std::filesystem::path& path, ImageView<const T> values);

}  // namespace vantage
