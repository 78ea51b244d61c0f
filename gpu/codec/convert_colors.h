// Pictures on the device to the colours that Vantage works in (core/video/working_colors.h).
#pragma once

#include "core/image/picture.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

// `from`: NV12. `to`: of working_format(from.format()). Bit by bit what convert_to_working_colors() gives. On
// the submission thread; `work` knows of both buffers.
Status enqueue_convert_colors(Work& work, const Picture& from, Picture& to);

}  // namespace vantage::gpu
