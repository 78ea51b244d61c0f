// Capabilities of the device's video decoder (NVDEC), from the driver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage::gpu {

class Context;

// One codec, 4:2:0.
struct DecoderCaps {
  std::string codec;  // as FFmpeg names it; with 10 bits ", 10 bits" behind
  int min_width_px = 0, min_height_px = 0;
  int max_width_px = 0, max_height_px = 0;
  int64_t max_macroblocks = 0;  // of 16x16 luma samples a frame; 0: not stated
};

// The codecs whose decoding is specified to the bit, that the device decodes and that this FFmpeg can hand to
// it. Empty where the driver comes without its video library. MPEG-1, -2, -4 and JPEG are left to software:
// their inverse transform is specified to an error bound only, and a frame must not depend on who decoded it.
Result<std::vector<DecoderCaps>> query_decoders(Context& context);

}  // namespace vantage::gpu
