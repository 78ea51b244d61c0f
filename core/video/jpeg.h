// One picture as a JPEG file.
#pragma once

#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// Width and height in pixels of its file.
std::pair<int, int> jpeg_size(const Picture& picture, int max_width_px);

// The bytes of a baseline JFIF file (full range, BT.601), 4:2:0. `picture` lies in host memory. Wider ones
// are reduced to max_width_px, sides kept even. `quality`: 2 (best) to 31, FFmpeg's scale. Errors:
// unsupported (no encoder, memory of a device), out_of_memory, io.
Result<std::string> encode_jpeg(const Picture& picture, int max_width_px, int quality = 4);

}  // namespace vantage
