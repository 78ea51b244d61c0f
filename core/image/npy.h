// NumPy's array files, format 1.0: one plane, rows from the top, little-endian. numpy.load() reads them.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// An image of any type in host memory, as an array of shape (height, width). Atomically.
Status write_npy(const std::filesystem::path& path, const Image& image);

}  // namespace vantage
